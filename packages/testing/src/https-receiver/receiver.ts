import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { OutboundPolicy, ResolveHost } from '@tieout/infra';
import { createTestAuthority, type CertificateOptions, type TestAuthority } from './authority';
import { answer, type Behaviour } from './behaviours';

export interface ReceivedRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Names and values by turns, as they were sent. */
  rawHeaders: readonly string[];
  body: Buffer;
  /** Counts the connections of the receiver: the same number came over the same one. */
  connection: number;
}

export interface HttpsReceiverOptions {
  /** Default: a new authority. Creating one takes a moment, so several receivers may share one. */
  authority?: TestAuthority;
  /** Default: names under `receiver.test`, and the loopback addresses. */
  certificate?: CertificateOptions;
  maxVersion?: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
  /** Default: 127.0.0.1. */
  address?: string;
  /** false: does not keep requests, for measurements that send very many. */
  record?: boolean;
}

export interface HttpsReceiver {
  port: number;
  /** The certificate of its authority, in PEM: what WEBHOOK_EXTRA_CA_FILE holds. */
  ca: string;
  /** For clients that reach it. */
  policy: OutboundPolicy;
  /** Any name leads to it. */
  resolve: ResolveHost;
  /** A url by name, for clients that get `resolve`. */
  url(path: string, host?: string): string;
  /** A url by address, for processes that look names up as the system does. */
  urlByAddress(path: string): string;
  /** Sets the behaviour for a path without its query; `*`: all other paths. Default: 200 and an empty body. */
  on(path: string, behaviour: Behaviour): void;
  /** All requests in the order in which they were complete; of one path only, if one is given. */
  requests(path?: string): ReceivedRequest[];
  /** Resolves when `count` requests (of a path) have arrived. */
  received(count: number, path?: string): Promise<ReceivedRequest[]>;
  /** Connections made so far, those that never sent a request included. */
  connections(): number;
  /** Closes everything: connections are refused. */
  stop(): Promise<void>;
  /** Listens again, on the same port. */
  restart(): Promise<void>;
}

const loopback = '127.0.0.1';

export const receiverNames = { names: ['receiver.test', '*.receiver.test'], addresses: [loopback, '127.0.0.2', '::1'] };

/** Starts an HTTPS server on loopback, with a certificate of a private authority and a behaviour for each path. */
export async function startHttpsReceiver(options: HttpsReceiverOptions = {}): Promise<HttpsReceiver> {
  const authority = options.authority ?? createTestAuthority();
  const address = options.address ?? loopback;
  const behaviours = new Map<string, Behaviour>();
  const usually = answer();
  const log: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  /** The socket below TLS, which alone can be reset, by the port of the client. */
  const sockets = new Map<number, { socket: Socket; connection: number }>();
  let connections = 0;

  const oldTls = options.maxVersion === 'TLSv1.1';
  const server = https.createServer({
    ...authority.issue(options.certificate ?? receiverNames),
    ...(options.maxVersion ? { maxVersion: options.maxVersion } : {}),
    // OpenSSL 3 signs nothing for TLS 1.1 at its usual level.
    ...(oldTls ? { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } : {}),
  });
  server.on('connection', (socket: Socket) => {
    const port = socket.remotePort as number;
    sockets.set(port, { socket, connection: ++connections });
    socket.on('close', () => sockets.delete(port)).on('error', () => undefined);
  });
  server.on('request', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const of = sockets.get(request.socket.remotePort as number);
      const path = request.url ?? '';
      if (options.record !== false) {
        const { method = '', headers, rawHeaders } = request;
        log.push({ method, path, headers, rawHeaders, body: Buffer.concat(chunks), connection: of?.connection ?? 0 });
        for (const check of waiting) check();
      }
      const behaviour = behaviours.get(path.replace(/\?.*/s, '')) ?? behaviours.get('*') ?? usually;
      behaviour({ request, response, reset: () => void of?.socket.resetAndDestroy() });
    });
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, address);
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;

  const requests = (path?: string): ReceivedRequest[] =>
    path === undefined ? [...log] : log.filter((one) => one.path === path);
  return {
    port,
    ca: authority.ca,
    policy: {
      allowedPorts: [port],
      allowCidrs: [`${address}/${address.includes(':') ? 128 : 32}`],
      extraCa: authority.ca,
    },
    resolve: () => Promise.resolve([address]),
    url: (path, host = 'receiver.test') => `https://${host}:${port}${path}`,
    urlByAddress: (path) => `https://${address.includes(':') ? `[${address}]` : address}:${port}${path}`,
    on: (path, behaviour) => void behaviours.set(path, behaviour),
    requests,
    received: (count, path) =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = requests(path);
          if (found.length < count) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
    connections: () => connections,
    stop: () =>
      new Promise((resolve) => {
        if (!server.listening) return resolve();
        server.close(() => resolve());
        for (const { socket } of sockets.values()) socket.destroy();
      }),
    restart: () => listen(port),
  };
}
