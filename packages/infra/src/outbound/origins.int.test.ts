import {
  behaviours,
  createTestAuthority,
  startHttpsReceiver,
  startTcpListener,
  type TcpListener,
} from '@tieout/testing';
import { createOutboundClient } from './client';
import type { OutboundClient, OutboundPolicy, OutboundReply } from './types';

const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}';

let listener: TcpListener;
let other: TcpListener;
beforeAll(async () => {
  const serve = () => startTcpListener((socket) => void socket.once('data', () => socket.end(answer)));
  [listener, other] = [await serve(), await serve()];
});
afterAll(() => Promise.all([listener.stop(), other.stop()]));

const clients: OutboundClient[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

/** Every name has this address. */
function clientOf(
  origins: readonly string[],
  address = '127.0.0.1',
  policy: Partial<OutboundPolicy> = {},
): OutboundClient {
  const client = createOutboundClient(
    { allowedPorts: [], allowCidrs: [], origins, ...policy },
    { resolve: () => Promise.resolve([address]) },
  );
  clients.push(client);
  return client;
}

const get = (client: OutboundClient, url: string): Promise<OutboundReply> =>
  client.request({
    method: 'GET',
    url,
    headers: { Authorization: 'Bearer secret' },
    deadlineMs: 10_000,
    maxBodyBytes: 100,
  });

test.each(['127.0.0.1', 'provider.internal', 'localhost'])(
  'an http origin that the operator has named is reached: %s',
  async (host) => {
    const origin = `http://${host}:${listener.port}`;
    expect(await get(clientOf([origin]), `${origin}/items?page=1`)).toMatchObject({
      outcome: 'delivered',
      httpStatus: 200,
    });
  },
);

test('another origin is refused, however it is written', async () => {
  const named = `http://127.0.0.1:${listener.port}`;
  const client = clientOf([named]);
  const before = other.connections() + listener.connections();
  const urls = [
    `http://127.0.0.1:${other.port}/`,
    `http://localhost:${listener.port}/`,
    `https://127.0.0.1:${listener.port}/`,
    `http://user@127.0.0.1:${listener.port}/`,
    `${named}/#x`,
    'file:///etc/passwd',
    'no url',
  ];
  const outcomes = await Promise.all(urls.map(async (url) => (await get(client, url)).outcome));
  expect({ outcomes, connections: other.connections() + listener.connections() }).toEqual({
    outcomes: urls.map(() => 'blocked_address'),
    connections: before,
  });
});

test.each(['93.184.216.34', '169.254.169.254', '0.0.0.0', '2606:4700::1111', '::ffff:8.8.8.8'])(
  'over http a name leads only to this machine and private networks, not to %s',
  async (address) => {
    const origin = `http://provider.test:${listener.port}`;
    const before = listener.connections();
    expect((await get(clientOf([origin], address), origin)).outcome).toBe('blocked_address');
    expect(listener.connections()).toBe(before);
  },
);

test('https keeps its rule: an address that is not public must be listed, though the origin is named', async () => {
  const origin = `https://provider.test:${listener.port}`;
  const before = listener.connections();
  expect((await get(clientOf([origin]), origin)).outcome).toBe('blocked_address');
  expect(listener.connections()).toBe(before);
  expect((await get(clientOf([origin], '127.0.0.1', { allowCidrs: ['127.0.0.1/32'] }), origin)).outcome).toBe(
    'tls_error',
  );
});

test('https is reached on any port that the operator has named, and its certificate is checked', async () => {
  const authority = createTestAuthority();
  const receiver = await startHttpsReceiver({ authority });
  receiver.on('/items', behaviours.answer(200));
  const origin = `https://receiver.test:${receiver.port}`;
  const policy = { allowCidrs: ['127.0.0.1/32'] };
  const outcomes = [
    (await get(clientOf([origin], '127.0.0.1', { ...policy, extraCa: authority.ca }), `${origin}/items`)).outcome,
    (await get(clientOf([origin], '127.0.0.1', policy), `${origin}/items`)).outcome,
  ];
  expect([outcomes, receiver.requests('/items').length]).toEqual([['delivered', 'tls_error'], 1]);
  await receiver.stop();
});

test('a redirect is an outcome and is not followed', async () => {
  const redirecting = await startTcpListener(
    (socket) =>
      void socket.once('data', () =>
        socket.end(
          `HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:${other.port}/\r\n` +
            'Content-Length: 0\r\nConnection: close\r\n\r\n',
        ),
      ),
  );
  const before = other.connections();
  const origin = `http://127.0.0.1:${redirecting.port}`;
  expect((await get(clientOf([origin, `http://127.0.0.1:${other.port}`]), origin)).outcome).toBe('redirect');
  expect(other.connections()).toBe(before);
  await redirecting.stop();
});
