export interface RunningTimeout {
  /** Begins anew. */
  refresh(): void;
  clear(): void;
}

const looks = 10;

/**
 * Calls once so much time has passed while this process ran. In that in which it was stopped, or its machine slept, nobody
 * had a chance to be in time. At most a tenth late.
 */
export function runningTimeout(limitMs: number, onOver: () => void): RunningTimeout {
  const everyMs = limitMs / looks;
  let usedMs = 0;
  let lookedMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    usedMs += Math.min(nowMs - lookedMs, 2 * everyMs);
    lookedMs = nowMs;
    if (usedMs < limitMs) return;
    clearInterval(timer);
    onOver();
  }, everyMs);
  return { refresh: () => void (usedMs = 0), clear: () => clearInterval(timer) };
}
