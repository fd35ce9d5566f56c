import {
  createAuthenticator,
  createBrowse,
  createSandboxProvider,
  defaultItemPolicy,
  defaultRateLimits,
  readinessChecks,
  type Evaluator,
  type ItemPolicy,
  type OpenFinance,
  type OpenFinanceProvider,
  type RateLimits,
} from '@tieout/domain';
import {
  AppError,
  createCipher,
  createHttpServer,
  createOutboundClient,
  createReadiness,
  newId,
  type HttpServerLimits,
  type Logger,
  type OutboundClient,
  type ReadinessChecks,
} from '@tieout/infra';
import { createTestService, testSecretsKey, type TestService, type TestServiceOptions } from '@tieout/testing';
import supertest from 'supertest';
import { createApp, type App } from '../src/app';
import { TenantCells } from '../src/cells';
import type { Route } from '../src/http';
import type { IdentityProvider } from '../src/identity';
import { createOpenApiDocument, type OpenApiDocument } from '../src/http/openapi';
import { listen } from '../src/listen';
import { apiInfo } from '../src/routes/service/routes';
import type { ApiAgent, ApiCall } from './call';
import { createConformance } from './conformance';
import { shareTestApi, type SharedApi } from './shared-api';
import { createWorkQueues } from './work-queues';

export interface TestApiOptions extends TestServiceOptions {
  /** Default: all. */
  routes?: readonly Route[];
  checks?: ReadinessChecks;
  /** Default: one that evaluates in this process. */
  evaluator?: Evaluator;
  /** Default: one that gives every name a public address. */
  outbound?: OutboundClient;
  /** Default: the sandbox, and no other one. */
  openFinance?: OpenFinance;
  itemPolicy?: Partial<ItemPolicy>;
  /** Default: none. */
  identityProvider?: IdentityProvider;
  /** Default: those of the service. */
  rateLimits?: Partial<RateLimits>;
  previousPlatformKey?: string;
  /** Default: none. */
  trustedProxies?: readonly string[];
  /** Default: the logger of the test service, which is silent. */
  logger?: Logger;
  httpLimits?: Partial<HttpServerLimits>;
  /** Further databases by name, beside that of the service, which is `main`. The test closes them. */
  databases?: Readonly<Record<string, TestService>>;
  /** The database that gets new tenants. Default: main. */
  newTenants?: string;
  /** Serves another API on the service of a test, which closes that service. Default: its own service. */
  service?: TestService;
}

/** Marks a test that looks beyond its own tenants: at all jobs, all rows or the state of the process. */
export const alone: TestApiOptions = {};

/** Requests with one key. */
export interface KeyedApi {
  get(path: string): ApiCall;
  delete(path: string): ApiCall;
  post(path: string, body?: object): ApiCall;
  patch(path: string, body?: object): ApiCall;
  put(path: string, body?: object): ApiCall;
}

export interface TestTenant {
  tenantId: string;
  /** An unrestricted key. */
  key: string;
  api: KeyedApi;
}

export interface TestApi {
  url: string;
  /** Without any key. */
  request: ApiAgent;
  platformKey: string;
  /** With the platform key. */
  platform: KeyedApi;
  service: TestService;
  app: App;
  /** null: one database. */
  cells: TenantCells | null;
  withKey(key: string): KeyedApi;
  newTenant(name?: string): Promise<TestTenant>;
  /** A key of the tenant with these scopes. */
  newKey(tenant: TestTenant, scopes: readonly string[]): Promise<{ id: string; key: string; api: KeyedApi }>;
  /** Runs the jobs of the ingest queue in this process, later ones as well; resolves when the queue is empty. */
  runIngest(): Promise<void>;
  /** Leaves further jobs of the ingest queue in it. */
  stopIngest(): Promise<void>;
  /** Starts the items queue in this process and does not wait: waiting items are polled all the time. */
  startItems(): Promise<void>;
  /** Runs the jobs of the matching queue and their clean-up in this process; resolves when both queues are empty. */
  runMatching(): Promise<void>;
  /** Starts the matching queue in this process and does not wait. */
  startMatching(): Promise<void>;
  /** Leaves further jobs of the matching queue in it. */
  stopMatching(): Promise<void>;
  /** @throws Error when an answer was not as the OpenAPI document says */
  close(): Promise<void>;
}

const publicOutbound = (): OutboundClient =>
  createOutboundClient(
    { allowedPorts: [443, 8443], allowCidrs: [] },
    { resolve: () => Promise.resolve(['93.184.216.34']) },
  );

/** A deployment whose operator has listed no other provider. */
export const onlyProvider = (provider: OpenFinanceProvider): OpenFinance => ({
  provider,
  at: () => {
    throw new AppError('base_url_not_allowed', 'baseUrl must be one that the operator has listed');
  },
  close: () => Promise.resolve(),
});

/**
 * Starts the API over HTTP, and compares every answer with the OpenAPI document. With options it has its own database;
 * without, the test files of a worker share one API, each with its own tenants.
 */
