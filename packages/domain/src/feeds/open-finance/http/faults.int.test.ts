import type { IncomingMessage, ServerResponse } from 'node:http';
import { createLogger, createOutboundClient, type OutboundClient } from '@tieout/infra';
import { startHttpServer, startTcpListener, type TestHttpServer } from '@tieout/testing';
import type { OpenFinanceProvider } from '../provider';
import { createHttpProvider } from './http-provider';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const credential = 'the-credential';
/** Text of a provider that must never be passed on. */
const leak = 'customer 123.456.789-00';

const account = {
  id: 'account-1',
  type: 'CHECKING',
  name: 'Account',
  number: null,
  balance: 10.5,
  currencyCode: 'BRL',
  updatedAt: '2026-11-20T12:00:00Z',
};
const transaction = {
  id: 't1',
  accountId: 'account-1',
  date: '2026-11-20',
  description: 'Pix',
  type: 'DEBIT',
  amount: 12.5,
  currencyCode: 'BRL',
  status: 'POSTED',
};

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
const raw =
  (body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(200, headers).end(body);
const page = (...results: unknown[]): Answer => json({ results, next: null });

const stops: (() => Promise<void>)[] = [];
const clients: OutboundClient[] = [];
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await Promise.all(stops.map((stop) => stop()));
});

function providerAt(origin: string, timeoutMs = 5_000): OpenFinanceProvider {
  const outbound = createOutboundClient({ allowedPorts: [], allowCidrs: [], origins: [origin] });
  clients.push(outbound);
  return createHttpProvider({
    base: { origin, prefix: '/v1' },
    credential,
    outbound,
    timeoutMs,
    logger: createLogger('test', 'silent'),
  });
}

async function serving(
  answer: Answer,
  timeoutMs?: number,
): Promise<{ server: TestHttpServer; provider: OpenFinanceProvider }> {
  const server = await startHttpServer(answer);
  stops.push(server.stop);
  return { server, provider: providerAt(server.origin, timeoutMs) };
}

/** Gives the answers one after the other; the last one repeats. */
function inTurn(...answers: Answer[]): Answer {
  let next = 0;
  return (request, response) => answers[Math.min(next++, answers.length - 1)]?.(request, response);
}

const failureOf = async (
  work: Promise<unknown>,
): Promise<{ code?: string; message: string; retryAfterSeconds?: number }> =>
  work.then(
    () => ({ message: 'no failure' }),
    (error: Error) => error,
  );

describe('an unusable answer', () => {
  test.each<[string, Answer, string]>([
    ['401', json({ message: leak }, 401), 'provider_auth_failed'],
    ['403', json({ message: leak }, 403), 'provider_auth_failed'],
    ['404', json({ message: leak }, 404), 'provider_resource_not_found'],
    ['410', json({ message: leak }, 410), 'provider_resource_not_found'],
    ['400', json({ message: leak }, 400), 'provider_bad_response'],
    ['418', json({ message: leak }, 418), 'provider_bad_response'],
    ['429', json({ message: leak }, 429, { 'Retry-After': '120' }), 'provider_rate_limited'],
    ['500', json({ message: leak }, 500), 'provider_unavailable'],
    ['503', json({ message: leak }, 503), 'provider_unavailable'],
    ['a redirect', json({}, 302, { Location: 'http://127.0.0.1:1/' }), 'provider_bad_response'],
    ['206, a part of a list', json({ results: [account], next: null }, 206), 'provider_bad_response'],
    ['HTML', raw(`<html>${leak}</html>`), 'provider_bad_response'],
    ['nothing', raw(''), 'provider_bad_response'],
    ['half a document', raw('{"results":[{"id":"account-1"'), 'provider_bad_response'],
    ['text that is not UTF-8', raw(Buffer.from([0x22, 0xff, 0xfe, 0x22])), 'provider_bad_response'],
    ['a list where an object belongs', json([account]), 'provider_bad_response'],
    ['an object without results', json({ data: [account] }), 'provider_bad_response'],
    ['results that are not a list', json({ results: { 0: account } }), 'provider_bad_response'],
    ['null as a row', page(null), 'provider_bad_response'],
    ['a row without id', page({ ...account, id: undefined }), 'provider_bad_response'],
    ['a number as id', page({ ...account, id: 7 }), 'provider_bad_response'],
    ['an id with a line break', page({ ...account, id: 'a\nb' }), 'provider_bad_response'],
    ['a type that does not exist', page({ ...account, type: leak }), 'provider_bad_response'],
    ['an amount in words', page({ ...account, balance: leak }), 'provider_bad_response'],
    ['an amount beyond all measure', page({ ...account, balance: 1e300 }), 'provider_bad_response'],
    ['a time that is none', page({ ...account, updatedAt: 'yesterday' }), 'provider_bad_response'],
    ['ten megabytes', raw(`{"results":[],"x":"${'x'.repeat(10_000_000)}"}`), 'provider_bad_response'],
    ['a hundred thousand brackets', raw('['.repeat(100_000)), 'provider_bad_response'],
    [
      'a compressed body nobody asked for',
      raw(Buffer.from('1f8b0800', 'hex'), { 'Content-Encoding': 'gzip' }),
      'provider_bad_response',
    ],
    [
      'a list without end',
      (request, response) =>
        json({ results: [{ ...account, id: request.url }], next: String(Math.random()) })(request, response),
      'provider_bad_response',
    ],
  ])('%s: a clear error that repeats nothing of it', async (_title, answer, code) => {
    const { provider } = await serving(answer);
    const failure = await failureOf(provider.listAccounts('item'));
    expect(failure.code).toBe(code);
    expect(failure.message).not.toContain(leak);
  });

  test.each<[string, object]>([
    ['a negative amount, whose sign would be anybody’s guess', { amount: -1 }],
    ['a transaction of another account', { accountId: 'account-2' }],
    ['a day that does not exist', { date: '2026-02-30' }],
    ['a direction that does not exist', { type: 'OUT' }],
  ])('%s', async (_title, change) => {
    const { provider } = await serving(page({ ...transaction, ...change }));
    expect((await failureOf(provider.listAccountTransactions('item', 'account-1'))).code).toBe('provider_bad_response');
  });

  test.each<[string, object]>([
    [
      'waits for input without saying for what',
      { status: 'WAITING_USER_INPUT', executionStatus: 'WAITING_USER_INPUT' },
    ],
    ['has a status that does not exist', { status: 'MERGING', executionStatus: 'SUCCESS' }],
    [
      'sends its user to another scheme',
      {
        status: 'WAITING_USER_ACTION',
        executionStatus: 'USER_AUTHORIZATION_PENDING',
        userAction: {
          type: 'redirect',
          instructions: 'x',
          url: 'javascript:alert(1)',
          expiresAt: '2026-11-20T12:00:00Z',
        },
      },
    ],
  ])('an item that %s', async (_title, item) => {
    const { provider } = await serving(json({ id: 'item', ...item }));
    expect((await failureOf(provider.getItem('item'))).code).toBe('provider_bad_response');
  });
});

