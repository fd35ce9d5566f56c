import { Worker } from 'node:worker_threads';

/** The signal that ends an overdue process, recognisable in its exit status. */
export const overdueSignal = 'SIGALRM';

interface Watchdog {
  /** Reports progress of the work. Costs nanoseconds. */
  alive(): void;
  close(): Promise<void>;
}

/**
 * Runs in a thread that does not depend on the watched event loop: a regular expression that never ends blocks the
 * loop, but not the thread. The counter advances with each step of the work and each turn of the event loop. Time in
 * which the thread itself did not run does not count: the process was stopped, or the machine slept. Time in which the
 * process waited for a processor counts for a fifth, as does that of a process that does not advance and does not
 * compute.
 */
const watch = `
  const { workerData } = require('node:worker_threads');
  const progress = new Int32Array(workerData.shared);
  const { limitMs, everyMs } = workerData;
  let previous = -1;
  let idleMs = 0;
  let checkedMs = performance.now();
  let checkedUsage = process.cpuUsage();
  setInterval(() => {
    const nowMs = performance.now();
    const { user, system } = process.cpuUsage(checkedUsage);
    const sinceMs = Math.max((nowMs - checkedMs) / 5, Math.min(nowMs - checkedMs, (user + system) / 1_000));
    checkedMs = nowMs;
    checkedUsage = process.cpuUsage();
    const current = Atomics.load(progress, 0);
    if (current !== previous) { previous = current; idleMs = 0; }
    else if ((idleMs += Math.min(sinceMs, 2 * everyMs)) > limitMs) process.kill(process.pid, workerData.signal);
  }, everyMs);
`;

/** Ends this process when neither its work nor its event loop advances for `limitMs`, as in an endless loop. */
export function createWatchdog(limitMs: number): Watchdog {
  const everyMs = Math.min(250, limitMs / 4);
  const shared = new SharedArrayBuffer(4);
  const progress = new Int32Array(shared);
  const alive = (): void => void Atomics.add(progress, 0, 1);
  const thread = new Worker(watch, { eval: true, workerData: { shared, limitMs, everyMs, signal: overdueSignal } });
  thread.unref();
  const timer = setInterval(alive, everyMs).unref();
  return {
    alive,
    close: async () => {
      clearInterval(timer);
      await thread.terminate();
    },
  };
}
