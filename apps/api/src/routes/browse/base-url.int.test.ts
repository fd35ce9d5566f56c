import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSandboxServer, openFinancePolicy, openProviders, type OpenFinance } from '@tieout/domain';
import { createLogger } from '@tieout/infra';
import { startHttpServer, type TestHttpServer } from '@tieout/testing';
import { itemsOf, startTestApi, type TestApi, type TestTenant } from '../../../testing';

const credentials = { main: 'credential-of-main', other: 'credential-of-other' };
const leak = 'customer 123.456.789-00';

let main: TestHttpServer;
/** Listed with the prefix /api. */
let other: TestHttpServer;
let unlisted: TestHttpServer;
let openFinance: OpenFinance;
let api: TestApi;
let tenant: TestTenant;
let itemId: string;

const account = (id: string) => ({
  id,
  type: 'CHECKING',
  name: 'Account',
  number: null,
  balance: 1,
  currencyCode: 'BRL',
  updatedAt: '2026-11-20T12:00:00Z',
});

/** The answer of the other provider; each test sets its own. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const json =
  (body: unknown, status = 200): typeof answer =>
  (_request, response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
const accountsNamed = (...ids: string[]) => json({ results: ids.map(account), next: null });

beforeAll(async () => {
  main = await startHttpServer(createSandboxServer({ credential: credentials.main }));
  other = await startHttpServer((request, response) => answer(request, response));
  unlisted = await startHttpServer((_request, response) => void response.end('{}'));
  openFinance = openProviders({
    policy: openFinancePolicy({
      OPENFINANCE_BASE_URL: main.origin,
      OPENFINANCE_ALLOWED_BASE_URLS: `${other.origin}/api`,
      OPENFINANCE_CREDENTIALS: `${main.origin}=${credentials.main},${other.origin}=${credentials.other}`,
      OPENFINANCE_TIMEOUT_MS: 2_000,
    }),
    network: { allowCidrs: [] },
    logger: createLogger('test', 'silent'),
  });
  api = await startTestApi({ openFinance });
  await api.startItems();
  tenant = await api.newTenant();
  const items = itemsOf(api, tenant);
  const { id } = await items.create('ok');
  await items.reached(id, 'UPDATED');
  itemId = id;
});
beforeEach(() => {
  answer = accountsNamed('a');
});
afterAll(async () => {
  await api.close();
  await openFinance.close();
  await Promise.all([main.stop(), other.stop(), unlisted.stop()]);
});

const browse = (query: Record<string, string>, list = 'accounts') =>
  tenant.api.get(`/v1/data-sources/openfinance/browse/${list}?${new URLSearchParams({ itemId, ...query }).toString()}`);

/** All connections that were ever made to any of the servers. */
const connections = (): number => main.connections() + other.connections() + unlisted.connections();

test('without baseUrl the default provider is asked, and its credential goes nowhere else', async () => {
  const before = other.requests().length;
  await browse({}).expect(200);
  expect(main.requests().every(({ headers }) => headers.authorization === `Bearer ${credentials.main}`)).toBe(true);
  expect(other.requests().length).toBe(before);
});

test.each(['/api', '/api/', '/api/v2'])(
  'a listed base url, or a path below it, is asked with the credential of its origin: %s',
  async (path) => {
    const before = other.requests().length;
    const { body } = (await browse({ baseUrl: `${other.origin}${path}` }).expect(200)) as {
      body: { accounts: { id: string }[] };
    };
    expect(body.accounts.map(({ id }) => id)).toEqual(['a']);
    const asked = other.requests().slice(before);
    expect(asked.map(({ url }) => url.startsWith(`${path.replace(/\/$/, '')}/items/`))).toEqual(asked.map(() => true));
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(asked.map(() => `Bearer ${credentials.other}`));
  },
);

