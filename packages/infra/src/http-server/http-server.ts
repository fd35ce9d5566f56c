import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { serializePipelinedRequests } from './serialize-pipelined-requests';
import { runningClock } from '../concurrency/timeouts';

/** The limits of a server. */
export interface HttpServerLimits {
  /** Limits the first line and the headers of a request, from the beginning of the connection or of the request. */
  headersTimeoutMs: number;
  /** In this time a body must send `minBodyBytes` or end, and the client must take a part of an answer. */
  stallTimeoutMs: number;
  /**
   * Further connections are closed at once. Near the limit, idle kept connections are closed, the longest idle first.
   */
  maxConnections: number;
  /** Beyond it, idle connections of the address are closed; without any, the new ones are. 0: no limit. */
  maxConnectionsPerAddress: number;
  /** True for an address that many clients share, such as a proxy: it has no limit per address. */
  isSharedAddress: (address: string) => boolean;
}

export const defaultHttpServerLimits: HttpServerLimits = {
  headersTimeoutMs: 10_000,
  stallTimeoutMs: 30_000,
  maxConnections: 4_096,
  maxConnectionsPerAddress: 2_048,
  isSharedAddress: () => false,
};

/** Corresponds to nine kilobits a second over the default timeout: a slower client counts as stalled. */
export const minBodyBytes = 32 * 1024;
/** Limits the first line and the headers together. */
export const maxHeaderBytes = 16 * 1024;
/** A body may continue for this time after its answer is sent. */
const lingerMs = 5_000;
const maxCheckMs = 2_500;
/** Idle connections are closed from this share of the maximum on. */
const crowdedShare = 0.9;

/** The sender of a request stalls. It is reported as `clientError`, like the errors of a connection that Node finds. */
class RequestStalled extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The bytes of the connection when the current period of the body began. */
  bytesRead: number;
  sinceMs: number;
  isAnswered: boolean;
  /** The sent part of the answer when it last changed, or when there was nothing to send. */
  sent: Sent;
  sentSinceMs: number;
}

/** The part of the written bytes that has left this process. */
interface Sent {
  /** The bytes of completely sent pieces. */
  bytes: number;
  /** The remaining bytes of the piece that is being sent. */
  queuedBytes: number;
}

/**
 * Creates an HTTP server that cuts slow clients: those that do not finish their headers, whose bodies stall or trickle,
 * or that do not take their answers. The total time of a body or an answer is not limited, nor is the time in which the
 * service works.
 *
 * @param messages the classes of requests and answers; default: Node's own
 */
export function createHttpServer(
  handler: RequestListener,
  limits: Partial<HttpServerLimits> = {},
  messages: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> = {},
): Server {
  const all = { ...defaultHttpServerLimits, ...limits };
  const { headersTimeoutMs, stallTimeoutMs, maxConnections } = all;
  const checkMs = Math.min(maxCheckMs, headersTimeoutMs / 4, stallTimeoutMs / 4);
  const server = createServer(
    {
      ...messages,
      headersTimeout: headersTimeoutMs,
      requestTimeout: 0,
      connectionsCheckingInterval: checkMs,
      maxHeaderSize: maxHeaderBytes,
      requireHostHeader: false,
    },
    serializePipelinedRequests(handler),
  );
  server.maxConnections = maxConnections;
  // The size of the headers is limited instead. Beyond a number Node silently drops headers, such as a second Host.
  server.maxHeadersCount = 0;
  // Unknown expectations are ignored: the request is handled like any other.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const exchanges = new Map<Socket, Exchange>();
  const clock = runningClock(checkMs);
  const makeRoom = createRoomMaker(all, exchanges);
  server.on('connection', (socket) => {
    socket.once('close', () => exchanges.delete(socket));
    makeRoom(socket);
  });
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const now = clock.nowMs();
    const begun: Exchange = {
      request,
      response,
      bytesRead: socket.bytesRead,
      sinceMs: now,
      isAnswered: false,
      sent: sentOf(socket),
      sentSinceMs: now,
    };
    const last = exchanges.get(socket);
    // The entry of a connection is reused: a Map with a removal per request is rebuilt all the time, and its old
    // content is collected late.
    if (last) Object.assign(last, begun);
    else exchanges.set(socket, begun);
  });
  const check = setInterval(() => {
    const now = clock.tick();
    for (const [socket, exchange] of exchanges) {
      if (isAnswerStalled(socket, exchange, now, stallTimeoutMs)) socket.destroy();
      else if (isBodyStalled(exchange, now, stallTimeoutMs)) cut(server, socket, exchange);
    }
  }, checkMs);
  server.on('close', () => clearInterval(check));
  check.unref();
  return server;
}

