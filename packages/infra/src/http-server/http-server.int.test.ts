import { once } from 'node:events';
import {
  Agent,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createHttpServer, minBodyBytes, type HttpServerLimits } from './http-server';

const host = '127.0.0.1';
let server: Server;

async function start(handler: RequestListener, limits: Partial<HttpServerLimits> = {}): Promise<void> {
  server = createHttpServer(handler, { headersTimeoutMs: 400, stallTimeoutMs: 400, ...limits });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
}

afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

/** A connection that has sent this. A reset does not fail the test. */
function open(text: string): Socket {
  const socket = connect((server.address() as AddressInfo).port, host);
  socket.on('error', () => undefined).resume();
  socket.write(text);
  return socket;
}

const ended = (socket: Socket) => new Promise<unknown>((resolve) => socket.once('close', resolve));

/** Resolves when the server cuts a stalled sender, which takes its stall timeout. */
const stallTimeoutIsOver = () => ended(open('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf'));

const post = 'POST / HTTP/1.1\r\nHost: x\r\n';
const readAll: RequestListener = (request, response) => {
  request.resume().on('end', () => response.end('read'));
};

test.each([
  ['says nothing', ''],
  ['does not end its headers', 'GET / HTTP/1.1\r\nHost: x\r\n'],
  ['stops in its body', `${post}Content-Length: 9\r\n\r\nhalf`],
  ['stops in a body of unknown length', `${post}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`],
])('a client that %s is cut', async (_, text) => {
  await start(readAll);
  await ended(open(text));
});

test.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Long: '],
  ['a body', `${post}Content-Length: 100000\r\n\r\n`],
])('a client that trickles %s is cut', async (_, text) => {
  await start(readAll);
  const socket = open(text);
  const drip = setInterval(() => socket.write('x'), 20);
  await ended(socket);
  clearInterval(drip);
});

test('a client with an unknown expectation is cut like any other when it stops in its body', async () => {
  await start(readAll);
  await ended(open(`${post}Expect: the-unexpected\r\nContent-Length: 9\r\n\r\nhalf`));
});

test('a slow body that goes on may take longer than the stall timeout', async () => {
  await start(readAll);
  const parts = 12;
  const socket = open(`${post}Content-Length: ${parts * minBodyBytes * 2}\r\n\r\n`);
  let answer = '';
  socket.on('data', (data: Buffer) => (answer += data.toString()));
  let over = false;
  const waited = stallTimeoutIsOver().then(() => (over = true));
  for (let sent = 0; sent < parts; sent++) {
    if (sent === parts - 1) await waited;
    socket.write('x'.repeat(minBodyBytes * 2));
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  while (!answer.includes('read')) await once(socket, 'data');
  expect(over).toBe(true);
  socket.destroy();
});

/** Blocks this process for longer than the stall timeout, as if it was stopped. */
function stop(): void {
  const untilMs = performance.now() + 1_000;
  while (performance.now() < untilMs);
}

test('time in which this process was stopped does not count for a body', async () => {
  await start(readAll);
  const socket = open(`${post}Content-Length: 8\r\n\r\nhalf`);
  await once(server, 'request');
  stop();
  socket.write('half');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200/);
  socket.destroy();
});

test('time in which this process was stopped does not count for the reader of an answer', async () => {
  await start((_request, response) => void response.end('x'.repeat(64 << 20)));
  const socket = open('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  let taken = 0;
  socket.on('data', (data: Buffer) => (taken += data.length));
  await once(socket, 'data');
  stop();
  await ended(socket);
  expect(taken).toBeGreaterThan(64 << 20);
});

test('a client that does not take its answer is cut', async () => {
  const closed = new Promise<void>((resolve) => {
    void start((_request, response) => {
      response.on('close', resolve);
      response.write('x'.repeat(32 << 20));
    }).then(() => open('GET / HTTP/1.1\r\nHost: x\r\n\r\n').pause());
  });
  await closed;
});

const large: RequestListener = (request, response) =>
  request.url === '/large' ? void response.end('x'.repeat(64 << 20)) : readAll(request, response);
const getLarge = 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n';

test('a client that stops taking its answer is cut after one stall timeout, not two', async () => {
  const headersTimeoutMs = 200;
  await start(large, { headersTimeoutMs });
  const cut = new Promise<string>((resolve) =>
    server.once('connection', (socket) => socket.once('close', () => resolve('cut'))),
  );
  const socket = open(getLarge);
  await once(socket, 'data');
  socket.pause();
  const oneAndAHalf = stallTimeoutIsOver()
    .then(() => ended(open('')))
    .then(() => 'waits');
  expect(await Promise.race([cut, oneAndAHalf])).toBe('cut');
  await oneAndAHalf;
});

test('a client that keeps taking small parts of a large answer is not cut', async () => {
  await start(large);
  const socket = open(getLarge);
  let taken = 0;
  socket.on('data', (data: Buffer) => {
    taken += data.length;
    if (taken % (1 << 20) < data.length) socket.pause();
  });
  const taking = setInterval(() => socket.resume(), 100);
  await stallTimeoutIsOver();
  await stallTimeoutIsOver();
  clearInterval(taking);
  expect(taken).toBeLessThan(64 << 20);
  expect(socket.closed).toBe(false);
  socket.destroy();
});

test('a request that the service works on is not cut, however long that takes', async () => {
  let arrive: (response: ServerResponse) => void = () => undefined;
  const arrived = new Promise<ServerResponse>((resolve) => (arrive = resolve));
  await start((request, response) => (request.method === 'GET' ? arrive(response) : readAll(request, response)));
  const socket = open('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const response = await arrived;
  await stallTimeoutIsOver();
  await stallTimeoutIsOver();
  response.end('done');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toContain('200 OK');
  socket.destroy();
});

test('a kept connection outlives the timeout of headers', async () => {
  let connections = 0;
  await start(
    (request, response) => (request.method === 'GET' ? void response.end('ok') : readAll(request, response)),
    { stallTimeoutMs: 800 },
  );
  server.on('connection', () => connections++);
  const agent = new Agent({ keepAlive: true });
  const ask = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) =>
      httpRequest({ host, port: (server.address() as AddressInfo).port, agent }, resolve)
        .on('error', reject)
        .end(),
    );
  await once((await ask()).resume(), 'end');
  await ended(open('GET / HTTP/1.1\r\n'));
  await once((await ask()).resume(), 'end');
  expect(connections).toBe(2);
  agent.destroy();
});

