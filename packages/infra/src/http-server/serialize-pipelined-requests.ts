import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait for the answers to those before them, and bytes of their heads. Who sends more without reading is cut off. */
const mostWaiting = 32;
const mostWaitingBytes = 32 * 1024;
/** Of all connections together: each takes some kilobytes. */
const mostWaitingInAll = 2_048;

type Pair = [IncomingMessage, ServerResponse];

/** The requests of a connection that wait. */
interface Line {
  pairs: Pair[];
  bytes: number;
}

/**
 * Hands out the requests of a connection one by one, each when the answer to the one before is out. Node hands out all that have arrived,
 * and keeps what they are answered with until the client takes it.
 */
export function serializePipelinedRequests(handler: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  let waiting = 0;
  const begin = (socket: Socket, line: Line, [request, response]: Pair): void => {
    response.once('close', () => {
      // What waits for a connection that ends is not begun: nobody would learn of it.
      if (!socket.writable) {
        waiting -= line.pairs.length;
        lines.delete(socket);
        return;
      }
      const next = line.pairs.shift();
      if (next === undefined) {
        lines.delete(socket);
        return;
      }
      waiting -= 1;
      line.bytes -= headBytes(next[0]);
      begin(socket, line, next);
    });
    // Who has waited for too long may be answered already.
    if (!response.writableEnded) handler(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    if (!socket.writable) return;
    const line = lines.get(socket);
    if (line === undefined) {
      const own: Line = { pairs: [], bytes: 0 };
      lines.set(socket, own);
      begin(socket, own, [request, response]);
      return;
    }
    const bytes = line.bytes + headBytes(request);
    if (line.pairs.length >= mostWaiting || bytes > mostWaitingBytes || waiting >= mostWaitingInAll) {
      socket.destroy();
      return;
    }
    line.pairs.push([request, response]);
    line.bytes = bytes;
    waiting += 1;
  };
}

const headBytes = ({ url = '', rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + text.length, url.length);
