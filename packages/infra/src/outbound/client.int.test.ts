import {
  behaviours,
  createTestAuthority,
  startHttpsReceiver,
  type Behaviour,
  type HttpsReceiver,
} from '@tieout/testing';
import fc from 'fast-check';
import { createOutboundClient } from './client';
import type { OutboundClient, OutboundResult } from './types';

const { answer, redirect, sequence } = behaviours;

const secret = 'Bearer of the first tenant';
let receiver: HttpsReceiver;
let elsewhere: HttpsReceiver;
let client: OutboundClient;

beforeAll(async () => {
  const authority = createTestAuthority();
  receiver = await startHttpsReceiver({ authority });
  elsewhere = await startHttpsReceiver({ authority });
  client = createOutboundClient(
    { ...receiver.policy, allowedPorts: [receiver.port, elsewhere.port] },
    { resolve: receiver.resolve },
  );
});
afterAll(async () => {
  await client.close();
  await receiver.stop();
  await elsewhere.stop();
});

let paths = 0;

/** Gives a behaviour its own path. */
function path(behaviour: Behaviour): string {
  const name = `/${++paths}`;
  receiver.on(name, behaviour);
  return name;
}

function post(
  to: string,
  changes: { headers?: Record<string, string>; body?: Buffer; ownConnection?: boolean; signal?: AbortSignal } = {},
): Promise<OutboundResult> {
  return client.post({
    url: receiver.url(to),
    headers: { Authorization: secret },
    body: Buffer.from('{}'),
    deadlineMs: 10_000,
    ...changes,
  });
}

/** Returns headers as sorted pairs: their order means nothing. */
const pairsOf = (raw: readonly string[]): string[][] =>
  raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1] ?? '']] : [])).sort();

test('headers arrive as they were given, and the bytes of the body too', async () => {
  const to = path(answer());
  const headers = {
    'Content-Type': 'application/json',
    Authorization: '!"secret~ with spaces',
    'User-Agent': 'Tieout-Webhook/1.0',
    'webhook-id': 'x',
  };
  const body = Buffer.from('{"event":"é","data":{}}\n');
  await post(to, { headers, body });
  const [request] = receiver.requests(to);
  expect({ method: request?.method, body: request?.body }).toEqual({ method: 'POST', body });
  expect(pairsOf(request?.rawHeaders ?? [])).toEqual(
    [
      ['Accept', '*/*'],
      ...Object.entries(headers),
      ['Content-Length', String(body.length)],
      ['Host', `receiver.test:${receiver.port}`],
      ['Connection', 'keep-alive'],
    ].sort(),
  );
});

test('any credential that can be sent arrives unchanged', async () => {
  const to = path(answer());
  const credential = fc.stringMatching(/^[\x21-\x7E]([\x20-\x7E]{0,60}[\x21-\x7E])?$/);
  await fc.assert(
    fc.asyncProperty(credential, async (Authorization) => {
      await post(to, { headers: { Authorization } });
      expect(receiver.requests(to).at(-1)?.headers.authorization).toBe(Authorization);
    }),
    { numRuns: 50 },
  );
});

test.each(['/a%2Fb//c?q=a+b&c=%C3%A9&&=', '//x', '/%00?a[]=1', `/${'p'.repeat(1_900)}`])(
  'the path and the query arrive as they stand in the url: %j',
  async (to) => {
    await post(to);
    expect(receiver.requests(to)).toHaveLength(1);
  },
);

