/** One limit over all that an attempt waits for. */
export interface Deadline {
  /** Aborts when the time is up or the caller aborts. */
  signal: AbortSignal;
  /** The time was up first. */
  expired(): boolean;
  /** The result of `work`, unless the deadline comes first. */
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
  // Not AbortSignal.any: it holds on to what follows a signal that lives as long as the process.
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
