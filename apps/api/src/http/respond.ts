import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { messageOf, stringifyJson, type Logger } from '@tieout/infra';
import type { Reply, ReplyHeaders, StreamReply } from './reply';
import type { Untaken } from './untaken';

export const jsonType = 'application/json; charset=utf-8';

/** What was answered, for tests that hold every answer against the OpenAPI document. */
export interface SentResponse {
  status: number;
  contentType: string | undefined;
  headers: ReplyHeaders;
  /** Undefined when there was none. */
  body: string | undefined;
}

interface SendOptions {
  /** Collects what is sent, streams included. */
  observe: boolean;
  logger: Logger;
  untaken: Untaken;
}

/** Sends an answer. Resolves once it is handed over to the connection, or given up because the receiver is gone. */
export async function send(response: ServerResponse, reply: Reply, options: SendOptions): Promise<SentResponse> {
  if (response.headersSent) return overtaken(response);
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
  if (reply.kind === 'stream') return sendStream(response, reply, options);
  const contentType = reply.kind === 'bytes' ? reply.contentType : reply.body === undefined ? undefined : jsonType;
  const text = bodyOf(reply);
  // A string would be gone through once for its length, and again when it is written.
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  response.statusCode = reply.status;
  if (contentType !== undefined) response.setHeader('Content-Type', contentType);
  if (body !== undefined) response.setHeader('Content-Length', body.length);
  response.end(body);
  options.untaken.add(response);
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

/** The end of the process has overtaken the request: it is answered already. */
const overtaken = ({ statusCode }: ServerResponse): SentResponse => ({
  status: statusCode,
  contentType: jsonType,
  headers: {},
  body: undefined,
});

async function sendStream(
  response: ServerResponse,
  reply: StreamReply,
  { observe, logger, untaken }: SendOptions,
): Promise<SentResponse> {
  const iterator = reply.chunks[Symbol.asyncIterator]();
  // Until the first chunk is there, a failure can still become a proper error.
  let next = await iterator.next();
  if (response.headersSent) {
    await iterator.return?.();
    return overtaken(response);
  }
  response.statusCode = reply.status;
  response.setHeader('Content-Type', reply.contentType);
  let observed = '';
  try {
    while (!next.done) {
      if (observe) observed += next.value.toString();
      if (!response.write(next.value) && !response.destroyed) {
        untaken.add(response);
        await drained(response);
        untaken.remove(response);
      }
      if (response.destroyed) break;
      next = await iterator.next();
    }
  } catch (error) {
    // Of one that nobody reads any more that is no news.
    if (!response.destroyed) logger.error({ err: error, reason: messageOf(error) }, 'a stream failed half-way');
    // The receiver must not take a part for the whole.
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
