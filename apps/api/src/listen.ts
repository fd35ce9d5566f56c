import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { maxHeaderBytes, newId, type ErrorCode } from '@tieout/infra';
import { jsonType } from './http/respond';

/** Longer than the idle time of usual load balancers, so that they close a connection first. */
const keepAliveTimeoutMs = 65_000;
/** Requests that still run this long after a shutdown began are refused, because the process has to end. */
const requestsDeadlineMs = 5_500;
/** The least of that time that is left once no more requests are taken. */
const minRequestsMs = 2_500;
/** From the refusal to the end of the connection: a client that sends a body reads the answer late. */
const refusalMs = 300;
/** From the last answer of a connection to its end: a client that still sends reads the answer late. */
const lingerMs = 2_000;
/** A connection that has sent nothing by then is a spare one of its client. */
const silentMs = 1_000;
const idleCheckMs = 50;

interface Listening {
  port: number;
  /** Takes no more connections, lets running requests finish for some seconds, and closes kept-alive connections. */
  close(): Promise<void>;
}

export interface ListenOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Aborted some time before the server closes: from then on each connection ends with its latest answer. */
  stopping?: AbortSignal;
  /** The time for running requests once the server closes. Default: what a shutdown of 10 s leaves. */
  requestsMs?: number;
}

interface Connection {
  /** Answers to requests that have arrived, until they are closed. */
  unanswered: Set<ServerResponse>;
  /** No request has arrived yet. */
  isSilent: boolean;
  /** The answer to the latest request that is begun, until it is closed. */
  newest?: ServerResponse | undefined;
}

/** Serves until `close`, which answers every request that has arrived and begins no other. */
export async function listen(server: Server, options: ListenOptions): Promise<Listening> {
  server.keepAliveTimeout = keepAliveTimeoutMs;
  // A response that still waits when its connection ends never emits close: it is dropped with the connection.
  const connections = new Map<Socket, Connection>();
  let stoppingMs: number | undefined;
  let isClosing = false;
  const stop = (): void => {
    stoppingMs ??= performance.now();
    // Responses whose headers are not sent yet tell their clients to close the connection.
    for (const [socket, { newest }] of connections) if (newest && !newest.headersSent) endWith(newest, socket);
  };
  options.stopping?.addEventListener('abort', stop, { once: true });
  server.on('connection', (socket) => {
    connections.set(socket, { unanswered: new Set(), isSilent: true });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    const connection = connections.get(socket);
    if (!connection) return;
    const { unanswered, newest } = connection;
    unanswered.add(response);
    response.once('close', () => {
      unanswered.delete(response);
      if (connection.newest === response) connection.newest = undefined;
    });
    connection.isSilent = false;
    if (stoppingMs !== undefined) {
      if (newest && isLast(newest)) {
        // Nothing is begun after the last answer. Until the server closes a later request becomes the last one instead.
        if (isClosing || newest.headersSent) return;
        newest.removeHeader('Connection');
      }
      endWith(response, socket);
    }
    connection.newest = response;
  });
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) =>
    answerError(code, socket, connections.get(socket as Socket)),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        stop();
        isClosing = true;
        const takenMs = performance.now() - (stoppingMs as number);
        const requestsMs = options.requestsMs ?? Math.max(requestsDeadlineMs - takenMs, minRequestsMs);
        const timers = [
          setInterval(() => closeIdle(server, connections), idleCheckMs),
          setTimeout(() => closeSilent(connections), silentMs),
          setTimeout(() => refuseUnanswered(connections), requestsMs),
          setTimeout(() => server.closeAllConnections(), requestsMs + refusalMs),
        ];
        // The method of the HTTP server would also close connections whose clients still read their last answer.
        NetServer.prototype.close.call(server, () => {
          timers.forEach(clearTimeout);
          // Ends the timer with which Node.js checks connections; it would keep the server in memory.
          server.close();
          resolve();
        });
      }),
  };
}

/** Closes idle connections. Node.js also counts those as idle whose clients still read their last answer. */
function closeIdle(server: Server, connections: ReadonlyMap<Socket, Connection>): void {
  const isEnding = [...connections].some(
    ([socket, { unanswered }]) => socket.writableEnded || [...unanswered].some(({ writableEnded }) => writableEnded),
  );
  if (!isEnding) server.closeIdleConnections();
}

function closeSilent(connections: ReadonlyMap<Socket, Connection>): void {
  for (const [socket, { isSilent }] of connections) if (isSilent) socket.destroy();
}

function refuseUnanswered(connections: ReadonlyMap<Socket, Connection>): void {
  for (const { unanswered } of connections.values()) for (const response of unanswered) refuseLate(response);
}

const isLast = (response: ServerResponse): boolean => response.hasHeader('Connection');

/**
 * Makes this the last answer of its connection. Ending the connection while its client still sends would lose the
 * answer, so what still arrives is read for a while.
 */
function endWith(response: ServerResponse, socket: Socket): void {
  response.setHeader('Connection', 'close');
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}

/** Answers what is not HTTP, once all complete requests before it are answered. */
function answerError(code: string | undefined, socket: Duplex, connection: Connection | undefined): void {
  // Nothing after it is read: Node.js would report everything as a further error.
  socket.pause();
  const complete = [...(connection?.unanswered ?? [])].filter(({ req }) => req.complete);
  if (complete.length === 0 || code === 'ECONNRESET' || !socket.writable) return refuse(code, socket);
  let left = complete.length;
  for (const response of complete) response.once('close', () => void (--left === 0 && refuse(code, socket)));
}

const errorBody = (code: ErrorCode, message: string, requestId: string): string =>
  JSON.stringify({ status: 'error', code, message, request_id: requestId });

/** Refuses a request that a shutdown overtakes. An answer that has begun is cut off later. */
function refuseLate(response: ServerResponse): void {
  if (response.headersSent) return;
  const body = errorBody(
    'service_unavailable',
    'The service is stopping: send the request again',
    String(response.getHeader('X-Request-Id')),
  );
  for (const name of response.getHeaderNames()) if (name !== 'x-request-id') response.removeHeader(name);
  response
    .writeHead(503, {
      'Content-Type': jsonType,
      'Content-Length': Buffer.byteLength(body),
      'Retry-After': '1',
      Connection: 'close',
    })
    .end(body);
}

const reasons: Record<string, readonly [string, string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    `The first line and the headers are larger than ${maxHeaderBytes} bytes`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time'],
};

/** Writes an answer in the one shape of an error, without a request of Node.js. */
function refuse(code: string | undefined, socket: Duplex): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = reasons[code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP'];
  const requestId = newId();
  const body = errorBody('validation_error', message, requestId);
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  // Does not wait for the client to end the connection, which a slow client never does.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
