import {
  behaviours,
  createTestAuthority,
  startHttpsReceiver,
  startTcpListener,
  type Behaviour,
  type HttpsReceiver,
  type TcpListener,
} from '@tieout/testing';
import { createOutboundClient } from './client';
import type { OutboundResult } from './types';

const { after, answer, rawAnswer } = behaviours;

const secret = 'Bearer of a secret';

/** Long enough for the part of an attempt that works on a busy machine. */
const deadlineMs = 3_000;

const authority = createTestAuthority();
const stops: (() => Promise<void>)[] = [];
const results = new Map<string, OutboundResult>();

/** Any port will do. */
const allowedPorts = Array.from({ length: 65_536 }, (_, port) => port);
const client = createOutboundClient(
  { allowedPorts, allowCidrs: ['127.0.0.1/32'], extraCa: authority.ca },
  { resolve: () => Promise.resolve(['127.0.0.1']) },
);
afterAll(async () => {
  await client.close();
  await Promise.all(stops.map((stop) => stop()));
});

const attempt = (port: number, path: string): Promise<OutboundResult> =>
  client.post({
    url: `https://receiver.test:${port}${path}`,
    headers: { Authorization: secret },
    body: Buffer.from('{}'),
    deadlineMs,
  });

type Expected = Partial<OutboundResult>;

const timeout: Expected = { outcome: 'timeout', httpStatus: null, error: 'No answer within 3 s' };
const invalid = (code: string): Expected => ({
  outcome: 'protocol_error',
  httpStatus: null,
  error: `The answer is not valid HTTP/1.1 (${code})`,
});
const header = (count: number, line: string): string => `HTTP/1.1 200 OK\r\n${line.repeat(count)}\r\n`;

/** The receiver's behaviour after the request. */
const answers: [title: string, behaviour: Behaviour, expected: Expected][] = [
  ['no answer', behaviours.hang(), timeout],
  ['headers that never end', behaviours.tricklingHeaders(), timeout],
  ['100 Continue without end', behaviours.continueFlood(), timeout],
  [
    '101 Switching Protocols',
    rawAnswer('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', { keepOpen: true }),
    timeout,
  ],
  [
    '200 after longer than a connection is kept',
    after(1_100, answer(200)),
    { outcome: 'delivered', bodyState: 'complete' },
  ],
  [
    '200 and a body that never ends',
    behaviours.tricklingBody(200),
    { outcome: 'delivered', httpStatus: 200, bodyState: 'deadline' },
  ],
  [
    '500 and a body that stalls',
    behaviours.stalledBody(500),
    { outcome: 'http_status', httpStatus: 500, bodyState: 'deadline', responseSnippet: 'beginning' },
  ],
  ['RST', behaviours.reset(), { outcome: 'connection_reset', httpStatus: null }],
  ['the end of the connection', behaviours.closeWithoutAnswer(), { outcome: 'connection_reset', httpStatus: null }],
  ['half a status line', rawAnswer('HTTP/1.1 20'), { outcome: 'connection_reset', httpStatus: null }],
  ['garbage', rawAnswer('\x00\x01garbage\r\n\r\n'), invalid('HPE_INVALID_CONSTANT')],
  ['HTTP/0.9', rawAnswer('<html>hello</html>'), invalid('HPE_INVALID_CONSTANT')],
  ['two lengths', rawAnswer(header(2, 'content-length: 0\r\n')), invalid('HPE_UNEXPECTED_CONTENT_LENGTH')],
  ['a header of 64 KB', rawAnswer(header(1, `x: ${'y'.repeat(65_536)}\r\n`)), invalid('HPE_HEADER_OVERFLOW')],
  ['3000 headers', rawAnswer(header(3_000, 'x-more: yes\r\n')), invalid('HPE_HEADER_OVERFLOW')],
  [
    'a chunk of invalid length',
    rawAnswer('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n'),
    { outcome: 'delivered', bodyState: 'error' },
  ],
];

describe('answers of a receiver', () => {
  let receiver: HttpsReceiver;
  beforeAll(async () => {
    receiver = await startHttpsReceiver({ authority });
    stops.push(receiver.stop);
    answers.forEach(([, behaviour], i) => receiver.on(`/${i}`, behaviour));
    // All at once: most of them last as long as the deadline.
    await Promise.all(answers.map(async ([title], i) => results.set(title, await attempt(receiver.port, `/${i}`))));
  });

  test.each(answers)('%s', (title, _behaviour, expected) => {
    expect(results.get(title)).toMatchObject(expected);
  });

  test('each receiver got one request', () => {
    expect(answers.map((_, i) => receiver.requests(`/${i}`).length)).toEqual(answers.map(() => 1));
  });
});

