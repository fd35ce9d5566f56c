export type ReplyHeaders = Readonly<Record<string, string>>;

export type Reply =
  | { kind: 'json'; status: number; body: unknown; headers: ReplyHeaders }
  | { kind: 'bytes'; status: number; contentType: string; body: string | Buffer; headers: ReplyHeaders }
  | StreamReply;

/** Bytes where it is large: a reader takes its time. */
export type Chunk = string | Buffer;

export interface StreamReply {
  kind: 'stream';
  status: number;
  contentType: string;
  chunks: AsyncIterable<Chunk>;
  headers: ReplyHeaders;
}

/** A JSON answer; without a body an empty one (204). */
export function reply(status: number, body?: unknown, headers: ReplyHeaders = {}): Reply {
  return { kind: 'json', status, body, headers };
}

/** An answer of another media type, whole in memory. */
export function replyBytes(
  status: number,
  contentType: string,
  body: string | Buffer,
  headers: ReplyHeaders = {},
): Reply {
  return { kind: 'bytes', status, contentType, body, headers };
}

/**
 * An answer that is produced while it is sent, at the pace of the receiver. A failure before the first chunk is a proper error.
 * Its handler changes nothing: it is run again when the chunks have to wait.
 */
export function replyStream(
  status: number,
  contentType: string,
  chunks: AsyncIterable<Chunk>,
  headers: ReplyHeaders = {},
): Reply {
  return { kind: 'stream', status, contentType, chunks, headers };
}
