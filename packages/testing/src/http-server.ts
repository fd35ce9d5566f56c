import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PlainRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
}

export interface TestHttpServer {
  origin: string;
  requests(): readonly PlainRequest[];
  connections(): number;
  stop(): Promise<void>;
}

/** Starts an HTTP server on loopback that answers as a test wants and records the requests. */
export async function startHttpServer(
  answer: http.Server | ((request: IncomingMessage, response: ServerResponse) => void),
): Promise<TestHttpServer> {
  const requests: PlainRequest[] = [];
  let connections = 0;
  const server = answer instanceof http.Server ? answer : http.createServer(answer);
  server.prependListener('request', ({ method = '', url = '', headers }: IncomingMessage) =>
    requests.push({ method, url, headers }),
  );
  server.on('connection', () => connections++);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    connections: () => connections,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
