import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { messageOf, stringifyJson, type Logger } from '@tieout/infra';
import type { Reply, ReplyHeaders, StreamReply } from './reply';
import type { UnreadResponses } from './unread-responses';

export const jsonType = 'application/json; charset=utf-8';

/** An answer that was sent; tests compare each with the OpenAPI document. */
export interface SentResponse {
  status: number;
  contentType: string | undefined;
  headers: ReplyHeaders;
  /** Undefined when it was empty or not observed. */
  body: string | undefined;
}

interface SendOptions {
  /** Collects what is sent, streams included. */
  observe: boolean;
  logger: Logger;
  unreadResponses: UnreadResponses;
}

/** Sends an answer. Resolves when the connection has taken it, or when the client is gone. */
export async function send(response: ServerResponse, reply: Reply, options: SendOptions): Promise<SentResponse> {
  if (response.headersSent) return alreadyAnswered(response);
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
  if (reply.kind === 'stream') return sendStream(response, reply, options);
  const contentType = reply.kind === 'bytes' ? reply.contentType : reply.body === undefined ? undefined : jsonType;
  const text = bodyOf(reply);
  // Node.js would encode a string twice: once for its length, once to write it.
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  response.statusCode = reply.status;
  if (contentType !== undefined) response.setHeader('Content-Type', contentType);
  if (body !== undefined) response.setHeader('Content-Length', body.length);
  response.end(body);
  options.unreadResponses.add(response);
  return {
    status: reply.status,
    contentType,
    headers: reply.headers,
    body: options.observe ? body?.toString() : undefined,
  };
}

export function bodyOf(reply: Exclude<Reply, StreamReply>): string | Buffer | undefined {
  if (reply.kind === 'bytes') return reply.body;
  return reply.body === undefined ? undefined : stringifyJson(reply.body);
}

/** The answer to a request that the shutdown has refused already. */
const alreadyAnswered = ({ statusCode }: ServerResponse): SentResponse => ({
  status: statusCode,
  contentType: jsonType,
  headers: {},
  body: undefined,
});

async function sendStream(
  response: ServerResponse,
  reply: StreamReply,
  { observe, logger, unreadResponses }: SendOptions,
): Promise<SentResponse> {
  const iterator = reply.chunks[Symbol.asyncIterator]();
  // Until the first chunk is written, a failure can still become a proper error.
  let next = await iterator.next();
  if (response.headersSent) {
    await iterator.return?.();
    return alreadyAnswered(response);
  }
  response.statusCode = reply.status;
  response.setHeader('Content-Type', reply.contentType);
  let observed = '';
  try {
    while (!next.done) {
      if (observe) observed += next.value.toString();
      if (!response.write(next.value) && !response.destroyed) {
        unreadResponses.add(response);
        await drained(response);
        unreadResponses.remove(response);
      }
      if (response.destroyed) break;
      next = await iterator.next();
    }
  } catch (error) {
    // A failure after the client has gone needs no log line.
    if (!response.destroyed) logger.error({ err: error, reason: messageOf(error) }, 'a stream failed half-way');
    // Without this the client would take a part for the whole.
    response.destroy();
  } finally {
    if (!next.done) await iterator.return?.();
  }
  if (!response.destroyed) response.end();
  return {
    status: reply.status,
    contentType: reply.contentType,
    headers: reply.headers,
    body: observe ? observed : undefined,
  };
}

async function drained(response: ServerResponse): Promise<void> {
  const settled = new AbortController();
  try {
    await Promise.race([
      once(response, 'drain', { signal: settled.signal }),
      once(response, 'close', { signal: settled.signal }),
    ]);
  } finally {
    settled.abort();
  }
}
