import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { newId } from '@tieout/infra';

/** Longer than the idle time of usual load balancers, so that they close a connection first. */
const keepAliveTimeoutMs = 65_000;
/** Requests that are still running then are cut off: the process has to end. */
const drainDeadlineMs = 7_000;
const idleCheckMs = 50;
/** The largest upload over a line of a megabit a second. */
const requestTimeoutMs = 40 * 60_000;

export interface Listening {
  port: number;
  /** Takes no more connections, lets the requests in hand finish, closes kept-alive connections. */
  close(): Promise<void>;
}

/** Port 0 takes a free one. */
export async function listen(server: Server, options: { host: string; port: number }): Promise<Listening> {
  server.keepAliveTimeout = keepAliveTimeoutMs;
  // Above the former, or Node would cut a connection that has just been used again.
  server.headersTimeout = keepAliveTimeoutMs + 1_000;
  server.requestTimeout = requestTimeoutMs;
  let closing = false;
  server.prependListener('request', (_request, response) => {
    if (closing) response.setHeader('Connection', 'close');
  });
  server.on('clientError', refuse);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        closing = true;
        const sweep = setInterval(() => server.closeIdleConnections(), idleCheckMs);
        const deadline = setTimeout(() => server.closeAllConnections(), drainDeadlineMs);
        server.close(() => {
          clearInterval(sweep);
          clearTimeout(deadline);
          resolve();
        });
      }),
  };
}

const reasons: Record<string, readonly [string, string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
};

/** Answers what is not HTTP, and so never becomes a request, in the one shape of an error. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = reasons[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP'];
  const requestId = newId();
  const body = JSON.stringify({ status: 'error', code: 'validation_error', message, request_id: requestId });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
