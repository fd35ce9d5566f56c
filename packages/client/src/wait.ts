import { TieoutError } from './error';
import { follow, maxOutageMs, repeatThroughOutage, pause } from './retry';

export interface WaitOptions<State> {
  /** Called with every state that differs from the one before it. */
  onProgress?: ((state: State) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** Max wait, after which the promise is rejected; the work itself continues. Default: none. */
  timeoutMs?: number | undefined;
}

interface Work<State> {
  /** Names the work in messages, such as `job 7`. */
  name: string;
  ask: (signal: AbortSignal) => Promise<State>;
  hasEnded: (state: State) => boolean;
}

/** The longest time that a timer can be set for. */
const maxTimerMs = 2 ** 31 - 1;
const firstPauseMs = 100;
const maxPauseMs = 3_000;

/** Resolves with the state of some work once it has ended. A restart of the service is waited for. */
export async function waitForEnd<State extends { status: string }>(
  { name, ask, hasEnded }: Work<State>,
  { onProgress, signal, timeoutMs = Infinity }: WaitOptions<State>,
): Promise<State> {
  const endMs = performance.now() + timeoutMs;
  let last: State | undefined;
  // The time bounds requests and their retries too, not only the pauses between them.
  const { own: waiting, release } = follow(signal);
  const timeUp = (): void => waiting.abort(errorOfTime(name, timeoutMs, last));
  const timer = timeoutMs > maxTimerMs ? undefined : setTimeout(timeUp, timeoutMs);
  try {
    let seen = '';
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
      const maxMs = Math.min(maxOutageMs, endMs - performance.now());
      last = await repeatThroughOutage(() => ask(waiting.signal), { signal: waiting.signal, maxMs });
      const state = JSON.stringify(last);
      if (state !== seen) onProgress?.(last);
      seen = state;
      if (hasEnded(last)) return last;
      await pause(pauseMs, waiting.signal);
    }
  } finally {
    clearTimeout(timer);
    release();
  }
}

function errorOfTime(name: string, timeoutMs: number, last: { status: string } | undefined): TieoutError {
  if (last === undefined)
    return new TieoutError(`No answer about the ${name} within ${timeoutMs} ms.`, { status: 0, code: 'no_answer' });
  const message = `The ${name} is still ${last.status} after ${timeoutMs} ms.`;
  return new TieoutError(message, { status: 0, code: 'still_running' });
}
