import { askedMs, errorOfRedirect, errorWithoutAnswer, TieoutError } from './error';

export interface RetryOptions {
  /** The maximum number of times that a request is sent again. */
  maxRetries: number;
  /** The longest wait for the head of one answer; five times that for each part of a stream to leave. */
  timeoutMs: number;
  onRetry?: ((retry: Retry) => void) | undefined;
}

/** A request that is about to be sent again. */
export interface Retry {
  /** The reason, which names the address. */
  reason: string;
  /** The wait before it is sent. */
  waitMs: number;
}

/** Node forgets the signal of a `Request` that is collected while it waits; the one beside it holds. */
export type Fetch = (request: Request, init: { signal: AbortSignal }) => Promise<Response>;

interface SendOptions {
  timeoutMs?: number | undefined;
  /** The body can be sent only once. */
  isStream?: boolean;
  /** The caller reads the body of a success; else an answer counts once it is whole. */
  isStreamed?: boolean;
  signal?: AbortSignal | undefined;
}

/** Parts of a stream that have left may wait in buffers on a slow line: its answer takes as many times longer. */
const streamFactor = 5;
const firstWaitMs = 250;
const maxWaitMs = 10_000;
const maxAskedMs = 60_000;

/** Methods that may be carried out twice. */
const repeatable = ['GET', 'HEAD', 'PUT', 'DELETE'];

/** The service has not carried the request out, or is about to. */
const refusedForNow = [429];
/** A repeatable request may succeed when it comes again. */
const maybeCarriedOut = [502, 503, 504];

/** Returns a controller that aborts with a signal, on which it leaves no listener once it is released. */
export function follow(signal?: AbortSignal): { own: AbortController; release: () => void } {
  const own = new AbortController();
  const onAbort = (): void => own.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  return { own, release: () => signal?.removeEventListener('abort', onAbort) };
}

/** Waits; rejects with the reason of the signal once it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * The wait that the service asks for, else one that doubles; with jitter, so that callers do not return together.
 * Undefined when the service asks for more than a caller waits.
 */
function waitMs(retry: number, asked: number | undefined): number | undefined {
  const jitter = 1 + Math.random() / 4;
  if (asked !== undefined) return asked > maxAskedMs ? undefined : asked * jitter;
  return Math.min(firstWaitMs * 2 ** retry, maxWaitMs) * jitter;
}

const keyInUse = 'idempotency_key_in_use';

async function isKeyInUse(response: Response): Promise<boolean> {
  if (response.status !== 409) return false;
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { code?: unknown } | undefined;
  return body?.code === keyInUse;
}

/**
 * Sends a request, again after a failure that may pass. A request that could be carried out twice is sent again only
 * when the service refused it unread.
 */
export class RetryingFetch {
  constructor(
    private readonly fetch: Fetch,
    private readonly options: RetryOptions,
  ) {}

  async send(
    request: Request,
    { timeoutMs = this.options.timeoutMs, isStream = false, isStreamed = false, signal }: SendOptions = {},
  ): Promise<Response> {
    const isRepeatable = repeatable.includes(request.method) || request.headers.has('idempotency-key');
    for (let retry = 0; ; retry++) {
      const isLast = isStream || retry >= this.options.maxRetries;
      const result = await this.attempt(isLast ? request : request.clone(), {
        timeoutMs,
        isStream,
        isStreamed,
        signal,
      });
      if (result instanceof Response && isRedirect(result)) throw await errorOfRedirect(request.url, result);
      if (isLast) return settled(result, request, signal);
      const mayRepeat =
        result instanceof Response
          ? refusedForNow.includes(result.status) ||
            (isRepeatable && (maybeCarriedOut.includes(result.status) || (await isKeyInUse(result))))
          : isRepeatable && signal?.aborted !== true;
      if (!mayRepeat) return settled(result, request, signal);
      const answer = result instanceof Response ? result : undefined;
      const ms = waitMs(retry, answer && askedMs(answer));
      if (ms === undefined) return settled(result, request, signal);
      await answer?.body?.cancel();
      this.options.onRetry?.({ reason: reasonOf(result, request.url), waitMs: ms });
      await pause(ms, signal);
    }
  }

