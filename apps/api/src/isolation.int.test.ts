import { createSandboxProvider } from '@tieout/domain';
import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { createOpenApiDocument } from './http/openapi';
import { featureRoutes } from './routes';
import { apiInfo } from './routes/service/routes';
import { onlyProvider, openUser, startTestApi, type SignedInUser, type TestApi } from '../testing';
import {
  fills,
  openOwner,
  openState,
  operationsWithIds,
  ownRequests,
  valueAt,
  withId,
  type IdOperation,
  type Owner,
  type OwnRequest,
  type ResourceKind,
  type StateReader,
} from '../testing/isolation';

const operations = operationsWithIds(createOpenApiDocument(featureRoutes, apiInfo));

let service: TestService;
let api: TestApi;
let own: Owner;
let other: Owner;
let admin: SignedInUser;
let state: StateReader;
/** The state after the last test. */
let known: Record<string, string>;
/** The calls to the provider of open finance. */
const asked: string[] = [];

beforeAll(async () => {
  service = await createTestService();
  // The workers end with the first API: what a request puts into a queue later stays there.
  const preparing = await startTestApi({ service });
  own = await openOwner(preparing, 'own');
  other = await openOwner(preparing, 'other');
  admin = await openUser(preparing, own.tenant, { role: 'admin' });
  await preparing.close();
  const provider = new Proxy(createSandboxProvider(), {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]): unknown => {
        asked.push(String(name));
        return Reflect.apply(member, target, parameters);
      };
    },
  });
  api = await startTestApi({ service, openFinance: onlyProvider(provider) });
  state = await openState(service);
  known = await state.read();
});

afterAll(async () => {
  await state.close();
  await api.close();
  await service.close();
});

type Credentials = Record<string, string>;
const tenantKey = (): Credentials => ({ 'x-api-key': own.tenant.key });
const platformKey = (): Credentials => ({ 'x-api-key': api.platformKey, 'x-tenant-id': own.tenant.tenantId });

/** Places for ids that providers give. */
const ofProvider = /\/(accountIds?|cardId|investmentId)$/;

/** Differ from answer to answer, whatever was asked. */
const variable = ['x-request-id', 'date', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** An answer as it is compared: without what always differs, and with a placeholder for the id that was asked for. */
async function ask({ method, path }: IdOperation, request: OwnRequest, id: string, credentials: Credentials) {
  const at = path.replace(/\{(\w+)\}/g, (_, name: string) => request.path?.[name] ?? '');
  const search = new URLSearchParams(request.query).toString();
  const form = request.form && new FormData();
  for (const [name, value] of Object.entries(request.form ?? {})) form?.set(name, value);
  form?.set('file', new Blob(['a,b\n3,4\n']), 'a.csv');
  const json = request.body && JSON.stringify(request.body);
  const response = await fetch(`${api.url}${at}${search === '' ? '' : `?${search}`}`, {
    method: method.toUpperCase(),
    headers: { ...credentials, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(form ? { body: form } : json === undefined ? {} : { body: json }),
  });
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !variable.includes(name)));
  const body = (await response.text()).replaceAll(id, '<id>').replace(/"request_id":"[^"]*"/, '');
  return { status: response.status, headers, body };
}

const requestsOf = ({ operationId }: IdOperation): OwnRequest[] => ownRequests[operationId]?.(own.resources) ?? [];

/** The other tenant's counterpart of an id of one's own. */
function counterpart(id: string): string {
  const name = (Object.keys(own.resources) as ResourceKind[]).find((one) => own.resources[one] === id);
  if (name === undefined) throw new Error(`${id} is not an id of the tenant`);
  return other.resources[name];
}

const cases = (operation: IdOperation): { slot: string; request: OwnRequest }[] =>
  requestsOf(operation).flatMap((request) =>
    operation.slots.filter((slot) => fills(request, slot)).map((slot) => ({ slot, request })),
  );

test('the OpenAPI document has operations with ids in paths, queries and bodies', () => {
  const places = new Set(operations.flatMap(({ slots }) => slots.map((slot) => slot.split('/')[0])));
  expect([...places].sort()).toEqual(['body', 'path', 'query']);
});

test('the matrix has a request for every place that an id can have, and for nothing else', () => {
  const missing = operations.flatMap((operation) => {
    const requests = requestsOf(operation);
    return operation.slots
      .filter((slot) => !requests.some((request) => fills(request, slot)))
      .map((slot) => `${operation.operationId} ${slot}`);
  });
  const needless = Object.keys(ownRequests).filter(
    (operationId) => !operations.some((operation) => operation.operationId === operationId),
  );
  expect({ missing, needless }).toEqual({ missing: [], needless: [] });
});

test('no two resources of the tenants have the same id', () => {
  const ids = [own, other].flatMap(({ resources }) => Object.values(resources));
  expect(ids.filter((id) => typeof id !== 'string')).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

const session = (): Credentials => ({ cookie: admin.cookie, 'x-tieout-csrf': admin.csrf });

describe.each([
  ['a key of the tenant', tenantKey],
  ['the session of an admin', session],
  ['the platform key in the name of the tenant', platformKey],
])('with %s', (_, credentials) => {
  test.each(operations)(
    '$operationId: an id of another tenant is answered like an unknown one, and nothing comes of it',
    async (operation) => {
      const before = known;
      for (const { slot, request } of cases(operation)) {
        asked.length = 0;
        const [foreign, unknown] = [counterpart(valueAt(request, slot) as string), newId()];
        const answers = [
          await ask(operation, withId(request, slot, foreign), foreign, credentials()),
          await ask(operation, withId(request, slot, unknown), unknown, credentials()),
        ];
        expect({ slot, ...answers[0] }).toEqual({ slot, ...answers[1] });
        // The provider says whether an item of one's own has an account.
        expect(asked.filter((method) => !ofProvider.test(slot) || !method.startsWith('list'))).toEqual([]);
      }
      known = await state.read();
      expect(known).toEqual(before);
    },
  );
});

test('a tenant key with the id of another tenant in x-tenant-id is answered like one with an unknown id', async () => {
  const first = operations[0] as IdOperation;
  const request = requestsOf(first)[0] as OwnRequest;
  const [foreign, unknown] = [other.tenant.tenantId, newId()];
  const answers = [foreign, unknown].map((id) => ask(first, request, id, { ...tenantKey(), 'x-tenant-id': id }));
  expect(await answers[0]).toEqual(await answers[1]);
  expect((await answers[0])?.status).toBe(403);
});

// In the order of the requests: those that remove something come last.
test.each(Object.keys(ownRequests))(
  '%s: an id of one’s own is answered otherwise, or something comes of it',
  async (operationId) => {
    const operation = operations.find((one) => one.operationId === operationId) as IdOperation;
    for (const { slot, request } of cases(operation)) {
      const id = valueAt(request, slot) as string;
      const unknown = newId();
      const answer = await ask(operation, withId(request, slot, unknown), unknown, tenantKey());
      const ownAnswer = await ask(operation, request, id, tenantKey());
      expect(ownAnswer.status).toBeLessThan(500);
      const before = known;
      if (operation.method !== 'get') known = await state.read();
      if (JSON.stringify(ownAnswer) === JSON.stringify(answer)) expect(known).not.toEqual(before);
      // An id that the first slot removed is missing for the second.
      if (operation.method === 'delete') return;
    }
  },
);
