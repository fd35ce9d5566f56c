import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { maxHeaderBytes, newId, SlotSet, type ErrorCode } from '@tieout/infra';
import { jsonType } from './http/respond';

/** Longer than the idle time of usual load balancers, so that they close a connection first. */
const keepAliveTimeoutMs = 65_000;
/** Requests that are still running so long after the first step of a shutdown are refused: the process has to end. */
const requestsDeadlineMs = 5_500;
/** Of this, a time in which requests were still taken counts. So much is left in any case. */
const shortestRequestsMs = 2_500;
/** From the refusal to the end of the connection: who sends a body reads the answer late. */
const refusalMs = 300;
/** From the last answer of a connection to its end, as long as the process is there: so slow may one be that sends more before it reads that. */
const lingerMs = 2_000;
/** A connection that has sent nothing by then is taken for one that is kept for later. */
const silentMs = 1_000;
const idleCheckMs = 50;

interface Listening {
  port: number;
  /** Takes no more connections, lets the requests in hand finish for some seconds, closes kept-alive connections. */
  close(): Promise<void>;
}

export interface ListenOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Aborted some time before the server is closed: from then on the answer to what a connection brought last ends it. */
  stopping?: AbortSignal;
  /** Default: what a shutdown of 10 s leaves. */
  requestsMs?: number;
}

interface Connection {
  /** What is to be answered. */
  inHand: SlotSet<ServerResponse>;
  /** Nothing has arrived yet. */
  silent: boolean;
  /** Something has arrived that is no HTTP: nothing behind it is read. */
  isBroken: boolean;
  /** To what arrived last, but for what arrives too late to be begun, until it is closed. */
  newest?: ServerResponse | undefined;
}

export async function listen(server: Server, options: ListenOptions): Promise<Listening> {
  server.keepAliveTimeout = keepAliveTimeoutMs;
  // What is to be answered on one that has ended never closes, unless it was its turn: it goes with its connection.
  const connections = new Map<Socket, Connection>();
  const responses = (): ServerResponse[] => [...connections.values()].flatMap(({ inHand }) => [...inHand]);
  let stoppingMs: number | undefined;
  let closing = false;
  const stop = (): void => {
    stoppingMs ??= performance.now();
    // Those in hand keep no connection open either.
    for (const [socket, { newest }] of connections) if (newest && !newest.headersSent) endWith(newest, socket);
  };
  options.stopping?.addEventListener('abort', stop, { once: true });
  server.on('connection', (socket) => {
    connections.set(socket, { inHand: new SlotSet(), silent: true, isBroken: false });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    const connection = connections.get(socket);
    if (!connection) return;
    const { inHand, newest } = connection;
    const place = inHand.add(response);
    response.once('close', () => {
      inHand.remove(place);
      if (connection.newest === response) connection.newest = undefined;
    });
    connection.silent = false;
    if (stoppingMs !== undefined) {
      if (newest && isLast(newest)) {
        // Behind the last answer nothing is begun. Until the server closes that is passed on: who goes on sending is served so long.
        if (closing || newest.headersSent) return;
        newest.removeHeader('Connection');
      }
      endWith(response, socket);
    }
    connection.newest = response;
  });
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    const connection = connections.get(socket as Socket);
    // Whatever comes behind it is told here again, with its bytes.
    socket.pause();
    if (connection?.isBroken && code !== 'ECONNRESET') return;
    if (connection) connection.isBroken = true;
    // Behind the requests that are whole, so that it is not taken for the answer to one of them.
    const whole = [...(connection?.inHand ?? [])].filter(({ req }) => req.complete);
    if (whole.length === 0 || code === 'ECONNRESET' || !socket.writable) return refuse(code, socket);
    let left = whole.length;
    for (const response of whole) response.once('close', () => void (--left === 0 && refuse(code, socket)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  /** Node takes for idle also a connection whose client is still to take its last answer. */
  const closeIdle = (): void => {
    const ending = [...connections].some(
      ([socket, { inHand }]) => socket.writableEnded || [...inHand].some(({ writableEnded }) => writableEnded),
    );
    if (!ending) server.closeIdleConnections();
  };
  const closeSilent = (): void => {
    for (const [socket, { silent }] of connections) if (silent) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        stop();
        closing = true;
        const taken = performance.now() - (stoppingMs as number);
        const requestsMs = options.requestsMs ?? Math.max(requestsDeadlineMs - taken, shortestRequestsMs);
        const timers = [
          setInterval(closeIdle, idleCheckMs),
          setTimeout(closeSilent, silentMs),
          setTimeout(() => responses().forEach(refuseLate), requestsMs),
          setTimeout(() => server.closeAllConnections(), requestsMs + refusalMs),
        ];
        // That of an HTTP server closes what it takes for idle.
        NetServer.prototype.close.call(server, () => {
          timers.forEach(clearTimeout);
          // Nothing is open any more: it ends what looks after connections, which would hold all that the server has known.
          server.close();
          resolve();
        });
      }),
  };
}

const isLast = (response: ServerResponse): boolean => response.hasHeader('Connection');

/** Makes this the last answer of its connection. A connection that ends while its client sends takes the answer with it: what still comes is read for a while. */
function endWith(response: ServerResponse, socket: Socket): void {
  response.setHeader('Connection', 'close');
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}

const errorBody = (code: ErrorCode, message: string, requestId: string): string =>
  JSON.stringify({ status: 'error', code, message, request_id: requestId });

/** A request that the end of this process overtakes. One whose answer has begun is cut off, so that a part is not taken for the whole. */
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

/** Answers what is not HTTP, and so never becomes a request, in the one shape of an error. */
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
  // Without waiting for an end from the other side, which a slow client never sends.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
