import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Limits the waiting requests of a connection and their heads. A client that sends more is cut off. */
const maxWaiting = 32;
const maxWaitingBytes = 32 * 1024;
/** Limits the waiting requests of all connections: each takes some kilobytes. */
const maxWaitingInAll = 2_048;

type Exchange = [IncomingMessage, ServerResponse];

/** The waiting requests of a connection. */
interface Pipeline {
  waiting: Exchange[];
  bytes: number;
}

/**
 * Handles the pipelined requests of a connection one by one, each after the answer to the previous one is sent. Node
 * itself handles all that have arrived at once, and keeps their answers until the client takes them.
 */
export function serializePipelinedRequests(handler: RequestListener): RequestListener {
  const pipelines = new WeakMap<Socket, Pipeline>();
  let waitingInAll = 0;
  const begin = (socket: Socket, pipeline: Pipeline, [request, response]: Exchange): void => {
    response.once('close', () => {
      const next = pipeline.waiting.shift();
      // The waiting requests of a closed connection are dropped: their answers would reach no client.
      if (!socket.writable || !next) {
        waitingInAll -= pipeline.waiting.length + (next ? 1 : 0);
        pipelines.delete(socket);
        return;
      }
      waitingInAll--;
      pipeline.bytes -= headBytes(next[0]);
      begin(socket, pipeline, next);
    });
    // A request that has waited for too long may be answered already.
    if (!response.writableEnded) handler(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    if (!socket.writable) return;
    const pipeline = pipelines.get(socket);
    if (pipeline === undefined) {
      const own: Pipeline = { waiting: [], bytes: 0 };
      pipelines.set(socket, own);
      begin(socket, own, [request, response]);
      return;
    }
    const bytes = pipeline.bytes + headBytes(request);
    if (pipeline.waiting.length >= maxWaiting || bytes > maxWaitingBytes || waitingInAll >= maxWaitingInAll) {
      socket.destroy();
      return;
    }
    pipeline.waiting.push([request, response]);
    pipeline.bytes = bytes;
    waitingInAll++;
  };
}

const headBytes = ({ url = '', rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + text.length, url.length);
