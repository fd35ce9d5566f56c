import type { IncomingHttpHeaders } from 'node:http';

/** The operator's exceptions to what outbound requests may reach. */
export interface OutboundPolicy {
  allowedPorts: readonly number[];
  /** Ranges (`10.0.0.0/8`, `fd00::/8`) that are allowed though they are not public, also as IP literals in urls. */
  allowCidrs: readonly string[];
  /** PEM certificates that are trusted besides the usual ones. */
  extraCa?: string | Buffer;
  /**
   * The only allowed origins, when the operator names some. Their ports and names are not checked. Their addresses are:
   * https reaches public and listed ones, http those of this machine and of private networks.
   */
  origins?: readonly string[];
}

export type UrlVerdict =
  | { ok: true; /** Normalised by the URL standard. */ url: string }
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

/** The point to which an answer's body was read: its end, the limit, the deadline, or a break of the connection. */
export type BodyState = 'complete' | 'truncated' | 'deadline' | 'error';

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  /** Sent unchanged: printable ASCII without spaces at the ends. The client sets Host and Content-Length. */
  headers: Readonly<Record<string, string>>;
  body?: Buffer;
  /** Limits everything together: name lookup, connection, TLS, headers and body of the answer. */
  deadlineMs: number;
  /** Limits the bytes of the answer's body; when there are more, the connection is closed. */
  maxBodyBytes: number;
  /** True when it may arrive twice: it is sent again at once when a kept connection turns out to be closed. */
  repeatable?: boolean;
  /** Uses its own connection, which no other request has used. */
  ownConnection?: boolean;
  signal?: AbortSignal;
}

export interface OutboundReply {
  /** Decided only by the status line: `delivered` is 200 to 299. */
  outcome: PostOutcome;
  httpStatus: number | null;
  /** The headers of the answer; names in lower case. */
  headers: IncomingHttpHeaders;
  /** The body as received: a compressed body stays compressed. */
  body: Buffer;
  /** null without an answer. */
  bodyState: BodyState | null;
  durationMs: number;
  /** The address that answered. */
  remoteAddress: string | null;
  /** Describes the failure for a person who can fix it. It contains no header of the request. */
  error: string | null;
  /**
   * True for a `connection_reset` of a kept connection before any byte of an answer: another connection may succeed.
   */
  staleConnection: boolean;
}

export interface OutboundResult {
  outcome: PostOutcome;
  httpStatus: number | null;
  durationMs: number;
  /** The beginning of the answer's body, at most 4 KiB: as text, or as `data:;base64,…` when it is not UTF-8 text. */
  responseSnippet: string | null;
  bodyState: BodyState | null;
  remoteAddress: string | null;
  retryAfter: string | null;
  error: string | null;
  /** See `OutboundReply`. */
  staleConnection: boolean;
}

export interface WebhookAttempt extends Pick<
  OutboundRequest,
  'url' | 'headers' | 'deadlineMs' | 'ownConnection' | 'signal'
> {
  body: Buffer;
}

export interface OutboundClient {
  /** Checks the rules that need no network. */
  checkUrl(url: string): UrlVerdict;
  /** Checks in addition that every address of the name is allowed. A name that cannot be resolved now is accepted. */
  checkResolved(url: string): Promise<UrlVerdict>;
  /**
   * Makes one attempt of a webhook, which is one request at most. At most 16 KiB of the answer is read.
   * @throws the reason of `signal`; TypeError for a header that cannot be sent
   */
  post(attempt: WebhookAttempt): Promise<OutboundResult>;
  /** Sends any request under the same rules. @throws like `post` */
  request(request: OutboundRequest): Promise<OutboundReply>;
  /** Ends all connections at once. */
  close(): Promise<void>;
}

/**
 * Resolves all addresses of a host name. It rejects when there are none; a `code` such as ENOTFOUND is shown to people.
 * After the signal is aborted, the result is not used.
 */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>;
