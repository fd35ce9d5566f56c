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
import { runningClock } from '../process/running-timeout';

/** How patient a server is. */
export interface HttpServerLimits {
  /** For the first line and the headers of a request, from the beginning of the connection or of the request. */
  headersTimeoutMs: number;
  /** In this time a body has to bring `leastBodyBytes` or end, and something of an answer has to be taken. */
  stallTimeoutMs: number;
  /** Further ones are closed at once. Near it, those that are kept and idle make room, the one that is idle for longest first. */
  maxConnections: number;
  /** Beyond it, idle ones of the address make room; when none is idle, further ones are closed at once. 0: no limit. */
  maxConnectionsPerAddress: number;
  /** Addresses that stand for many clients: they have no limit of their own. */
  isSharedAddress: (address: string) => boolean;
}

export const defaultHttpServerLimits: HttpServerLimits = {
  headersTimeoutMs: 10_000,
  stallTimeoutMs: 30_000,
  maxConnections: 4_096,
  maxConnectionsPerAddress: 2_048,
  isSharedAddress: () => false,
};

/** Of a line of nine kilobits a second: whoever sends less is not sending. */
export const minBodyBytes = 32 * 1024;
/** The first line and the headers together. */
export const maxHeaderBytes = 16 * 1024;
/** A body that nobody wants, since the answer is out, may go on for so long. */
const lingerMs = 5_000;
const mostChecksMs = 2_500;
/** From this part of the most connections on, idle ones make room. */
const crowdedPart = 0.9;

/** A request whose sender stalls. It is an error of the connection, as those are that Node finds: `clientError` is emitted. */
export class RequestStalled extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Of the connection, when the present period of the body began. */
  bytesRead: number;
  sinceMs: number;
  answered: boolean;
  /** What of the answer was out when that last changed, or there was nothing to take. */
  out: Out;
  outSinceMs: number;
}

/** How much of what was written has left this process. */
interface Out {
  /** Pieces that are out as a whole. */
  bytes: number;
  /** What is left of the piece that is on its way. */
  queuedBytes: number;
}

/**
 * An HTTP server that cuts slow clients: those that do not get to the end of their headers, whose bodies stall or trickle, and that do not
 * take their answers. How long a body or an answer takes as a whole is not limited, nor is the time in which the service works.
 *
 * @param messages The classes of requests and answers. Default: Node's own.
 */
export function createHttpServer(
  handler: RequestListener,
  limits: Partial<HttpServerLimits> = {},
  messages: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> = {},
): Server {
  const all = { ...defaultHttpServerLimits, ...limits };
  const { headersTimeoutMs, stallTimeoutMs, maxConnections } = all;
  const checkMs = Math.min(mostChecksMs, headersTimeoutMs / 4, stallTimeoutMs / 4);
  const inTurn = serializePipelinedRequests(handler);
  const server = createServer(
    {
      ...messages,
      headersTimeout: headersTimeoutMs,
      requestTimeout: 0,
      connectionsCheckingInterval: checkMs,
      maxHeaderSize: maxHeaderBytes,
      requireHostHeader: false,
    },
    inTurn,
  );
  server.maxConnections = maxConnections;
  // Their size has a limit. Beyond a number Node.js would leave headers out without a word, a second Host among them.
  server.maxHeadersCount = 0;
  // Expectations that nobody here knows are of no consequence: it is a request like any other, to all that listen for those.
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
      answered: false,
      out: outOf(socket),
      outSinceMs: now,
    };
    const last = exchanges.get(socket);
    // A connection keeps its place: a map from which something is removed with each request is made anew all the time, and what was in it is collected late.
    if (last) Object.assign(last, begun);
    else exchanges.set(socket, begun);
  });
  const check = setInterval(() => {
    const now = clock.look();
    for (const [socket, exchange] of exchanges) {
      if (isNotTaken(socket, exchange, now, stallTimeoutMs)) socket.destroy();
      else if (stalls(exchange, now, stallTimeoutMs)) cut(server, socket, exchange);
    }
  }, checkMs);
  server.on('close', () => clearInterval(check));
  check.unref();
  return server;
}

/** Closes what a new connection is too many for: one that is idle, or itself. */
function createRoomMaker(
  { maxConnections, maxConnectionsPerAddress, isSharedAddress: speaksForMany }: HttpServerLimits,
  exchanges: ReadonlyMap<Socket, Exchange>,
): (socket: Socket) => void {
  const crowded = maxConnections * crowdedPart;
  const openBy = new Map<string, number>();
  let open = 0;
  const closing = new WeakSet<Socket>();
  const count = (address: string, more: 1 | -1): number => {
    open += more;
    const own = (openBy.get(address) ?? 0) + more;
    if (own === 0) openBy.delete(address);
    else openBy.set(address, own);
    return own;
  };
  /** Whether there was one. */
  const closeIdle = (address?: string): boolean => {
    let longest: Socket | undefined;
    let longestSinceMs = Infinity;
    for (const [socket, { request, response, sinceMs }] of exchanges) {
      if (sinceMs >= longestSinceMs || closing.has(socket) || !request.complete || !response.writableFinished) continue;
      if (address !== undefined && socket.remoteAddress !== address) continue;
      longest = socket;
      longestSinceMs = sinceMs;
    }
    if (!longest) return false;
    closing.add(longest);
    longest.destroy();
    return true;
  };
  return (socket) => {
    const address = socket.remoteAddress ?? '';
    const own = count(address, 1);
    socket.once('close', () => count(address, -1));
    const tooMany = maxConnectionsPerAddress > 0 && own > maxConnectionsPerAddress && !speaksForMany(address);
    if (tooMany) {
      if (!closeIdle(address)) socket.destroy();
    } else if (open > crowded) closeIdle();
  };
}

/** Of a large piece a slow reader takes parts, which only the handle of the socket tells; Node's own timeouts look there, too. */
function outOf(socket: Socket): Out {
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize: number } | null };
  return { bytes: socket.bytesWritten - socket.writableLength, queuedBytes: handle?.writeQueueSize ?? 0 };
}

/** Whether there is something of an answer to take, and nothing has been taken of it for this time. */
function isNotTaken(socket: Socket, exchange: Exchange, now: number, stallTimeoutMs: number): boolean {
  const out = outOf(socket);
  const unchanged = out.bytes === exchange.out.bytes && out.queuedBytes === exchange.out.queuedBytes;
  if (socket.writableLength > 0 && unchanged) return now - exchange.outSinceMs >= stallTimeoutMs;
  exchange.out = out;
  exchange.outSinceMs = now;
  return false;
}

function stalls(exchange: Exchange, now: number, stallTimeoutMs: number): boolean {
  const { request, response } = exchange;
  if (request.complete) return false;
  const { bytesRead } = request.socket;
  const lastedMs = now - exchange.sinceMs;
  if (exchange.answered) return lastedMs >= Math.min(lingerMs, stallTimeoutMs);
  exchange.answered = response.writableFinished;
  const enough = exchange.answered || bytesRead - exchange.bytesRead >= minBodyBytes;
  // What is not read at the moment cannot come in.
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
