import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Longer than the idle time of usual load balancers, so that they close a connection first. */
const keepAliveTimeoutMs = 65_000;
/** Requests that are still running then are cut off: the process has to end. */
const drainDeadlineMs = 7_000;
const idleCheckMs = 50;

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
  let closing = false;
  server.prependListener('request', (_request, response) => {
    if (closing) response.setHeader('Connection', 'close');
  });
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
