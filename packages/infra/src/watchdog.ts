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
 * the loop, but not the thread. It reads two counters: steps of the work, and turns of the event loop.
 */
const watch = `
  const { workerData } = require('node:worker_threads');
  const counters = new Int32Array(workerData.shared);
  let seen = -1;
  let since = Date.now();
  setInterval(() => {
    const now = Atomics.load(counters, 0);
    if (now !== seen) { seen = now; since = Date.now(); }
    else if (Date.now() - since > workerData.limitMs) process.kill(process.pid, workerData.signal);
  }, Math.min(250, workerData.limitMs / 4));
`;

/**
 * Ends this process when neither its work nor its event loop has moved for a time: nothing else can stop
 * JavaScript that computes for ever.
 */
export function createWatchdog(limitMs: number): Watchdog {
  const shared = new SharedArrayBuffer(4);
  const counters = new Int32Array(shared);
  const alive = (): void => void Atomics.add(counters, 0, 1);
  const thread = new Worker(watch, { eval: true, workerData: { shared, limitMs, signal: overdueSignal } });
  thread.unref();
  const timer = setInterval(alive, Math.min(250, limitMs / 4));
  timer.unref();
  return {
    alive,
    close: async () => {
      clearInterval(timer);
      await thread.terminate();
    },
  };
}
