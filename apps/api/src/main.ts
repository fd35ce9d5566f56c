import path from 'node:path';
import { promisify } from 'node:util';
import {
  childProcessEvaluator,
  createBrowse,
  domainMetrics,
  openFinancePolicy,
  openProviders,
  quotasOf,
  rateLimitsOf,
  readDays,
  requireSecretsKey,
} from '@tieout/domain';
import {
  createCipher,
  createHttpServer,
  createLogger,
  createMetricRegistry,
  createOutboundClient,
  createReadiness,
  gaugeProcess,
  metricsHandler,
  outboundPolicy,
  maxConnectionsPerTenant,
  requireMigrations,
  requireQueueSchema,
  runningCheck,
  runService,
  readSettingsOrExit,
  trustedProxiesOf,
} from '@tieout/infra';
import { createApp } from './app';
import { openCells } from './cells';
import { config } from './config';
import { openIdentityProvider } from './identity';
import { httpMetrics } from './http-metrics';
import { listen } from './listen';

const { identity, databases, ...env } = readSettingsOrExit('api', config);
const logger = createLogger('api', env.LOG_LEVEL);

void runService(
  logger,
  async (service) => {
    // First, because counts before the registry exists are lost.
    const registry = createMetricRegistry({ app: 'api', metrics: [domainMetrics, httpMetrics], logger });
    const evaluator = childProcessEvaluator({
      file: path.join(__dirname, 'evaluator-child.js'),
      size: env.EVALUATION_PROCESSES,
      heapMb: env.EVALUATION_HEAP_MB,
      timeoutMs: env.EVALUATION_TIMEOUT_MS,
      fair: { maxWaiting: 50 },
      logger,
    });
    service.onShutdown('evaluation processes', evaluator.close);
    const {
      main: deps,
      cells,
      each,
      checks,
      isEnough,
      close,
    } = openCells({
      databases,
      newTenants: env.DATABASE_OF_NEW_TENANTS,
      platformKey: env.PLATFORM_API_KEY,
      previousPlatformKey: env.PLATFORM_API_KEY_PREVIOUS,
      env,
      applicationName: 'tieout api',
      logger,
      evaluator,
      settings: {
        validateFieldsStrict: env.RULE_SETS_VALIDATE_FIELDS_STRICT === '1',
        maxUnblockedPairs: env.MAX_UNBLOCKED_PAIRS,
        idempotencyKeyDays: readDays(env.RETENTION_IDEMPOTENCY_KEYS),
        quotas: quotasOf(env),
      },
    });
    service.onShutdown('domain', close);
    for (const one of each) {
      await requireMigrations(one.deps.db.system, logger);
      await requireQueueSchema(one.queues, logger);
    }
    const network = outboundPolicy(env);
    const outbound = createOutboundClient(network);
    service.onShutdown('outbound requests', () => outbound.close());
    const openFinance = openProviders({ policy: openFinancePolicy(env), network, logger });
    service.onShutdown('open finance', () => openFinance.close());
    const cipher = createCipher(env.SECRETS_KEY);
    for (const { db } of each.map((one) => one.deps))
      await requireSecretsKey({ db: db.system, cipher, lostKeys: env.SECRETS_LOST_KEYS, logger });
    await cells?.start();
    const allChecks = { ...checks, ...runningCheck(service) };
    const readiness = createReadiness(allChecks, logger, service.stopping, isEnough);
    gaugeProcess(registry, { db: deps.db, children: evaluator, checks: allChecks });
    const app = createApp({
      deps: {
        ...deps,
        readiness,
        outbound,
        cipher,
        openFinance,
        browse: createBrowse(openFinance),
        identityProvider: identity && openIdentityProvider(identity, logger),
        cells,
      },
      platformKey: env.PLATFORM_API_KEY,
      previousPlatformKey: env.PLATFORM_API_KEY_PREVIOUS,
      rateLimits: rateLimitsOf(env),
      maxConcurrentPerTenant: maxConnectionsPerTenant(env.DATABASE_POOL_SIZE),
      maxBodyWaitMs: env.STALL_TIMEOUT_MS,
      trustedProxies: trustedProxiesOf(env),
      logger,
      metrics: metricsHandler(registry, env.METRICS_TOKEN),
    });
    registry.gauge(httpMetrics, 'tieout_http_requests_in_flight', () => [{ labels: {}, value: app.inFlight() }]);
    service.onShutdown('requests in flight', app.close);
    const http = createHttpServer(
      app.express,
      {
        headersTimeoutMs: env.HEADERS_TIMEOUT_MS,
        stallTimeoutMs: env.STALL_TIMEOUT_MS,
        maxConnections: env.MAX_CONNECTIONS,
        maxConnectionsPerAddress: env.MAX_CONNECTIONS_PER_ADDRESS,
        isSharedAddress: app.isTrustedProxy,
      },
      app.messages,
    );
    registry.gauge(httpMetrics, 'tieout_http_connections', async () => [
      { labels: {}, value: await promisify(http.getConnections.bind(http))() },
    ]);
    const server = await listen(http, { host: env.HOST, port: env.PORT, stopping: service.stopping });
    service.onShutdown('http server', server.close);
    logger.info({ port: server.port }, 'ready');
  },
  { drainMs: env.SHUTDOWN_DRAIN_MS },
);