test.each(['', true, [], {}, '1e3', 'NaN'])('a quantity of %j is refused', async (quantity) => {
  const { provider } = await serving(
    page({
      id: 't',
      investmentId: 'i',
      type: 'BUY',
      movementType: 'CREDIT',
      date: '2026-11-20',
      amount: 1,
      currencyCode: 'BRL',
      quantity,
    }),
  );
  expect((await failureOf(provider.listInvestmentTransactions('item', 'i'))).code).toBe('provider_bad_response');
});

test.each<[string, Answer]>([
  ['204', (_request, response) => void response.writeHead(204).end()],
  ['200 without a body', raw('')],
  ['200 with words', raw('bye')],
])('a removal that is answered with %s has worked', async (_title, answer) => {
  const { provider } = await serving(answer);
  await expect(provider.deleteItem('item')).resolves.toBeUndefined();
});

describe('a provider that is away', () => {
  test('nothing listens', async () => {
    const server = await startHttpServer(json({}));
    await server.stop();
    expect((await failureOf(providerAt(server.origin).listAccounts('item'))).code).toBe('provider_unavailable');
  });

  test.each([
    ['closes the connection', (): string | null => null],
    ['speaks another protocol', (): string | null => 'SSH-2.0-x\r\n\r\n'],
  ])('it %s', async (_title, says) => {
    const listener = await startTcpListener((socket) => void socket.once('data', () => socket.end(says() ?? '')));
    stops.push(listener.stop);
    const expected = says() === null ? 'provider_unavailable' : 'provider_bad_response';
    expect((await failureOf(providerAt(`http://127.0.0.1:${listener.port}`).listAccounts('item'))).code).toBe(expected);
  });

  test.each<[string, Answer]>([
    ['does not answer', () => undefined],
    [
      'stops in the middle',
      (_request, response) => void response.writeHead(200, { 'Content-Length': '1000' }).write('{"results":'),
    ],
  ])('it %s', async (_title, answer) => {
    const { provider } = await serving(answer, 300);
    expect((await failureOf(provider.listAccounts('item'))).code).toBe('provider_timeout');
  });

  test('a list whose pages are each just in time ends by its own deadline', async () => {
    let pages = 0;
    const { provider } = await serving(
      (request, response) =>
        void setTimeout(
          () => json({ results: [{ ...account, id: `a${++pages}` }], next: String(pages) })(request, response),
          100,
        ),
      200,
    );
    expect((await failureOf(provider.listAccounts('item'))).code).toBe('provider_timeout');
    expect(pages).toBeLessThan(10);
  });
});

