import { Worker } from 'node:worker_threads';

/** The signal that ends an overdue process: whoever sees it in an exit status knows why. */
export const overdueSignal = 'SIGALRM';

export interface Watchdog {
  /** Says that the work in hand has come a step further. Costs nanoseconds. */
  alive(): void;
  close(): Promise<void>;
}

/**
 * The watching thread has no part in the event loop that it watches: a regular expression that never ends blocks
 * the loop, but not the thread. It reads two counters: steps of the work, and turns of the event loop. The time in which
 * it has not run itself does not count: a process that was stopped, or a machine that slept, is nobody's expression. That in which the
 * process waited for a processor counts for a fifth: so does one that stands still without computing.
 */
const watch = `
  const { workerData } = require('node:worker_threads');
  const counters = new Int32Array(workerData.shared);
  const { limitMs, everyMs } = workerData;
  let seen = -1;
  let quietMs = 0;
  let lookedMs = performance.now();
  let lookedUsage = process.cpuUsage();
  setInterval(() => {
    const nowMs = performance.now();
    const { user, system } = process.cpuUsage(lookedUsage);
    const sinceMs = Math.max((nowMs - lookedMs) / 5, Math.min(nowMs - lookedMs, (user + system) / 1_000));
    lookedMs = nowMs;
    lookedUsage = process.cpuUsage();
    const now = Atomics.load(counters, 0);
    if (now !== seen) { seen = now; quietMs = 0; }
    else if ((quietMs += Math.min(sinceMs, 2 * everyMs)) > limitMs) process.kill(process.pid, workerData.signal);
  }, everyMs);
`;

/**
 * Ends this process when neither its work nor its event loop has moved for a time: nothing else can stop
 * JavaScript that computes for ever.
 */
export function createWatchdog(limitMs: number): Watchdog {
  const everyMs = Math.min(250, limitMs / 4);
  const shared = new SharedArrayBuffer(4);
  const counters = new Int32Array(shared);
  const alive = (): void => void Atomics.add(counters, 0, 1);
  const thread = new Worker(watch, { eval: true, workerData: { shared, limitMs, everyMs, signal: overdueSignal } });
  thread.unref();
  const timer = setInterval(alive, everyMs);
  timer.unref();
  return {
    alive,
    close: async () => {
      clearInterval(timer);
      await thread.terminate();
    },
  };
}
