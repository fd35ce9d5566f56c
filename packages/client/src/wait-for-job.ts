import { TieoutError } from './error';
import type { components } from './generated/api';
import type { Operations } from './generated/operations';
import { maxOutageMs, outlast, pause } from './retry';

export type MatchingJob = components['schemas']['MatchingJob'];

export interface WaitOptions {
  /** Called with every state that differs from the one before it. */
  onProgress?: ((job: MatchingJob) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** The longest wait; then the promise is rejected and the job goes on. Default: none. */
  timeoutMs?: number | undefined;
}

/** The longest time that a timer can be set for. */
const maxTimerMs = 2 ** 31 - 1;
const firstPauseMs = 100;
const maxPauseMs = 3_000;
const ended: readonly string[] = ['completed', 'failed', 'cancelled'];

/** Resolves with a matching job once it is completed, failed or cancelled. A restart of the service is waited for. */
export async function waitForJob(
  client: Pick<Operations, 'getMatchingJob'>,
  id: string,
  { onProgress, signal, timeoutMs = Infinity }: WaitOptions = {},
): Promise<MatchingJob> {
  const endMs = performance.now() + timeoutMs;
  let last: MatchingJob | undefined;
  // The time bounds requests and their retries too, not only the pauses between them.
  const waiting = new AbortController();
  const onAbort = (): void => waiting.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const timeUp = (): void => waiting.abort(errorOfTime(id, timeoutMs, last));
  const timer = timeoutMs > maxTimerMs ? undefined : setTimeout(timeUp, timeoutMs);
  try {
    let seen = '';
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
      const ask = () => client.getMatchingJob({ path: { id }, signal: waiting.signal });
      last = await outlast(ask, waiting.signal, Math.min(maxOutageMs, endMs - performance.now()));
      const state = JSON.stringify(last);
      if (state !== seen) onProgress?.(last);
      seen = state;
      if (ended.includes(last.status)) return last;
      await pause(pauseMs, waiting.signal);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function errorOfTime(id: string, timeoutMs: number, last: MatchingJob | undefined): TieoutError {
  if (last === undefined)
    return new TieoutError(`No answer about the job ${id} within ${timeoutMs} ms.`, { status: 0, code: 'no_answer' });
  const message = `The job ${id} is still ${last.status} after ${timeoutMs} ms.`;
  return new TieoutError(message, { status: 0, code: 'still_running' });
}