  /** One attempt: its answer, or the reason why there is none. */
  private async attempt(
    request: Request,
    { timeoutMs, isStream, isStreamed, signal }: SendOptions & { timeoutMs: number },
  ): Promise<Response | { cause: unknown }> {
    const { own, release } = follow(signal);
    const timer = new AnswerTimer(isStream === true ? streamFactor * timeoutMs : timeoutMs, own);
    const { signal: bound } = own;
    try {
      const body = isStream ? request.body?.pipeThrough(timer.restarts()) : undefined;
      // A redirect would take the key to whatever address it names.
      const init = { signal: bound, redirect: 'manual', ...(body && ({ body, duplex: 'half' } as const)) } as const;
      const answer = await this.fetch(new Request(request, init), { signal: bound });
      timer.stop();
      return answer.body === null || (answer.ok && isStreamed) ? answer : await whole(answer);
    } catch (cause) {
      release();
      return { cause };
    } finally {
      timer.stop();
    }
  }
}

/** Aborts a request that gets no answer in time. The time begins again with each part of a stream that leaves. */
class AnswerTimer {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isStopped = false;

  constructor(
    private readonly timeoutMs: number,
    private readonly request: AbortController,
  ) {
    this.start();
  }

  restarts(): TransformStream<Uint8Array, Uint8Array> {
    return new TransformStream({
      transform: (chunk, to) => {
        this.start();
        to.enqueue(chunk);
      },
    });
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private start(): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    const timeUp = (): void => this.request.abort(new Error(`no answer within ${this.timeoutMs} ms`));
    this.timer = setTimeout(timeUp, this.timeoutMs);
  }
}

/** Reads an answer to its end, before which the connection may break. */
async function whole(answer: Response): Promise<Response> {
  const bytes = await answer.arrayBuffer();
  // Browsers give an empty body to a 204, and make no answer of that status with one.
  return new Response(bytes.byteLength === 0 ? null : bytes, answer);
}

/** A browser hides the status of a redirect that it does not follow. */
const isRedirect = ({ type, status, headers }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400 && headers.has('location'));

const reasonOf = (result: Response | { cause: unknown }, url: string): string =>
  result instanceof Response
    ? `${new URL(url).origin} answered ${result.status}`
    : errorWithoutAnswer(url, result.cause).message;

function settled(result: Response | { cause: unknown }, request: Request, signal?: AbortSignal): Response {
  if (result instanceof Response) return result;
  if (signal?.aborted) throw signal.reason;
  throw errorWithoutAnswer(request.url, result.cause);
}

/** Returns whether what may be done twice may succeed later. */
const mayPass = (error: unknown): error is TieoutError =>
  error instanceof TieoutError &&
  (['no_answer', keyInUse].includes(error.code) || [...refusedForNow, ...maybeCarriedOut].includes(error.status));

/** The longest time without an answer that is waited for. */
export const maxOutageMs = 120_000;

interface OutageOptions extends Pick<RetryOptions, 'onRetry'> {
  signal?: AbortSignal | undefined;
  maxMs?: number;
}

/** Repeats what may be done twice while the service does not take it, as during its restart. */
export async function repeatThroughOutage<T>(
  work: () => Promise<T>,
  { signal, maxMs = maxOutageMs, onRetry }: OutageOptions,
): Promise<T> {
  const endMs = performance.now() + maxMs;
  for (let retry = 0; ; retry++) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || signal?.aborted) throw error;
      const ms = waitMs(retry, error.retryAfterMs);
      if (ms === undefined || performance.now() + ms > endMs) throw error;
      onRetry?.({ reason: error.message, waitMs: ms });
      await pause(ms, signal);
    }
  }
}