describe('retries', () => {
  test('a read is retried after 503, twice', async () => {
    const { provider, server } = await serving(inTurn(json({}, 503), json({}, 502), page(account)));
    expect(await provider.listAccounts('item')).toEqual([{ ...account, updatedAt: '2026-11-20T12:00:00.000Z' }]);
    expect(server.requests().length).toBe(3);
  });

  test('a read is not retried for ever', async () => {
    const { provider, server } = await serving(json({}, 503));
    await failureOf(provider.listAccounts('item'));
    expect(server.requests().length).toBe(3);
  });

  test('a read is retried after the Retry-After of the provider', async () => {
    const { provider } = await serving(inTurn(json({}, 429, { 'Retry-After': '1' }), page(account)));
    expect(await provider.listAccounts('item')).toHaveLength(1);
  });

  test('a read with a Retry-After of minutes is not retried, and reports it', async () => {
    const { provider, server } = await serving(json({}, 429, { 'Retry-After': '120' }));
    expect(await failureOf(provider.listAccounts('item'))).toMatchObject({
      code: 'provider_rate_limited',
      retryAfterSeconds: 120,
    });
    expect(server.requests().length).toBe(1);
  });

  test.each([400, 401, 404])('a read is not retried after %d', async (status) => {
    const { provider, server } = await serving(json({}, status));
    await failureOf(provider.listAccounts('item'));
    expect(server.requests().length).toBe(1);
  });

  test('a change is not retried', async () => {
    const { provider, server } = await serving(json({}, 503));
    await failureOf(provider.createItem({ connectorId: 'bank', parameters: {}, idempotencyKey: 'key' }));
    await failureOf(provider.refresh('item'));
    await failureOf(provider.deleteItem('item'));
    expect(server.requests().map(({ method }) => method)).toEqual(['POST', 'POST', 'DELETE']);
  });
});

describe('a valid answer', () => {
  const transactions = async (...rows: object[]) =>
    (await serving(page(...rows.map((row) => ({ ...transaction, ...row }))))).provider.listAccountTransactions(
      'item',
      'account-1',
    );

  test('unknown fields are ignored, missing ones are null', async () => {
    const [read] = await transactions({ internal: leak, paymentData: { payer: { name: 'Ana', secret: leak } } });
    expect(JSON.stringify(read)).not.toContain(leak);
    expect(read).toMatchObject({
      category: null,
      paymentData: { payer: { name: 'Ana', document: null }, receiver: null, boleto: null },
    });
  });

  test.each([
    ['12.34', 12.34],
    ['0.1000', 0.1],
    [0.1 + 0.2, 0.3],
    [899_999_999_999.9999, 899_999_999_999.9999],
  ])('an amount of %j', async (amount, expected) => {
    expect((await transactions({ amount }))[0]).toMatchObject({ amount: expected, signedAmount: -expected });
  });

  test.each([
    ['2026-11-20T23:30:00-03:00', '2026-11-20'],
    ['2026-11-20', '2026-11-20'],
  ])('of a time the day that is written: %s', async (date, expected) => {
    expect((await transactions({ date }))[0]?.date).toBe(expected);
  });

  test('is newest first, whatever the order of the provider', async () => {
    const rows = await transactions(
      { id: 'a', date: '2026-01-01' },
      { id: 'c', date: '2026-03-01' },
      { id: 'b', date: '2026-03-01' },
    );
    expect(rows.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  });

  test('holds a repeated row once', async () => {
    expect(await transactions({}, {})).toHaveLength(1);
  });

  test('is complete over numbered pages with a wrong total, while rows are added at the front', async () => {
    const rows = Array.from({ length: 1_200 }, (_, index) => ({ ...transaction, id: `t${index}` }));
    const { provider } = await serving((request, response) => {
      rows.unshift({ ...transaction, id: `new${rows.length}` });
      const number = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page'));
      json({ results: rows.slice((number - 1) * 500, number * 500), total: 3, totalPages: 1 })(request, response);
    });
    const found = (await provider.listAccountTransactions('item', 'account-1')).map(({ id }) => id);
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining(Array.from({ length: 1_200 }, (_, index) => `t${index}`)));
  });

  test('holds our messages of an error, not those of the provider', async () => {
    const { provider } = await serving(
      json({
        id: 'item',
        status: 'LOGIN_ERROR',
        executionStatus: 'INVALID_CREDENTIALS',
        error: { code: 'X', message: leak },
      }),
    );
    expect(await provider.getItem('item')).toMatchObject({
      error: { code: 'INVALID_CREDENTIALS', message: 'The institution does not accept these credentials' },
    });
  });
});

test('an aborted call ends the request', async () => {
  const given = new AbortController();
  const { provider } = await serving(() => given.abort(new Error('enough')));
  await expect(provider.listAccounts('item', { signal: given.signal })).rejects.toThrow('enough');
});