describe('the status line decides', () => {
  test.each([200, 201, 202, 204, 206, 299])('%i is delivered', async (status) => {
    const to = path(answer(status));
    expect(await post(to)).toMatchObject({ outcome: 'delivered', httpStatus: status, error: null });
  });

  test.each([400, 401, 404, 410, 413, 429, 500, 502, 503, 600, 999])('%i is not', async (status) => {
    const to = path(answer(status));
    expect(await post(to)).toMatchObject({
      outcome: 'http_status',
      httpStatus: status,
      error: `The answer had status ${status}`,
    });
  });

  test.each([300, 301, 302, 303, 304, 307, 308])('%i is a redirect, which is not followed', async (status) => {
    const to = path(redirect(status, elsewhere.url('/')));
    expect(await post(to)).toMatchObject({
      outcome: 'redirect',
      httpStatus: status,
      error: expect.stringContaining(elsewhere.url('/')) as string,
    });
    expect(elsewhere.connections()).toBe(0);
  });

  test('a redirect to the network of the service is not followed either', async () => {
    const to = path(redirect(302, `http://127.0.0.1:${elsewhere.port}/`));
    expect(await post(to)).toMatchObject({ outcome: 'redirect' });
    expect(elsewhere.connections()).toBe(0);
  });

  test('interim answers come before it', async () => {
    const to = path(
      behaviours.rawAnswer('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n', {
        keepOpen: true,
      }),
    );
    expect(await post(to)).toMatchObject({ outcome: 'delivered', httpStatus: 204 });
  });
});

test('an attempt is one request, whatever the answer', async () => {
  const all = [answer(500), answer(429), redirect(307, '/'), answer(200)].map(path);
  for (const to of all) await post(to);
  expect(all.map((to) => receiver.requests(to).length)).toEqual(all.map(() => 1));
});

test('Retry-After is reported', async () => {
  const to = path(answer(429, 'slow down', { 'retry-after': '120' }));
  expect(await post(to)).toMatchObject({ retryAfter: '120', responseSnippet: 'slow down' });
});

test('a compressed answer stays compressed', async () => {
  const to = path(behaviours.gzipBomb(50_000_000));
  const result = await post(to);
  expect(result).toMatchObject({ outcome: 'delivered', bodyState: 'truncated' });
  expect(result.responseSnippet).toMatch(/^data:;base64,H4sI/);
});

test('16 KiB of an endless answer are read, then the connection is closed', async () => {
  const closed = new Promise<void>((resolve) => {
    receiver.on('/endless', (exchange) => {
      exchange.request.socket.once('close', () => resolve());
      behaviours.endlessBody(500)(exchange);
    });
  });
  const reply = await client.request({
    method: 'POST',
    url: receiver.url('/endless'),
    headers: {},
    deadlineMs: 10_000,
    maxBodyBytes: 16_384,
  });
  await closed;
  expect(reply).toMatchObject({ outcome: 'http_status', httpStatus: 500, bodyState: 'truncated' });
  expect(reply.body).toHaveLength(16_384);
});

test('a body as long as the limit is whole', async () => {
  const to = path(answer(200, 'x'.repeat(100)));
  const ask = (maxBodyBytes: number): Promise<unknown> =>
    client.request({ method: 'GET', url: receiver.url(to), headers: {}, deadlineMs: 10_000, maxBodyBytes });
  expect([await ask(100), await ask(99)]).toMatchObject([
    { bodyState: 'complete' },
    { bodyState: 'truncated', body: Buffer.from('x'.repeat(99)) },
  ]);
});

test('a body that ends early does not change the verdict', async () => {
  const to = path(behaviours.truncatedBody(200));
  expect(await post(to)).toMatchObject({
    outcome: 'delivered',
    httpStatus: 200,
    bodyState: 'error',
    responseSnippet: 'beginning',
  });
});

test('a credential that the receiver sends back is not in the result', async () => {
  const to = path(
    ({ request, response }) =>
      void response
        .writeHead(302, { location: `https://a.test/?${request.headers.authorization}` })
        .end(JSON.stringify(request.headers)),
  );
  expect(JSON.stringify(await post(to))).not.toContain(secret);
});

test('two tenants with the same url send their own credential each', async () => {
  const to = path(answer());
  const credentials = Array.from({ length: 20 }, (_, i) => `secret ${i}`);
  await Promise.all(credentials.map((Authorization) => post(to, { headers: { Authorization } })));
  expect(
    receiver
      .requests(to)
      .map(({ headers }) => headers.authorization)
      .sort(),
  ).toEqual(credentials.sort());
});

