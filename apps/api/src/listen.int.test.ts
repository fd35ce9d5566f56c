import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createHttpServer } from '@tieout/infra';
import { collectGarbage } from '@tieout/testing';
import { listen, type ListenOptions } from './listen';

const host = '127.0.0.1';

async function start(options: Partial<ListenOptions> = {}) {
  const waiting: ServerResponse[] = [];
  const server = createServer((_request, response) => waiting.push(response));
  const listening = await listen(server, { host, port: 0, ...options });
  return { ...listening, server, waiting };
}

function ask(port: number, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => request({ host, port, agent }, resolve).on('error', reject).end());
}

async function arrived(waiting: readonly unknown[]): Promise<void> {
  while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
}

test('closing lets running requests finish and then ends their kept-alive connections', async () => {
  const { port, close, waiting } = await start();
  const agent = new Agent({ keepAlive: true });
  const answer = ask(port, agent);
  await arrived(waiting);
  let isClosed = false;
  const closing = close().then(() => (isClosed = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(false);
  waiting[0]?.end('done');
  const response = await answer;
  expect(response.statusCode).toBe(200);
  response.resume();
  await closing;
  agent.destroy();
});

test('closing takes no more connections and does not wait for idle ones', async () => {
  const { port, close, waiting } = await start();
  const agent = new Agent({ keepAlive: true });
  const answer = ask(port, agent);
  await arrived(waiting);
  waiting[0]?.end('done');
  const response = await answer;
  response.resume();
  await once(response, 'end');
  await close();
  await expect(ask(port, new Agent())).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
  agent.destroy();
});

test('between stop signal and close, new connections are served, and each answer ends its connection', async () => {
  const stopping = new AbortController();
  const { port, close, waiting } = await start({ stopping: stopping.signal });
  const agent = new Agent({ keepAlive: true });
  const before = ask(port, agent);
  await arrived(waiting);
  stopping.abort();
  waiting.pop()?.end('done');
  const after = ask(port, agent);
  await arrived(waiting);
  waiting.pop()?.end('done');
  const answers = await Promise.all([before, after]);
  answers.forEach((answer) => answer.resume());
  expect(answers.map(({ statusCode, headers }) => [statusCode, headers.connection])).toEqual([
    [200, 'close'],
    [200, 'close'],
  ]);
  await close();
});

test('closing does not wait for a connection that has sent nothing', async () => {
  const requestsMs = 60_000;
  const { port, close } = await start({ requestsMs });
  const socket = connect(port, host);
  await once(socket, 'connect');
  const gone = once(socket, 'close');
  const startedMs = performance.now();
  await close();
  await gone;
  expect(performance.now() - startedMs).toBeLessThan(requestsMs / 2);
});

test('a request that outlasts the shutdown is refused with 503, so that the client sends it again', async () => {
  const { port, close, waiting } = await start({ requestsMs: 50 });
  const answer = ask(port, new Agent());
  await arrived(waiting);
  waiting[0]?.setHeader('Content-Type', 'text/csv');
  const closing = close();
  const response = await answer;
  let body = '';
  for await (const part of response) body += String(part);
  expect([response.statusCode, response.headers['content-type']]).toEqual([503, 'application/json; charset=utf-8']);
  expect(JSON.parse(body)).toMatchObject({ status: 'error', code: 'service_unavailable' });
  await closing;
});

test('an answer that has begun and does not end is cut off, so that no client takes a part for the whole', async () => {
  const { port, close, waiting } = await start({ requestsMs: 50 });
  const answer = ask(port, new Agent());
  await arrived(waiting);
  waiting[0]?.write('a part');
  const response = await answer;
  const closing = close();
  await expect(
    (async () => {
      for await (const _part of response);
    })(),
  ).rejects.toThrow(/aborted/);
  await closing;
});

test('a port that is taken is an error', async () => {
  const { port, close } = await start();
  await expect(listen(createServer(), { host, port })).rejects.toThrow(/EADDRINUSE/);
  await close();
});

test.each([
  ['nonsense\r\n\r\n', 400],
  [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('what is not a request is answered in the shape of an error', async (text, status) => {
  const { port, close } = await start();
  const socket = connect(port, host);
  let answer = '';
  socket.on('data', (data: Buffer) => (answer += data.toString()));
  socket.write(text);
  await once(socket, 'close');
  const [head, body] = answer.split('\r\n\r\n') as [string, string];
  expect(head).toContain(`HTTP/1.1 ${status} `);
  const error = JSON.parse(body) as { request_id: string };
  expect(error).toMatchObject({ status: 'error', code: 'validation_error' });
  expect(head).toContain(`X-Request-Id: ${error.request_id}`);
  await close();
});

test('a connection that ends keeps none of its requests in memory, waiting ones included', async () => {
  const { port, close, server, waiting } = await start();
  const seen: WeakRef<ServerResponse>[] = [];
  server.on('request', (_request, response) => seen.push(new WeakRef(response)));
  const socket = connect(port, host);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5));
  while (seen.length < 5) await new Promise((resolve) => setImmediate(resolve));
  waiting.length = 0;
  socket.destroy();
  await close();
  expect(await leftOf(seen)).toBe(0);
});

test('a kept-alive connection keeps no answered request in memory', async () => {
  const { port, close, server, waiting } = await start();
  const seen: WeakRef<ServerResponse>[] = [];
  server.on('request', (_request, response) => seen.push(new WeakRef(response)));
  const socket = connect(port, host);
  for (let round = 1; round <= 2; round++) {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived(waiting);
    waiting.pop()?.end('done');
    await once(socket, 'data');
  }
  expect(await leftOf(seen)).toBe(0);
  expect(socket.readyState).toBe('open');
  await close();
});

test('a closed server can be collected', async () => {
  const closed = async (): Promise<WeakRef<object>> => {
    const { server, close } = await start();
    await close();
    return new WeakRef(server);
  };
  expect(await leftOf([await closed()])).toBe(0);
});

/** Counts the objects that garbage collection does not free. */
async function leftOf(seen: readonly WeakRef<object>[]): Promise<number> {
  const count = async (): Promise<number> => {
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    return seen.filter((ref) => ref.deref() !== undefined).length;
  };
  for (let collections = 0; collections < 20 && (await count()) > 0; collections++);
  return count();
}

describe('pipelined requests', () => {
  const requests = (...names: string[]): string =>
    names.map((name) => `POST /${name} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`).join('');

  /** Serves as the service does, one request of a connection at a time; answers with their names after `release`. */
  async function startSerial(options: Partial<ListenOptions> = {}) {
    const begun: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const server = createHttpServer(({ url = '' }, response) => {
      begun.push(url.slice(1));
      void held.then(() => response.end(url.slice(1)));
    });
    const stopping = new AbortController();
    const listening = await listen(server, { host, port: 0, stopping: stopping.signal, ...options });
    return { ...listening, server, begun, release, stop: () => stopping.abort() };
  }

  async function received(server: Server, count: number): Promise<void> {
    for (let left = count; left > 0; left--) await once(server, 'request');
  }

  function open(port: number, text: string) {
    const socket = connect(port, host);
    let got = '';
    const ended = new Promise<void>((resolve) =>
      socket.once('close', () => resolve()).once('error', () => (got += ' and a reset')),
    );
    socket.on('data', (data: Buffer) => (got += data.toString('latin1'))).write(text);
    /** The bodies of the answers, with `!` after one that ends its connection. */
    const answers = (): string[] =>
      got
        .split('HTTP/1.1 200 OK')
        .slice(1)
        .map((each) => each.replace(/^[^]*?\r\n\r\n/, '') + (/^connection: close/im.test(each) ? '!' : ''));
    return { socket, ended, answers };
  }

  test('all that arrived before the stop signal is answered, and the last answer ends the connection', async () => {
    const { port, close, server, begun, release, stop } = await startSerial();
    const client = open(port, requests('a', 'b', 'c'));
    await received(server, 3);
    stop();
    release();
    await client.ended;
    expect([client.answers(), begun]).toEqual([
      ['a', 'b', 'c!'],
      ['a', 'b', 'c'],
    ]);
    await close();
  });

  test('a request that arrives before the last answer is answered, a later one is not begun', async () => {
    const { port, close, server, begun, release, stop } = await startSerial();
    const client = open(port, requests('a'));
    await received(server, 1);
    stop();
    client.socket.write(requests('b'));
    await received(server, 1);
    client.socket.once('data', () => client.socket.write(requests('c', 'd')));
    release();
    await client.ended;
    expect([client.answers(), begun]).toEqual([
      ['a', 'b!'],
      ['a', 'b'],
    ]);
    await close();
  });

  test('a closing server answers what has arrived and begins no more, even if the client never stops', async () => {
    const { port, close, server, begun, release } = await startSerial({ requestsMs: 5_000 });
    const client = open(port, requests('a', 'b'));
    await received(server, 2);
    const closing = close();
    const more = (): void =>
      void (!client.socket.destroyed && client.socket.write(requests('more'), () => setImmediate(more)));
    client.socket.once('data', more);
    release();
    await closing;
    await client.ended;
    expect([client.answers(), begun]).toEqual([
      ['a', 'b!'],
      ['a', 'b'],
    ]);
  });

  test.each([
    ['text that is not a request', 'nonsense\r\n\r\n'],
    [
      'a request whose body breaks',
      'POST /broken HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nZZZ\r\n',
    ],
  ])('%s is answered after the requests before it', async (_name, text) => {
    const { port, close, server, begun, release } = await startSerial();
    const client = open(port, requests('a', 'b') + text);
    await once(server, 'clientError');
    release();
    await client.ended;
    expect([client.answers(), begun.slice(0, 2)]).toEqual([
      ['a', expect.stringMatching(/^bHTTP.1.1 400 /)],
      ['a', 'b'],
    ]);
    await close();
  });

  test('nothing is read after something that is not a request', async () => {
    const { port, close, server, release } = await startSerial();
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = open(port, `${requests('a')}nonsense\r\n\r\n`);
    const [socket] = await accepted;
    await once(server, 'clientError');
    client.socket.write(Buffer.alloc(32 << 20, 1));
    for (let ticks = 0; ticks < 1_000 && socket.bytesRead < 8 << 20; ticks++)
      await new Promise((resolve) => setImmediate(resolve));
    release();
    await client.ended;
    expect(socket.bytesRead).toBeLessThan(4 << 20);
    await close();
  });

  test('a request behind a begun answer is refused at the deadline, and not begun when that answer ends', async () => {
    const { port, close, server, begun, release } = await startSerial({ requestsMs: 50 });
    const waiting: ServerResponse[] = [];
    server.on('request', (_request, response) => waiting.push(response));
    const client = open(port, requests('a', 'b'));
    await received(server, 2);
    waiting[0]?.flushHeaders();
    const closing = close();
    while (!waiting[1]?.writableEnded) await new Promise((resolve) => setImmediate(resolve));
    release();
    await closing;
    await client.ended;
    expect(begun).toEqual(['a']);
  });
});

test('closing waits for a client that is slow to read its answer', async () => {
  const { port, close, waiting } = await start();
  const answer = ask(port, new Agent({ keepAlive: true }));
  await arrived(waiting);
  waiting[0]?.end(Buffer.alloc(16 << 20));
  const response = await answer;
  const closing = close();
  let bytes = 0;
  for await (const part of response) bytes += (part as Buffer).length;
  expect(bytes).toBe(16 << 20);
  await closing;
});
