import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { reaches, startTestApi, type TestApi, type TestTenant } from '../../testing';

let api: TestApi;
let tenant: TestTenant;
let source: string;

beforeAll(async () => {
  api = await startTestApi({ httpLimits: { headersTimeoutMs: 2_000, stallTimeoutMs: 2_000 } });
  tenant = await api.newTenant();
  source = (
    (await tenant.api.post('/v1/data-sources', { name: 'bank', kind: 'file' }).expect(201)).body as { id: string }
  ).id;
});
afterAll(() => api.close());

interface Client {
  socket: Socket;
  /** Text received until the connection ended. */
  answer: Promise<string>;
}

function open(text: string): Client {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (data: Buffer) => (received += data.toString())).on('error', () => undefined);
  socket.write(text);
  return { socket, answer: new Promise((resolve) => socket.once('close', () => resolve(received))) };
}

const timedOut = /^HTTP\/1\.1 408 .*"code":"validation_error","message":"The request did not arrive in time"/s;

test('500 clients that do not end their headers delay no other client, and are cut', async () => {
  const slow = Array.from({ length: 500 }, () => open('POST /v1/records HTTP/1.1\r\nHost: x\r\nX-'));
  await Promise.all(slow.map(({ socket }) => once(socket, 'connect')));
  await tenant.api.post('/v1/records', { body: {} }).expect(202);
  const answers = await Promise.all(slow.map(({ answer }) => answer));
  expect(answers.filter((answer) => !timedOut.test(answer))).toEqual([]);
});

test('a body that stalls is answered in the shape of an error, and leaves nothing behind', async () => {
  expect(await open(`${headOf('/v1/records', 'application/json', 99)}{"body":`).answer).toMatch(timedOut);
});

const headOf = (path: string, type: string, bytes: number, key = tenant.key): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n`;
const bulkHead = (bytes: number, key = tenant.key): string =>
  headOf('/v1/records/bulk', 'application/x-ndjson', bytes, key);
const megabytes = (count: number): string =>
  `${JSON.stringify({ body: { text: 'x'.repeat(1_000_000) } })}\n`.repeat(count);

test.each([
  ['a record', () => headOf('/v1/records', 'application/json', 99)],
  ['a large record', () => headOf('/v1/records', 'application/json', 900_000)],
  ['a bulk', () => bulkHead(33_554_432)],
  ['a file', () => headOf(`/v1/data-sources/${source}/files`, 'multipart/form-data; boundary=x', 33_554_432)],
])(
  'clients that leave at any moment of sending %s hold nothing afterwards, and the next one is served',
  async (_what, head) => {
    for (let i = 0; i < 60; i++) {
      const { socket } = open(`${head()}{"body"`);
      await once(socket, 'connect');
      for (let turns = 0; turns < i % 12; turns++) await new Promise((resolve) => setImmediate(resolve));
      socket.resetAndDestroy();
    }
    await reaches(() => api.app.inFlight(), 0);
    await tenant.api
      .post('/v1/records/bulk')
      .set('content-type', 'application/x-ndjson')
      .send(megabytes(3))
      .expect(202);
  },
);

test('bodies that arrive slowly are refused when others wait for their memory, and delay them no longer', async () => {
  const others = [await api.newTenant(), await api.newTenant()];
  const slow = others.map(({ key }) => open(bulkHead(33_554_432, key)));
  const trickle = setInterval(() => slow.forEach(({ socket }) => socket.write('\n'.repeat(40_000))), 400);
  let refused: string | undefined;
  void Promise.race(slow.map(({ answer }) => answer)).then((answer) => (refused = answer));
  // The first request may pass before the slow ones begin.
  while (refused === undefined) {
    await tenant.api
      .post('/v1/records/bulk')
      .set('content-type', 'application/x-ndjson')
      .send(megabytes(3))
      .expect(202);
  }
  clearInterval(trickle);
  expect(refused).toMatch(/^HTTP\/1\.1 503 .*"code":"service_unavailable"/s);
  await Promise.all(slow.map(({ answer }) => answer));
});

test.each([
  ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'],
  ['two lengths', 'Content-Length: 4\r\nContent-Length: 5\r\n'],
  ['a length that is not a number', 'Content-Length: +4\r\n'],
  ['chunks that are not the last coding', 'Transfer-Encoding: chunked, gzip\r\n'],
])('a body with an ambiguous end, %s, is refused and its connection ended', async (_, headers) => {
  const answer = await open(
    `POST /v1/records HTTP/1.1\r\nHost: x\r\n${headers}\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`,
  ).answer;
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*"status":"error"/s);
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test('a body with a compressing transfer coding is refused like any compressed body', async () => {
  const head =
    `POST /v1/records HTTP/1.1\r\nHost: x\r\nx-api-key: ${tenant.key}\r\n` +
    'Content-Type: application/json\r\nConnection: close\r\n';
  expect(await open(`${head}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`).answer).toMatch(
    /^HTTP\/1\.1 415 /,
  );
});

test('an address of 20,000 characters is refused in the shape of an error', async () => {
  const answer = await open(`GET /v1/records?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`).answer;
  expect(answer).toMatch(/^HTTP\/1\.1 431 .*"status":"error"/s);
});

test.each([
  ['without a host', '1.1', '', 'required'],
  ['with two hosts', '1.1', 'Host: a\r\nhost: b\r\n', 'duplicate_header'],
  ['with two hosts far apart', '1.1', `Host: a\r\n${'x:1\r\n'.repeat(1_500)}Host: b\r\n`, 'duplicate_header'],
  ['with two hosts, of an old version of HTTP', '1.0', 'Host: a\r\nHost: a\r\n', 'duplicate_header'],
])('a request %s is refused', async (_, version, hosts, code) => {
  const answer = await open(`GET /healthz HTTP/${version}\r\n${hosts}Connection: close\r\n\r\n`).answer;
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain(`"path":"/headers/host","code":"${code}"`);
});

test('a request with thousands of faults is answered with the first hundred', async () => {
  const { body } = await tenant.api.get(`/v1/records?${'a=&'.repeat(3_000)}`).expect(400);
  expect((body as { errors: unknown[] }).errors).toHaveLength(100);
});

test('answers forbid caching and are useless to other sites', async () => {
  const answers = [
    await tenant.api.get('/v1/records').expect(200),
    await tenant.api.get('/v1/nowhere').expect(404),
    await api.request.get('/v1/records').expect(401),
  ];
  for (const { headers } of answers) {
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
});
