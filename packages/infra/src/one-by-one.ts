import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait for the answers to those before them. Who sends more without reading is cut off. */
const mostWaiting = 32;

/**
 * Hands out the requests of a connection one by one, each when the answer to the one before is out. Node hands out all that have arrived,
 * and keeps what they are answered with until the client takes it.
 */
export function oneByOne(handler: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();
  const begin = (socket: Socket, line: [IncomingMessage, ServerResponse][], request: IncomingMessage, response: ServerResponse): void => {
    response.once('close', () => {
      const next = line.shift();
      if (next === undefined || socket.destroyed) lines.delete(socket);
      else begin(socket, line, ...next);
    });
    handler(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (line === undefined) {
      const own: [IncomingMessage, ServerResponse][] = [];
      lines.set(socket, own);
      begin(socket, own, request, response);
    } else if (line.length < mostWaiting) line.push([request, response]);
    else socket.destroy();
  };
}
