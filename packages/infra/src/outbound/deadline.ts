/** One time limit for everything that an attempt waits for. */
export interface Deadline {
  /** Aborted when the time is up or the caller aborts. */
  signal: AbortSignal;
  /** True when the time was up before the caller aborted. */
  expired(): boolean;
  /** Resolves with the result of `work`, or rejects when the deadline passes first. */
  within<T>(work: Promise<T>): Promise<T>;
  close(): void;
}

export function openDeadline(timeoutMs: number, caller?: AbortSignal): Deadline {
  caller?.throwIfAborted();
  const controller = new AbortController();
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    controller.abort();
  }, timeoutMs);
  // AbortSignal.any would keep its followers in memory as long as a signal that lives as long as the process.
  const follow = (): void => controller.abort(caller?.reason);
  caller?.addEventListener('abort', follow);
  const { signal } = controller;
  return {
    signal,
    expired: () => expired,
    within: (work) =>
      new Promise((resolve, reject) => {
        const onAbort = (): void => reject(signal.reason as Error);
        if (signal.aborted) onAbort();
        signal.addEventListener('abort', onAbort);
        work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
      }),
    close: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', follow);
    },
  };
}
