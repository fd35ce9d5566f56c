import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How patient a server is. */
export interface HttpServerLimits {
  /** For the first line and the headers of a request, from the beginning of the connection or of the request. */
  headersTimeoutMs: number;
  /** In this time a body has to bring `leastBodyBytes` or end, and something of an answer has to be taken. */
  stallTimeoutMs: number;
  /** Further ones are closed at once. */
  maxConnections: number;
}

export const defaultHttpServerLimits: HttpServerLimits = { headersTimeoutMs: 10_000, stallTimeoutMs: 30_000, maxConnections: 4_096 };

/** Of a line of nine kilobits a second: whoever sends less is not sending. */
export const leastBodyBytes = 32 * 1024;
/** The first line and the headers together. */
export const maxHeaderBytes = 16 * 1024;
/** A body that nobody wants, since the answer is out, may go on for so long. */
const lingerMs = 5_000;
const mostChecksMs = 2_500;

/** A request whose sender stalls. It is an error of the connection, as those are that Node finds: `clientError` is emitted. */
export class RequestStalled extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Of the connection, when the present period began. */
  bytesRead: number;
  sinceMs: number;
  answered: boolean;
}

/**
 * An HTTP server that cuts slow clients: those that do not get to the end of their headers, whose bodies stall or trickle, and that do not
 * take their answers. How long a body or an answer takes as a whole is not limited, nor is the time in which the service works.
 */
export function createHttpServer(handler: RequestListener, limits: Partial<HttpServerLimits> = {}): Server {
  const { headersTimeoutMs, stallTimeoutMs, maxConnections } = { ...defaultHttpServerLimits, ...limits };
  const checkMs = Math.min(mostChecksMs, headersTimeoutMs / 4, stallTimeoutMs / 4);
  const server = createServer(
    { headersTimeout: headersTimeoutMs, requestTimeout: 0, connectionsCheckingInterval: checkMs, maxHeaderSize: maxHeaderBytes, requireHostHeader: false },
    handler,
  );
  server.maxConnections = maxConnections;
  // Expectations that nobody here knows are of no consequence.
  server.on('checkExpectation', handler);
  const exchanges = new Map<Socket, Exchange>();
  server.on('connection', (socket) => socket.once('close', () => exchanges.delete(socket)));
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    exchanges.set(socket, { request, response, bytesRead: socket.bytesRead, sinceMs: performance.now(), answered: false });
  });
  const check = setInterval(() => {
    const now = performance.now();
    for (const [socket, exchange] of exchanges) if (stalls(exchange, now, stallTimeoutMs)) cut(server, socket, exchange);
  }, checkMs);
  server.on('close', () => clearInterval(check));
  check.unref();
  // Nothing came and nothing was taken for a while: an answer that waits for its reader, or a connection that is kept for later.
  // One that has brought no request yet has its own time.
  server.setTimeout(stallTimeoutMs, (socket) => {
    const exchange = exchanges.get(socket);
    if (exchange && (exchange.response.writableFinished || exchange.response.writableLength > 0 || socket.writableLength > 0)) socket.destroy();
  });
  return server;
}

function stalls(exchange: Exchange, now: number, stallTimeoutMs: number): boolean {
  const { request, response } = exchange;
  if (request.complete) return false;
  const { bytesRead } = request.socket;
  const lastedMs = now - exchange.sinceMs;
  if (exchange.answered) return lastedMs >= Math.min(lingerMs, stallTimeoutMs);
  exchange.answered = response.writableFinished;
  const enough = exchange.answered || bytesRead - exchange.bytesRead >= leastBodyBytes;
  // What is not read at the moment cannot come in.
  if (request.readableFlowing !== true || enough) {
    exchange.bytesRead = bytesRead;
    exchange.sinceMs = now;
    return false;
  }
  return lastedMs >= stallTimeoutMs;
}

function cut(server: Server, socket: Socket, { response }: Exchange): void {
  if (response.headersSent || !server.emit('clientError', new RequestStalled('the body stalls'), socket)) socket.destroy();
}