const tlsError = (error: string): Expected => ({
  outcome: 'tls_error',
  httpStatus: null,
  error: expect.stringContaining(error) as string,
});
const reset: Expected = { outcome: 'connection_reset', httpStatus: null };
const noTls = 'No TLS 1.2 or 1.3 connection could be made';

const listeners: [title: string, start: () => Promise<TcpListener>, expected: Expected][] = [
  ['RST on accept', () => startTcpListener((socket) => void socket.resetAndDestroy()), reset],
  ['the end of the connection on accept', () => startTcpListener((socket) => void socket.end()), reset],
  [
    'the end of the connection in the handshake',
    () => startTcpListener((socket) => socket.once('data', () => socket.end())),
    reset,
  ],
  [
    'RST in the handshake',
    () => startTcpListener((socket) => socket.once('data', () => socket.resetAndDestroy())),
    reset,
  ],
  [
    'a handshake that stalls',
    () => startTcpListener(() => undefined),
    { outcome: 'timeout', error: 'No TLS handshake within 3 s' },
  ],
  [
    'HTTP without TLS',
    () => startTcpListener((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))),
    tlsError(`${noTls}: wrong version number`),
  ],
];

const certificates: [title: string, start: () => Promise<HttpsReceiver>, expected: Expected][] = [
  [
    'a certificate that signs itself',
    () => startHttpsReceiver({ authority, certificate: { names: ['receiver.test'], selfSigned: true } }),
    tlsError('The certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)'),
  ],
  [
    'a certificate of an unknown authority',
    () => startHttpsReceiver({ authority: createTestAuthority() }),
    tlsError(
      'The certificate is issued by an authority that is not trusted, ' +
        'or the receiver does not send its intermediate certificates (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
    ),
  ],
  [
    'a certificate for another name',
    () => startHttpsReceiver({ authority, certificate: { names: ['other.test'] } }),
    tlsError('The certificate is for another host name (ERR_TLS_CERT_ALTNAME_INVALID)'),
  ],
  [
    'a certificate that has expired',
    () => startHttpsReceiver({ authority, certificate: { names: ['receiver.test'], expired: true } }),
    tlsError('The certificate has expired (CERT_HAS_EXPIRED)'),
  ],
  ['TLS 1.1', () => startHttpsReceiver({ authority, maxVersion: 'TLSv1.1' }), tlsError(noTls)],
];

describe('failures before a request is sent', () => {
  const opened = new Map<string, TcpListener>();
  const encrypted = new Map<string, HttpsReceiver>();
  beforeAll(async () => {
    for (const [title, start] of listeners) opened.set(title, await start());
    for (const [title, start] of certificates) encrypted.set(title, await start());
    const all = [...opened, ...encrypted];
    stops.push(...all.map(([, { stop }]) => stop));
    // All at once, and only now: making keys takes time that would count against the deadline.
    await Promise.all(all.map(async ([title, { port }]) => results.set(title, await attempt(port, '/'))));
  });

  test.each([...listeners, ...certificates])('%s', (title, _start, expected) => {
    expect(results.get(title)).toMatchObject(expected);
  });

  test.each(listeners)('the credential is not in the bytes that came: %s', (title) => {
    expect(String(opened.get(title)?.bytes())).not.toContain(secret);
  });

  test.each(certificates)('no request came: %s', (title) => {
    expect(encrypted.get(title)?.requests()).toEqual([]);
  });
});

test('where nothing listens, the connection is refused', async () => {
  const listener = await startTcpListener(() => undefined);
  await listener.stop();
  expect(await attempt(listener.port, '/')).toMatchObject({
    outcome: 'connection_refused',
    error: 'Nothing listens on the port (ECONNREFUSED)',
  });
});

test('a receiver that is up again is reached again', async () => {
  const receiver = await startHttpsReceiver({ authority });
  stops.push(receiver.stop);
  await receiver.stop();
  const before = await attempt(receiver.port, '/');
  await receiver.restart();
  expect([before, await attempt(receiver.port, '/')]).toMatchObject([
    { outcome: 'connection_refused' },
    { outcome: 'delivered' },
  ]);
});

test('no error contains the credential', () => {
  expect(JSON.stringify([...results])).not.toContain(secret);
});