export const startTestApi = (options?: TestApiOptions): Promise<TestApi> =>
  options === undefined ? shareTestApi(() => openTestApi({})) : openTestApi(options);

/** The document of the service's own routes, which the APIs of a worker share with its compiled schemas. */
let ownDocument: OpenApiDocument | undefined;

function openTestCells({ databases, newTenants = 'main' }: TestApiOptions, main: TestService, platformKey: string) {
  const cells = Object.entries({ main, ...databases }).map(([name, { deps }]) => ({
    name,
    deps,
    authenticator: createAuthenticator({ db: deps.db, logger: deps.logger, platformKey, mayBecomeKnown: true }),
  }));
  return new TenantCells(cells, { logger: main.deps.logger, newTenants });
}

async function openTestApi(options: TestApiOptions): Promise<SharedApi> {
  const service = options.service ?? (await createTestService(options));
  const deps = { ...service.deps, ...(options.evaluator ? { evaluator: options.evaluator } : {}) };
  const platformKey = `platform-${newId()}`;
  const checks = options.checks ?? readinessChecks(deps);
  const openFinance = options.openFinance ?? onlyProvider(createSandboxProvider());
  const cipher = createCipher(testSecretsKey);
  const cells = options.databases ? openTestCells(options, service, platformKey) : null;
  await cells?.start();
  const app = createApp({
    deps: {
      ...deps,
      readiness: createReadiness(checks, deps.logger),
      outbound: options.outbound ?? publicOutbound(),
      cipher,
      openFinance,
      browse: createBrowse(openFinance),
      identityProvider: options.identityProvider ?? null,
      cells,
    },
    platformKey,
    ...(options.httpLimits?.stallTimeoutMs !== undefined && { maxBodyWaitMs: options.httpLimits.stallTimeoutMs }),
    logger: options.logger ?? deps.logger,
    previousPlatformKey: options.previousPlatformKey,
    ...(options.trustedProxies === undefined ? {} : { trustedProxies: options.trustedProxies }),
    rateLimits: { ...defaultRateLimits, ...options.rateLimits },
    ...(options.routes ? { routes: options.routes } : {}),
    onResponse: (exchange) => conformance.check(exchange),
  });
  const documentOf = (): OpenApiDocument => createOpenApiDocument(app.routes, apiInfo);
  const conformance = createConformance(options.routes ? documentOf() : (ownDocument ??= documentOf()));
  const server = await listen(createHttpServer(app.express, options.httpLimits, app.messages), {
    host: '127.0.0.1',
    port: 0,
  });
  const url = `http://127.0.0.1:${server.port}`;
  const request = supertest(url) as unknown as ApiAgent;
  const queues = createWorkQueues(service, {
    provider: openFinance.provider,
    cipher,
    policy: { ...defaultItemPolicy, ...options.itemPolicy },
  });

  const withKey = (key: string): KeyedApi => {
    const send = (method: 'post' | 'patch' | 'put', path: string, body?: object): ApiCall => {
      const test = request[method](path).set('x-api-key', key);
      return body === undefined ? test : test.send(body);
    };
    return {
      get: (path) => request.get(path).set('x-api-key', key),
      delete: (path) => request.delete(path).set('x-api-key', key),
      post: (path, body) => send('post', path, body),
      patch: (path, body) => send('patch', path, body),
      put: (path, body) => send('put', path, body),
    };
  };
  const failOnViolations = (): void => {
    const violations = conformance.violations.splice(0);
    if (violations.length > 0) throw new Error(`answers that are not as documented:\n${violations.join('\n')}`);
  };
  const platform = withKey(platformKey);
  const mint = async (tenantId: string, scopes: readonly string[]) => {
    const { body } = await platform
      .post('/v1/api-keys', { label: 'test', scopes })
      .set('x-tenant-id', tenantId)
      .expect(201);
    const { id, key } = body as { id: string; key: string };
    return { id, key, api: withKey(key) };
  };

  return {
    url,
    request,
    platformKey,
    platform,
    service,
    app,
    cells,
    withKey,
    newTenant: async (name = 'Acme') => {
      const { body } = await platform.post('/v1/tenants', { name }).expect(201);
      const tenantId = (body as { id: string }).id;
      const { key, api } = await mint(tenantId, []);
      return { tenantId, key, api };
    },
    newKey: (tenant, scopes) => mint(tenant.tenantId, scopes),
    runIngest: () => queues.drain('ingest'),
    stopIngest: () => queues.stop('ingest'),
    startItems: () => queues.start('items'),
    runMatching: async () => {
      await queues.drain('matching');
      await queues.drain('maintenance');
    },
    startMatching: () => queues.start('matching'),
    stopMatching: () => queues.stop('matching'),
    leave: async () => {
      await queues.clear();
      failOnViolations();
    },
    close: async () => {
      await server.close();
      await queues.close();
      await app.close();
      if (!options.service) await service.close();
      failOnViolations();
    },
  };
}
