/** Rejects with `message` when the work takes longer than the timeout. The work itself is not stopped. */
export async function withDeadline<T>(work: Promise<T>, timeoutMs: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), timeoutMs);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A clock that leaves out the time in which this process was stopped or its machine slept. A timer drives it: a tick
 * that is late by more than its interval reveals such a pause.
 */
interface RunningClock {
  nowMs(): number;
  /** Called by a timer every `everyMs`; returns the time. */
  tick(): number;
}

export function runningClock(everyMs: number): RunningClock {
  let tickedMs = performance.now();
  let ranMs = 0;
  const nowMs = (): number => ranMs + Math.min(performance.now() - tickedMs, 2 * everyMs);
  return {
    nowMs,
    tick: () => {
      ranMs = nowMs();
      tickedMs = performance.now();
      return ranMs;
    },
  };
}

/** Returns a function for a timer that gives the running time since its previous call. */
export function runningLap(everyMs: number): () => number {
  const clock = runningClock(everyMs);
  let previousMs = 0;
  return () => {
    const beforeMs = previousMs;
    previousMs = clock.tick();
    return previousMs - beforeMs;
  };
}

export interface RunningTimeout {
  /** Restarts the timeout. */
  refresh(): void;
  clear(): void;
}

const ticksPerTimeout = 10;

/**
 * Calls `onTimeout` once this process has run for the time. Pauses of the process do not count: nothing could have been
 * in time then. The call is at most a tenth late.
 */
export function runningTimeout(timeoutMs: number, onTimeout: () => void): RunningTimeout {
  const everyMs = timeoutMs / ticksPerTimeout;
  const lap = runningLap(everyMs);
  let usedMs = 0;
  const timer = setInterval(() => {
    usedMs += lap();
    if (usedMs < timeoutMs) return;
    clearInterval(timer);
    onTimeout();
  }, everyMs);
  return { refresh: () => void (usedMs = 0), clear: () => clearInterval(timer) };
}
