export interface RunningTimeout {
  /** Begins anew. */
  refresh(): void;
  clear(): void;
}

const looks = 10;

export interface RunningClock {
  nowMs(): number;
  /** For a timer that comes each `everyMs`: the time, and what counts as one of its steps begins. */
  look(): number;
}

/** A clock without the time in which this process was stopped or its machine slept: a timer that comes late by more than it waits tells of that. */
export function runningClock(everyMs: number): RunningClock {
  let lookedMs = performance.now();
  let ranMs = 0;
  const nowMs = (): number => ranMs + Math.min(performance.now() - lookedMs, 2 * everyMs);
  return {
    nowMs,
    look: () => {
      ranMs = nowMs();
      lookedMs = performance.now();
      return ranMs;
    },
  };
}

/** For a timer: each call gives the time since the last one, without that in which this process was stopped or its machine slept. */
export function runningLap(everyMs: number): () => number {
  const clock = runningClock(everyMs);
  let lookedMs = 0;
  return () => {
    const beforeMs = lookedMs;
    lookedMs = clock.look();
    return lookedMs - beforeMs;
  };
}

/**
 * Calls once so much time has passed while this process ran. In that in which it was stopped, or its machine slept, nobody
 * had a chance to be in time. At most a tenth late.
 */
export function runningTimeout(limitMs: number, onOver: () => void): RunningTimeout {
  const everyMs = limitMs / looks;
  const lap = runningLap(everyMs);
  let usedMs = 0;
  const timer = setInterval(() => {
    usedMs += lap();
    if (usedMs < limitMs) return;
    clearInterval(timer);
    onOver();
  }, everyMs);
  return { refresh: () => void (usedMs = 0), clear: () => clearInterval(timer) };
}
