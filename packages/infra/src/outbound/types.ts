import type { IncomingHttpHeaders } from 'node:http';

/** The operator's exceptions to what outbound requests may reach. */
export interface OutboundPolicy {
  allowedPorts: readonly number[];
  /** Ranges (`10.0.0.0/8`, `fd00::/8`) that are allowed though they are not public, IP literals in urls included. */
  allowCidrs: readonly string[];
  /** PEM certificates that are trusted besides the usual ones. */
  extraCa?: string | Buffer;
  /**
   * Nothing but these origins, which the operator has named; their ports and names are not judged. Addresses are: https reaches
   * public and listed ones, http those of this machine and of private networks.
   */
  origins?: readonly string[];
}

export type UrlVerdict =
  | { ok: true; /** As the URL standard normalises it. */ url: string }
  | { ok: false; reason: 'not_https' | 'not_allowed'; /** Follows the name of the field: "must …". */ message: string };

export type PostOutcome =
  | 'delivered'
  | 'http_status'
  | 'redirect'
  | 'timeout'
  | 'dns_error'
  | 'connection_refused'
  | 'connection_reset'
  | 'tls_error'
  | 'protocol_error'
  | 'blocked_address';

/** How far the body of an answer was read: to its end, to the limit, to the deadline, or to where the connection broke. */
export type BodyState = 'complete' | 'truncated' | 'deadline' | 'error';

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  /** Sent byte for byte. Values are printable ASCII without spaces at their ends; Host and Content-Length are set by the client. */
  headers: Readonly<Record<string, string>>;
  body?: Buffer;
  /** Over everything: name lookup, connection, TLS, headers and body of the answer. */
  deadlineMs: number;
  /** What is read of the answer's body; the connection is closed where more comes. */
  maxBodyBytes: number;
  /** It may arrive twice: it is sent again at once where a kept connection turns out to be closed. */
  repeatable?: boolean;
  /** Over a connection of its own, which no other request has used. */
  ownConnection?: boolean;
  signal?: AbortSignal;
}

export interface OutboundReply {
  /** Decided by the status line alone: `delivered` is 200 to 299. */
  outcome: PostOutcome;
  httpStatus: number | null;
  /** Of the answer; names in lower case. */
  headers: IncomingHttpHeaders;
  /** As it came over the wire: a compressed body stays compressed. */
  body: Buffer;
  /** null without an answer. */
  bodyState: BodyState | null;
  durationMs: number;
  /** The address that answered. */
  remoteAddress: string | null;
  /** What went wrong, for a person who can do something about it. Holds no header of the request. */
  error: string | null;
  /** `connection_reset` of a kept connection, before any byte of an answer: over another one it may go well. */
  staleConnection: boolean;
}

export interface OutboundResult {
  outcome: PostOutcome;
  httpStatus: number | null;
  durationMs: number;
  /** The beginning of the answer's body, at most 4 KiB: as text, or as `data:;base64,…` when it is no UTF-8 text. */
  responseSnippet: string | null;
  bodyState: BodyState | null;
  remoteAddress: string | null;
  retryAfter: string | null;
  error: string | null;
  /** As in `OutboundReply`. */
  staleConnection: boolean;
}

export interface WebhookAttempt extends Pick<
  OutboundRequest,
  'url' | 'headers' | 'deadlineMs' | 'ownConnection' | 'signal'
> {
  body: Buffer;
}

export interface OutboundClient {
  /** The rules that need no network. */
  checkUrl(url: string): UrlVerdict;
  /** The same, and every address of the name must be allowed. A name that cannot be resolved now is accepted. */
  checkResolved(url: string): Promise<UrlVerdict>;
  /** One attempt of a webhook, which is one request at most. At most 16 KiB of the answer is read. @throws what `signal` was aborted with; TypeError for a header that cannot be sent */
  post(attempt: WebhookAttempt): Promise<OutboundResult>;
  /** Any request under the same rules. @throws like `post` */
  request(request: OutboundRequest): Promise<OutboundReply>;
  /** Ends all connections at once. */
  close(): Promise<void>;
}

/**
 * All addresses of a host name. Rejects when it has none; a `code` such as ENOTFOUND is shown to people. What it has not
 * answered when the signal aborts is of no use any more.
 */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>;