test('a body that goes on after its answer is cut', async () => {
  await start((_request, response) => void response.writeHead(401).end());
  const socket = open(`${post}Content-Length: 1000000000\r\n\r\n`);
  const flood = setInterval(() => socket.write('x'.repeat(minBodyBytes * 4)), 20);
  await ended(socket);
  clearInterval(flood);
});

test('connections beyond the maximum are closed at once', async () => {
  await start(readAll, { maxConnections: 2, headersTimeoutMs: 60_000, stallTimeoutMs: 60_000 });
  const kept = [open(''), open('')];
  await Promise.all(kept.map((socket) => once(socket, 'connect')));
  await ended(open(''));
  expect(kept.map(({ closed }) => closed)).toEqual([false, false]);
  kept.forEach((socket) => socket.destroy());
});

const longTimeouts = { headersTimeoutMs: 60_000, stallTimeoutMs: 60_000 };
const answerAll: RequestListener = (_request, response) => void response.end('ok');
const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** A connection that has been answered and is kept. */
async function idle(): Promise<Socket> {
  const socket = open(get);
  await once(socket, 'data');
  return socket;
}

test.each<[string, Partial<HttpServerLimits>]>([
  ['of all connections', { maxConnections: 4 }],
  ['of an address', { maxConnectionsPerAddress: 3 }],
])('near the maximum %s the longest idle connection is closed', async (_, limits) => {
  await start(answerAll, { ...longTimeouts, ...limits });
  const kept = [await idle(), await idle(), await idle()];
  const used = kept[0] as Socket;
  used.write(get);
  await once(used, 'data');
  const closed = ended(kept[1] as Socket);
  const last = await idle();
  await closed;
  expect([...kept, last].map((socket) => socket.closed)).toEqual([false, true, false, false]);
  [...kept, last].forEach((socket) => socket.destroy());
});

test('an address whose connections are all in use gets no further one', async () => {
  await start(() => undefined, { ...longTimeouts, maxConnectionsPerAddress: 2 });
  const used = [open(get), open(get)];
  await Promise.all(used.map((socket) => once(socket, 'connect')));
  await ended(open(get));
  expect(used.map(({ closed }) => closed)).toEqual([false, false]);
  used.forEach((socket) => socket.destroy());
});

test('an address that many clients share has no limit of its own', async () => {
  await start(answerAll, {
    ...longTimeouts,
    maxConnectionsPerAddress: 1,
    isSharedAddress: (address) => address === host,
  });
  const kept = [await idle(), await idle(), await idle()];
  expect(kept.map(({ closed }) => closed)).toEqual([false, false, false]);
  kept.forEach((socket) => socket.destroy());
});

test('pipelined requests are answered one by one, in order', async () => {
  let running = 0;
  const concurrent: number[] = [];
  await start((request, response) => {
    concurrent.push(++running);
    response.prependOnceListener('close', () => running--);
    setImmediate(() => response.end(request.url));
  });
  const socket = open(
    '/a /b /c'
      .split(' ')
      .map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${path === '/c' ? 'Connection: close\r\n' : ''}\r\n`)
      .join(''),
  );
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString()));
  await ended(socket);
  expect({ concurrent, answers: text.match(/\/[abc]/g) }).toEqual({
    concurrent: [1, 1, 1],
    answers: ['/a', '/b', '/c'],
  });
});

test('a client that pipelines and reads no answer is cut off after one request', async () => {
  let made = 0;
  await start((_request, response) => void response.end('x'.repeat(++made && 64 << 20)));
  const socket = open('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000)).pause();
  await ended(socket.resume());
  expect(made).toBe(1);
});

test('a client that pipelines long requests is cut off when the waiting ones are too large', async () => {
  const held: ServerResponse[] = [];
  await start((_request, response) => void held.push(response));
  const long = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(12_000)}\r\n\r\n`;
  const within = open(long.repeat(3));
  await ended(open(long.repeat(4)));
  expect(within.destroyed).toBe(false);
});

test('the waiting requests of an ended connection no longer count', async () => {
  const held: ServerResponse[] = [];
  await start((_request, response) => void held.push(response));
  const many = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(33);
  const fill = async (): Promise<Socket[]> => {
    const before = held.length;
    const sockets = Array.from({ length: 64 }, () => open(many));
    while (held.length < before + 64) await once(server, 'request');
    return sockets;
  };
  const sockets = await fill();
  await ended(open(many));
  sockets.forEach((socket) => socket.destroy());
  await Promise.all(held.filter(({ closed }) => !closed).map((response) => once(response, 'close')));
  const again = await fill();
  expect(again.every((socket) => !socket.destroyed)).toBe(true);
});