describe('a base url that the operator has not listed is refused before any socket is opened', () => {
  const port = (): string => new URL(other.origin).port;

  test.each<[title: string, baseUrl: () => string]>([
    ['the default provider, which is not on the list', () => main.origin],
    ['another origin', () => `${unlisted.origin}/api`],
    ['the listed origin without the path', () => other.origin],
    ['a path that only begins like it', () => `${other.origin}/api-evil`],
    ['a path that goes on without a slash', () => `${other.origin}/apis`],
    ['the path in capitals', () => `${other.origin}/API`],
    ['dots out of the path', () => `${other.origin}/api/../evil`],
    ['dots into the path', () => `${other.origin}/evil/../api`],
    ['encoded dots', () => `${other.origin}/api/%2e%2e/evil`],
    ['an encoded slash', () => `${other.origin}/api%2fevil`],
    ['an encoded way out', () => `${other.origin}/api/..%2f..%2fevil`],
    ['a backslash', () => `${other.origin}/api\\..\\evil`],
    ['two slashes', () => `${other.origin}//api`],
    ['a query', () => `${other.origin}/api?x=1`],
    ['a fragment', () => `${other.origin}/api#x`],
    ['a user', () => `http://user@127.0.0.1:${port()}/api`],
    ['the listed host as a user', () => `http://127.0.0.1:${port()}@${new URL(unlisted.origin).host}/api`],
    ['another port', () => `http://127.0.0.1:1/api`],
    ['no port', () => 'http://127.0.0.1/api'],
    ['another scheme', () => `https://127.0.0.1:${port()}/api`],
    ['a name for the same address', () => `http://localhost:${port()}/api`],
    ['the dot of the root', () => `http://127.0.0.1.:${port()}/api`],
    ['a decimal address', () => `http://2130706433:${port()}/api`],
    ['an octal address', () => `http://0177.0.0.1:${port()}/api`],
    ['a hexadecimal address', () => `http://0x7f.0.0.1:${port()}/api`],
    ['a short address', () => `http://127.1:${port()}/api`],
    ['an address of IPv6', () => `http://[::1]:${port()}/api`],
    ['a mapped address', () => `http://[::ffff:127.0.0.1]:${port()}/api`],
    ['the listed host as a label', () => `http://127.0.0.1:${port()}.evil.example/api`],
    ['wide digits', () => `http://１２７.0.0.1:${port()}/api`],
    ['an ideographic dot', () => `http://127。0.0.1:${port()}/api`],
    ['a letter of another alphabet', () => 'https://аpi.bank.example/api'],
    ['a space in front', () => ` ${other.origin}/api`],
    ['a tab inside', () => `http://127.0.0\t.1:${port()}/api`],
    ['a file', () => 'file:///etc/passwd'],
    ['a script', () => 'javascript:alert(1)'],
    ['no scheme', () => `//127.0.0.1:${port()}/api`],
    ['no url', () => 'api'],
    ['nothing', () => ''],
  ])('%s', async (_title, baseUrl) => {
    const before = connections();
    const { body } = (await browse({ baseUrl: baseUrl() }).expect(400)) as { body: { code: string } };
    expect({ body, connections: connections() }).toMatchObject({
      body: { code: 'base_url_not_allowed', errors: [{ path: '/query/baseUrl' }] },
      connections: before,
    });
  });

  test('in all operations', async () => {
    for (const [list, more] of Object.entries({
      accounts: {},
      'credit-cards': {},
      investments: {},
      'account-transactions': { accountId: 'a' },
      'credit-card-transactions': { cardId: 'a' },
      'investment-transactions': { investmentId: 'a' },
    })) {
      const { body } = (await browse({ baseUrl: `${unlisted.origin}/api`, ...more }, list).expect(400)) as {
        body: { code: string };
      };
      expect([list, body.code]).toEqual([list, 'base_url_not_allowed']);
    }
    expect(unlisted.connections()).toBe(0);
  });
});

test('about an item of another tenant nobody is asked', async () => {
  const stranger = await api.newTenant('Stranger');
  const before = connections();
  const requests = main.requests().length;
  for (const baseUrl of ['', `&baseUrl=${encodeURIComponent(`${other.origin}/api/strange`)}`]) {
    await stranger.api.get(`/v1/data-sources/openfinance/browse/accounts?itemId=${itemId}${baseUrl}`).expect(404);
  }
  expect([connections(), main.requests().length]).toEqual([before, requests]);
});

describe('a provider that misbehaves', () => {
  /** Another base for each test: what was read of one is not what another one shows. */
  let base = 0;
  beforeEach(() => (base += 1));
  const ask = (status: number, query: Record<string, string> = {}, list?: string) =>
    browse({ baseUrl: `${other.origin}/api/${base}`, ...query }, list).expect(status);

  test.each<[string, typeof answer | null, number, string]>([
    ['is slow', () => undefined, 504, 'provider_timeout'],
    ['is down', json({ message: leak }, 500), 503, 'provider_unavailable'],
    ['does not accept our credential', json({ message: leak }, 401), 502, 'provider_auth_failed'],
    ['does not know the item', json({ message: leak }, 404), 404, 'provider_resource_not_found'],
    ['has enough of us', json({ message: leak }, 429), 503, 'provider_rate_limited'],
    ['writes garbage', (_request, response) => void response.end(leak), 502, 'provider_bad_response'],
    [
      'sends us elsewhere',
      (_request, response) => void response.writeHead(302, { Location: unlisted.origin }).end(),
      502,
      'provider_bad_response',
    ],
  ])('one that %s', async (_title, wrong, status, code) => {
    if (wrong) answer = wrong;
    const { body, headers } = await ask(status);
    expect(body).toMatchObject({ status: 'error', code });
    expect(JSON.stringify(body)).not.toContain(leak);
    expect(headers['retry-after'] !== undefined).toBe(status === 503);
    expect(unlisted.connections()).toBe(0);
  });

  test('one that has been down is asked again, not remembered', async () => {
    answer = json({}, 500);
    await ask(503);
    answer = accountsNamed('a');
    await ask(200);
  });

  test('one that lies about totals: rows are counted', async () => {
    answer = json({ results: [account('a'), account('b')], next: null, total: 7, totalPages: 99 });
    expect((await ask(200)).body).toMatchObject({ pagination: { totalRecords: 2, totalPages: 1 } });
  });

  test('one whose list changes between our pages: they are pages of one list', async () => {
    let made = 0;
    const rows = Array.from({ length: 10 }, () => `a${String(made++).padStart(4, '0')}`);
    answer = (request, response) => {
      rows.unshift(`b${String(made++).padStart(4, '0')}`);
      accountsNamed(...rows)(request, response);
    };
    const pages: string[] = [];
    for (const page of ['1', '2', '3', '4']) {
      const { body } = (await ask(200, { page, limit: '3' })) as {
        body: { accounts: { id: string }[]; pagination: { totalRecords: number } };
      };
      pages.push(...body.accounts.map(({ id }) => id));
      expect(body.pagination.totalRecords).toBe(11);
    }
    expect(new Set(pages).size).toBe(11);
  });

  test('one that answers for accounts of others is not asked for them', async () => {
    answer = (request, response) =>
      (request.url?.includes('/transactions') ? json({ results: [], next: null }) : accountsNamed('mine'))(
        request,
        response,
      );
    const { body } = await ask(404, { accountId: 'theirs' }, 'account-transactions');
    expect(body).toMatchObject({ code: 'account_not_found' });
    expect(other.requests().some(({ url }) => url.includes('theirs'))).toBe(false);
    await ask(200, { accountId: 'mine' }, 'account-transactions');
  });
});