test('a header that cannot be sent as it is is refused before anything is sent', async () => {
  const to = path(answer());
  await expect(post(to, { headers: { Authorization: 'a\r\nX-Evil: 1' } })).rejects.toThrow(TypeError);
  expect(receiver.requests(to)).toEqual([]);
});

test('when the caller gives up, the request is given up with its reason', async () => {
  const to = path(behaviours.hang());
  const stop = new AbortController();
  const sent = post(to, { signal: stop.signal });
  await receiver.received(1, to);
  stop.abort(new Error('the service is stopping'));
  await expect(sent).rejects.toThrow('the service is stopping');
  await expect(post(to, { signal: stop.signal })).rejects.toThrow('the service is stopping');
});

test('a connection that the receiver has closed meanwhile is not used', async () => {
  const closed = new Promise<void>((resolve) => {
    receiver.on('/closing', ({ request, response }) => {
      request.socket.once('close', () => resolve());
      response.end(() => request.socket.end());
    });
  });
  const first = await post('/closing');
  await closed;
  receiver.on('/closing', answer());
  expect([first, await post('/closing')]).toMatchObject([{ outcome: 'delivered' }, { outcome: 'delivered' }]);
});

describe('a kept connection that the receiver closes when the next request comes', () => {
  const repeatable = (to: string) =>
    client.request({
      method: 'GET',
      url: receiver.url(to),
      headers: {},
      deadlineMs: 10_000,
      maxBodyBytes: 100,
      repeatable: true,
    });
  const closings: [string, Behaviour][] = [
    ['FIN', behaviours.closeWithoutAnswer()],
    ['RST', behaviours.reset()],
  ];

  test.each(closings)('by %s is reported as stale, and an attempt is not sent again', async (_how, close) => {
    const to = path(sequence(answer(), close, answer()));
    await post(to);
    expect(await post(to)).toMatchObject({ outcome: 'connection_reset', staleConnection: true });
    expect(receiver.requests(to).length).toBe(2);
  });

  test.each(closings)('by %s has a request that may arrive twice sent again, once', async (_how, close) => {
    const to = path(sequence(answer(), close, answer(), answer()));
    await post(to);
    expect(await repeatable(to)).toMatchObject({ outcome: 'delivered' });
    const [kept, closed, fresh, ...more] = receiver.requests(to).map(({ connection }) => connection);
    expect([closed === kept, fresh === kept, more]).toEqual([true, false, []]);
  });

  test('and the fresh one too has failed', async () => {
    const to = path(sequence(answer(), behaviours.reset()));
    await post(to);
    expect(await repeatable(to)).toMatchObject({ outcome: 'connection_reset', staleConnection: false });
    expect(receiver.requests(to).length).toBe(3);
  });

  test('after the beginning of an answer is not stale', async () => {
    const to = path(sequence(answer(), behaviours.rawAnswer('HTTP/1.1 20')));
    await post(to);
    expect(await post(to)).toMatchObject({ outcome: 'connection_reset', staleConnection: false });
  });
});

test('a request that wants a connection of its own gets one, which is not stale when it is reset', async () => {
  const to = path(sequence(answer(), behaviours.reset()));
  await post(to);
  expect(await post(to, { ownConnection: true })).toMatchObject({
    outcome: 'connection_reset',
    staleConnection: false,
  });
  const [kept, own] = receiver.requests(to).map(({ connection }) => connection);
  expect(own).not.toBe(kept);
});

test('requests one after the other share connections', async () => {
  const to = path(sequence(answer(), answer(500, 'x'), answer(204)));
  for (let i = 0; i < 20; i++) await post(to);
  expect(new Set(receiver.requests(to).map(({ connection }) => connection)).size).toBeLessThan(20);
});

test('a connection over which a request failed is not used again', async () => {
  const to = path(sequence(answer(), behaviours.closeWithoutAnswer(), behaviours.truncatedBody(), answer()));
  for (let i = 0; i < 4; i++) await post(to);
  const [, second, third, fourth] = receiver.requests(to).map(({ connection }) => connection);
  expect(new Set([second, third, fourth]).size).toBe(3);
});
