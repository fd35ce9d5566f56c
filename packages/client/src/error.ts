/** One fault of a request. */
export interface RequestFault {
  /** A JSON pointer into the body; /query/…, /path/… and /headers/… for the rest of the request. */
  path: string;
  code: string;
  message: string;
}

interface ErrorBody {
  code: string;
  message: string;
  request_id?: string;
  errors?: RequestFault[];
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' &&
  body !== null &&
  typeof (body as ErrorBody).code === 'string' &&
  typeof (body as ErrorBody).message === 'string';

/** A request that failed, with what the service said about it. */
export class TieoutError extends Error {
  override readonly name = 'TieoutError';
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  /**
   * The code of the service, such as `dataset_not_found`. Where it sent none: `no_answer`, `no_tieout_answer`,
   * `redirected`, or `unsendable_header` for a key or a name that no header can hold.
   */
  readonly code: string;
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** The faults of a request that was refused as invalid. */
  readonly errors: readonly RequestFault[];
  /** The wait that the service asks for before another try, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    details: {
      status: number;
      code: string;
      requestId?: string | undefined;
      errors?: readonly RequestFault[] | undefined;
      retryAfterMs?: number | undefined;
    },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = details.status;
    this.code = details.code;
    this.requestId = details.requestId;
    this.errors = details.errors ?? [];
    this.retryAfterMs = details.retryAfterMs;
  }

  /** Returns the same error for a caller who knows the parts of the request by other names than their paths. */
  withPaths(nameOf: (path: string) => string): TieoutError {
    const errors = this.errors.map((fault) => ({ ...fault, path: nameOf(fault.path) }));
    const [first] = this.errors;
    const isOfFirst = first !== undefined && this.message.startsWith(`${first.path}: `);
    const message = isOfFirst ? nameOf(first.path) + this.message.slice(first.path.length) : this.message;
    const { status, code, requestId, retryAfterMs } = this;
    return new TieoutError(message, { status, code, requestId, errors, retryAfterMs }, { cause: this });
  }
}

/** The wait of a `Retry-After`, in seconds or until a date by the clock of the server; undefined without one. */
export function askedMs({ headers }: Response): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const nowMs = Date.parse(headers.get('date') ?? '') || Date.now();
  const untilMs = Date.parse(text);
  return Number.isNaN(untilMs) ? undefined : Math.max(0, untilMs - nowMs);
}

/** The error of an answer that is not a success. */
export function errorOfAnswer(response: Response, body: unknown): TieoutError {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const { status } = response;
  const retryAfterMs = askedMs(response);
  if (!isErrorBody(body)) {
    const message = `The server answered ${status} without an error of Tieout: is the address right?`;
    return new TieoutError(message, { status, code: 'no_tieout_answer', requestId, retryAfterMs });
  }
  return new TieoutError(body.message, {
    status,
    code: body.code,
    requestId: body.request_id ?? requestId,
    errors: body.errors,
    retryAfterMs,
  });
}

/** The error of a redirect, which is not followed. */
export async function errorOfRedirect(url: string, response: Response): Promise<TieoutError> {
  await response.body?.cancel();
  const { origin } = new URL(url);
  const location = response.headers.get('location') ?? '';
  const target = URL.canParse(location, url) ? new URL(location, url) : undefined;
  const to = target === undefined ? 'another address' : `${target.origin}${target.pathname}`;
  return new TieoutError(
    `${origin} redirects to ${to}, where the request and its key are not sent: use the address of the service itself`,
    { status: response.status, code: 'redirected' },
  );
}

/** The error of a request that got no answer. */
export function errorWithoutAnswer(url: string, cause: unknown): TieoutError {
  const inner = cause instanceof Error ? ((cause.cause as Error | undefined)?.message ?? cause.message) : String(cause);
  const reason = inner === '' ? 'no connection' : inner;
  return new TieoutError(
    `No answer from ${new URL(url).origin}: ${reason}`,
    { status: 0, code: 'no_answer' },
    { cause },
  );
}
