import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSandboxServer, openFinancePolicy, openProviders, type OpenFinance } from '@tieout/domain';
import { createLogger } from '@tieout/infra';
import { startHttpServer, type TestHttpServer } from '@tieout/testing';
import { eventually, itemsOf, startTestApi, type TestApi } from '../../../testing';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const credential = 'credential-of-the-provider';
/** Text of the provider that must not leak. */
const leak = 'customer 123.456.789-00';

let provider: TestHttpServer;
let openFinance: OpenFinance;
let api: TestApi;
/** The answer instead of lists of transactions. */
let instead: Answer | undefined;

beforeAll(async () => {
  const sandbox = createSandboxServer({ credential });
  provider = await startHttpServer((request, response) => {
    if (instead && /\/transactions/.test(request.url ?? '')) instead(request, response);
    else sandbox.emit('request', request, response);
  });
  openFinance = openProviders({
    policy: openFinancePolicy({
      OPENFINANCE_BASE_URL: provider.origin,
      OPENFINANCE_CREDENTIALS: `${provider.origin}=${credential}`,
      OPENFINANCE_TIMEOUT_MS: 2_000,
    }),
    network: { allowCidrs: [] },
    logger: createLogger('test', 'silent'),
  });
  api = await startTestApi({ openFinance, itemPolicy: { pollMs: 20, retryDelaysMs: [10] } });
  await api.startItems();
});

beforeEach(() => {
  instead = undefined;
});

afterAll(async () => {
  await api.close();
  await openFinance.close();
  await provider.stop();
});

const text =
  (status: number, body: string): Answer =>
  (_request, response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);

test.each<[string, Answer, string]>([
  ['never answers', () => undefined, 'SITE_NOT_AVAILABLE'],
  ['answers with garbage', text(200, `<html>${leak}`), 'ERROR'],
  [
    'answers with rows that are none',
    text(200, JSON.stringify({ results: [{ id: 1, note: leak }], next: null })),
    'ERROR',
  ],
  ['has failed', text(500, JSON.stringify({ message: leak })), 'SITE_NOT_AVAILABLE'],
  ['does not know what it has listed', text(404, JSON.stringify({ message: leak })), 'ERROR'],
  ['does not know us any more', text(401, JSON.stringify({ message: leak })), 'ERROR'],
])(
  'a provider that %s makes the item OUTDATED, nothing that it wrote is told, and the next sync brings all',
  async (_what, answer, code) => {
    const tenant = await api.newTenant();
    await tenant.api.post('/v1/webhooks', { url: 'https://receiver.example.com/', secret: 's3cret' }).expect(201);
    const items = itemsOf(api, tenant);
    instead = answer;
    const { id } = await items.create('ok');
    const tried = async () => {
      await items.passTime(id, 'UPDATING');
      return items.read(id);
    };
    const item = await eventually(tried, ({ status }) => status === 'OUTDATED', 30_000);
    expect(item.error?.code).toBe(code);
    expect(JSON.stringify([item, await items.eventsOf(id)])).not.toContain(leak);
    instead = undefined;
    await items.refresh(id);
    expect(await items.read(id)).toMatchObject({ status: 'UPDATED', error: null });
    expect(await items.story(id)).toEqual([
      'ITEM_CREATED UPDATING',
      'ITEM_LOGIN_SUCCEEDED UPDATING',
      `ITEM_ERROR OUTDATED ${code}`,
      'ITEM_LOGIN_SUCCEEDED UPDATING',
      'ITEM_UPDATED UPDATED',
    ]);
    const created = (await items.eventsOf(id))
      .filter(({ event }) => event === 'TRANSACTIONS_CREATED')
      .flatMap(({ data }) => data.transactionIds ?? []);
    expect(new Set(created).size).toBe(created.length);
    expect(created.length).toBeGreaterThan(500);
  },
);
