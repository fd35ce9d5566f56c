export interface RunningTimeout {
  /** Begins anew. */
  refresh(): void;
  clear(): void;
}

const looks = 10;

/** For a timer: each call gives the time since the last one, without that in which this process was stopped or its machine slept. */
export function runningLap(everyMs: number): () => number {
  let lookedMs = performance.now();
  return () => {
    const nowMs = performance.now();
    const sinceMs = Math.min(nowMs - lookedMs, 2 * everyMs);
    lookedMs = nowMs;
    return sinceMs;
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
