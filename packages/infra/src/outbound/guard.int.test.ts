import { execFile } from 'node:child_process';
import https from 'node:https';
import path from 'node:path';
import { promisify } from 'node:util';
import { createTestAuthority, startHttpsReceiver, startTcpListener, type HttpsReceiver } from '@tieout/testing';
import { createOutboundClient } from './client';
import { GuardedAgent, type PinnedOptions } from './guarded-agent';
import type { OutboundClient, OutboundPolicy, OutboundResult, ResolveHost } from './types';

const authority = createTestAuthority();
let receiver: HttpsReceiver;
beforeAll(async () => {
  // On all addresses: a connection to one that must not be reached would be seen.
  receiver = await startHttpsReceiver({ authority, address: '0.0.0.0' });
});
afterAll(() => receiver.stop());

const clients: OutboundClient[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

/** A client to which only 127.0.0.1 is as good as public. */
function clientWith(resolve: ResolveHost, changes: Partial<OutboundPolicy> = {}): OutboundClient {
  const client = createOutboundClient(
    { allowedPorts: [receiver.port], allowCidrs: ['127.0.0.1/32'], extraCa: authority.ca, ...changes },
    { resolve },
  );
  clients.push(client);
  return client;
}

const send = (client: OutboundClient, url = receiver.url('/')): Promise<OutboundResult> =>
  client.post({ url, headers: { Authorization: 'secret' }, body: Buffer.from('{}'), deadlineMs: 10_000 });

/** Each answer once, the last one for ever. */
function answering(...answers: (readonly string[])[]): ResolveHost {
  let next = 0;
  return () => Promise.resolve(answers[Math.min(next++, answers.length - 1)] ?? []);
}

/** Runs work; gives its result with the connections that it made. */
async function connecting<T>(work: () => Promise<T>): Promise<{ result: T; connections: number }> {
  const before = receiver.connections();
  return { result: await work(), connections: receiver.connections() - before };
}

describe('a name that leads to an address that is not public', () => {
  test.each([
    ['alone', ['127.0.0.2']],
    ['after a public one', ['127.0.0.1', '127.0.0.2']],
    ['before a public one', ['10.0.0.1', '127.0.0.1']],
    ['in the form of IPv6', ['::ffff:127.0.0.2']],
    ['with a zone', ['fe80::1%lo']],
    ['as the address of all', ['0.0.0.0']],
    ['as no address at all', ['receiver.test']],
  ])('is not connected to: %s', async (_title, addresses) => {
    const { result, connections } = await connecting(() => send(clientWith(answering(addresses))));
    expect({ outcome: result.outcome, connections }).toEqual({ outcome: 'blocked_address', connections: 0 });
  });

  test('is not saved as a url, and the refusal does not contain the address', async () => {
    const verdict = await clientWith(answering(['10.9.8.7'])).checkResolved(receiver.url('/'));
    expect(verdict).toMatchObject({ ok: false, reason: 'not_allowed' });
    expect(JSON.stringify(verdict)).not.toContain('10.9.8.7');
  });

  test('is blocked as long as it leads there, even if it was public when it was saved', async () => {
    const client = clientWith(answering(['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1'], ['127.0.0.2']));
    const { result, connections } = await connecting(async () => {
      const saved = await client.checkResolved(receiver.url('/'));
      const attempts = [await send(client), await send(client), await send(client)];
      return [saved.ok, ...attempts.map(({ outcome }) => outcome)];
    });
    expect(result).toEqual([true, 'blocked_address', 'delivered', 'blocked_address']);
    expect(connections).toBe(1);
  });
});

describe('a name that cannot be resolved', () => {
  const nowhere: ResolveHost = () => Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));

  test.each([
    ['because it does not exist', nowhere, 'The host name could not be resolved (ENOTFOUND)'],
    ['because it has no address', answering([]), 'The host name has no address'],
  ])('fails the attempt: %s', async (_title, resolve, error) => {
    expect(await send(clientWith(resolve))).toMatchObject({ outcome: 'dns_error', httpStatus: null, error });
  });

  test('may be saved', async () => {
    expect(await clientWith(nowhere).checkResolved(receiver.url('/'))).toEqual({ ok: true, url: receiver.url('/') });
  });

  test('takes no longer than the deadline', async () => {
    const client = clientWith(() => new Promise(() => undefined));
    const result = await client.post({ url: receiver.url('/'), headers: {}, body: Buffer.from('{}'), deadlineMs: 200 });
    expect(result).toMatchObject({ outcome: 'timeout', error: 'The host name was not resolved within 0.2 s' });
  });
});

describe('of many addresses', () => {
  /** Nothing listens there. */
  const closed = Array.from({ length: 64 }, (_, i) => `127.1.0.${i + 1}`);
  let only: HttpsReceiver;
  beforeAll(async () => {
    only = await startHttpsReceiver({ authority });
  });
  afterAll(() => only.stop());
  const attempt = (addresses: readonly string[]): Promise<OutboundResult> =>
    send(clientWith(answering(addresses), { allowedPorts: [only.port], allowCidrs: ['127.0.0.0/8'] }), only.url('/'));

  test('eight are tried', async () => {
    expect(await attempt([...closed.slice(0, 7), '127.0.0.1', ...closed.slice(7)])).toMatchObject({
      outcome: 'delivered',
      remoteAddress: '127.0.0.1',
    });
  });

  test('the ninth is not', async () => {
    expect(await attempt([...closed.slice(0, 8), '127.0.0.1'])).toMatchObject({ outcome: 'connection_refused' });
    expect(only.connections()).toBe(1);
  });
});