/** Closes an idle connection, or the new one, when there are too many. */
function createRoomMaker(
  { maxConnections, maxConnectionsPerAddress, isSharedAddress }: HttpServerLimits,
  exchanges: ReadonlyMap<Socket, Exchange>,
): (socket: Socket) => void {
  const crowded = maxConnections * crowdedShare;
  const openBy = new Map<string, number>();
  let open = 0;
  const closing = new WeakSet<Socket>();
  const count = (address: string, change: 1 | -1): number => {
    open += change;
    const own = (openBy.get(address) ?? 0) + change;
    if (own === 0) openBy.delete(address);
    else openBy.set(address, own);
    return own;
  };
  /** Closes the connection that has been idle for longest. @returns whether there was one */
  const closeIdle = (address?: string): boolean => {
    let oldest: Socket | undefined;
    let oldestSinceMs = Infinity;
    for (const [socket, { request, response, sinceMs }] of exchanges) {
      if (sinceMs >= oldestSinceMs || closing.has(socket) || !request.complete || !response.writableFinished) continue;
      if (address !== undefined && socket.remoteAddress !== address) continue;
      oldest = socket;
      oldestSinceMs = sinceMs;
    }
    if (!oldest) return false;
    closing.add(oldest);
    oldest.destroy();
    return true;
  };
  return (socket) => {
    const address = socket.remoteAddress ?? '';
    const own = count(address, 1);
    socket.once('close', () => count(address, -1));
    const tooMany = maxConnectionsPerAddress > 0 && own > maxConnectionsPerAddress && !isSharedAddress(address);
    if (tooMany) {
      if (!closeIdle(address)) socket.destroy();
    } else if (open > crowded) closeIdle();
  };
}

/** Reads how much was sent. Only the socket's handle shows the sent part of a large piece; Node reads it too. */
function sentOf(socket: Socket): Sent {
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize: number } | null };
  return { bytes: socket.bytesWritten - socket.writableLength, queuedBytes: handle?.writeQueueSize ?? 0 };
}

/** True when the client has taken nothing of a waiting answer for this time. */
function isAnswerStalled(socket: Socket, exchange: Exchange, now: number, stallTimeoutMs: number): boolean {
  const sent = sentOf(socket);
  const isUnchanged = sent.bytes === exchange.sent.bytes && sent.queuedBytes === exchange.sent.queuedBytes;
  if (socket.writableLength > 0 && isUnchanged) return now - exchange.sentSinceMs >= stallTimeoutMs;
  exchange.sent = sent;
  exchange.sentSinceMs = now;
  return false;
}

/** True when the body of a request has not sent enough for this time. */
function isBodyStalled(exchange: Exchange, now: number, stallTimeoutMs: number): boolean {
  const { request, response } = exchange;
  if (request.complete) return false;
  const { bytesRead } = request.socket;
  const lastedMs = now - exchange.sinceMs;
  if (exchange.isAnswered) return lastedMs >= Math.min(lingerMs, stallTimeoutMs);
  exchange.isAnswered = response.writableFinished;
  const enough = exchange.isAnswered || bytesRead - exchange.bytesRead >= minBodyBytes;
  // A body that is not being read cannot arrive.
  if (request.readableFlowing !== true || enough) {
    exchange.bytesRead = bytesRead;
    exchange.sinceMs = now;
    return false;
  }
  return lastedMs >= stallTimeoutMs;
}

function cut(server: Server, socket: Socket, { response }: Exchange): void {
  if (response.headersSent || !server.emit('clientError', new RequestStalled('the body stalls'), socket))
    socket.destroy();
}
