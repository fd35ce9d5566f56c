export type ReplyHeaders = Readonly<Record<string, string | string[]>>;

export type Reply =
  | { kind: 'json'; status: number; body: unknown; headers: ReplyHeaders }
  | { kind: 'bytes'; status: number; contentType: string; body: string | Buffer; headers: ReplyHeaders }
  | StreamReply;

/** A piece of an answer; bytes where it is large, because it may wait long for its reader. */
export type Chunk = string | Buffer;

export interface StreamReply {
  kind: 'stream';
  status: number;
  contentType: string;
  chunks: AsyncIterable<Chunk>;
  headers: ReplyHeaders;
}

/** Makes a JSON answer; without a body an empty one (204). */
export function reply(status: number, body?: unknown, headers: ReplyHeaders = {}): Reply {
  return { kind: 'json', status, body, headers };
}

/** Makes an answer of any media type that is whole in memory. */
export function replyBytes(
  status: number,
  contentType: string,
  body: string | Buffer,
  headers: ReplyHeaders = {},
): Reply {
  return { kind: 'bytes', status, contentType, body, headers };
}

/**
 * Makes an answer that is produced while it is sent, at the pace of the client. A failure before the first chunk is a
 * proper error. The handler must not change anything, because it runs again when the chunks have to wait.
 */
export function replyStream(
  status: number,
  contentType: string,
  chunks: AsyncIterable<Chunk>,
  headers: ReplyHeaders = {},
): Reply {
  return { kind: 'stream', status, contentType, chunks, headers };
}