test('a url that breaks the rules is not connected to, however it was saved', async () => {
  const client = clientWith(answering(['127.0.0.1']));
  const urls = [
    `https://127.0.0.2:${receiver.port}/`,
    `https://[::ffff:7f00:2]:${receiver.port}/`,
    `https://localhost:${receiver.port}/`,
    'https://receiver.test:1/',
    `http://receiver.test:${receiver.port}/`,
  ];
  const { result, connections } = await connecting(() => Promise.all(urls.map((url) => send(client, url))));
  expect({ outcomes: result.map(({ outcome }) => outcome), connections }).toEqual({
    outcomes: urls.map(() => 'blocked_address'),
    connections: 0,
  });
});

test('an address that the operator lists is reached by its number', async () => {
  expect(await send(clientWith(answering([])), `https://127.0.0.1:${receiver.port}/`)).toMatchObject({
    outcome: 'delivered',
    remoteAddress: '127.0.0.1',
  });
});

test('a request over a kept connection goes to an address that its name has now', async () => {
  const client = clientWith(answering(['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1']), { allowCidrs: ['127.0.0.0/8'] });
  const attempts = [await send(client), await send(client), await send(client)];
  expect(attempts.map(({ remoteAddress }) => remoteAddress)).toEqual(['127.0.0.1', '127.0.0.2', '127.0.0.1']);
});

describe('the agent, for any caller', () => {
  const request = (agent: GuardedAgent, options: PinnedOptions): Promise<string> =>
    new Promise((resolve) => {
      const outcome = (error: unknown): void => resolve(String((error as { outcome?: unknown }).outcome));
      try {
        https.get({ port: receiver.port, agent, ...options }, () => resolve('answered')).on('error', outcome);
      } catch (error) {
        outcome(error);
      }
    });

  test.each<[string, PinnedOptions]>([
    ['an address', { host: '127.0.0.1' }],
    ['a name without checked addresses', { host: 'receiver.test' }],
    [
      'a name with a lookup of its own',
      { host: 'receiver.test', lookup: (_host, _options, callback) => callback(null, '127.0.0.1', 4) },
    ],
    ['a name with an address that is not allowed', { host: 'receiver.test', addresses: ['127.0.0.1'] }],
  ])('connects to nothing by %s', async (_title, options) => {
    const agent = new GuardedAgent({ isAllowed: () => false, extraCa: authority.ca });
    const { result, connections } = await connecting(() => request(agent, options));
    expect({ result, connections }).toEqual({ result: 'blocked_address', connections: 0 });
  });

  test('sends nothing over a connection whose remote address is another one', async () => {
    const listener = await startTcpListener(() => undefined);
    let asked = 0;
    const agent = new GuardedAgent({ isAllowed: () => ++asked === 1 });
    const result = await request(agent, { host: 'receiver.test', port: listener.port, addresses: ['127.0.0.1'] });
    await listener.stop();
    expect({ result, bytes: listener.bytes().length }).toEqual({ result: 'blocked_address', bytes: 0 });
  });
});

describe('in an environment with weaker settings', () => {
  /** Runs in a separate process, because the runtime reads these variables at its start. */
  const program = `
    const { createOutboundClient } = require(process.argv[1]);
    const { policy, urls } = JSON.parse(process.argv[2]);
    const client = createOutboundClient(policy, { resolve: async () => ['127.0.0.1'] });
    const post = (url) => client.post({ url, headers: {}, body: Buffer.from('{}'), deadlineMs: 10000 });
    const print = (results) => console.log(JSON.stringify(results.map(({ outcome }) => outcome)));
    Promise.all(urls.map(post)).then(print).then(() => client.close());
  `;

  test('certificates are verified, TLS 1.1 is refused, no proxy is used', async () => {
    const certificate = { names: ['receiver.test'], selfSigned: true };
    const [selfSigned, oldTls, proxy] = await Promise.all([
      startHttpsReceiver({ authority, certificate }),
      startHttpsReceiver({ authority, maxVersion: 'TLSv1.1' }),
      startTcpListener((socket) => void socket.end()),
    ]);
    const receivers = [selfSigned, oldTls, receiver];
    const policy = {
      allowedPorts: receivers.map(({ port }) => port),
      allowCidrs: ['127.0.0.1/32'],
      extraCa: authority.ca,
    };
    const proxyUrl = `http://127.0.0.1:${proxy.port}`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '-e',
        program,
        path.join(__dirname, '..', '..', 'dist', 'outbound'),
        JSON.stringify({ policy, urls: receivers.map(({ url }) => url('/')) }),
      ],
      {
        env: {
          NODE_TLS_REJECT_UNAUTHORIZED: '0',
          NODE_OPTIONS: '--tls-min-v1.0 --tls-cipher-list=DEFAULT@SECLEVEL=0',
          ...Object.fromEntries(
            ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [
              [name, proxyUrl],
              [name.toUpperCase(), proxyUrl],
            ]),
          ),
          NODE_USE_ENV_PROXY: '1',
        },
      },
    );
    await Promise.all([selfSigned.stop(), oldTls.stop(), proxy.stop()]);
    expect(JSON.parse(stdout)).toEqual(['tls_error', 'tls_error', 'delivered']);
    expect(proxy.connections()).toBe(0);
  });
});
