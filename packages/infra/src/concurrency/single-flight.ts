interface SingleFlight<T> {
  (): Promise<T>;
  /** Makes the next call run the work again. */
  forget(): void;
}

/**
 * Shares one run of the work between all concurrent callers, and its result for `keptMs` after. A failure is not kept.
 */
export function singleFlight<T>(keptMs: number, work: () => Promise<T>): SingleFlight<T> {
  let latest: Promise<T> | undefined;
  const shared = (): Promise<T> => {
    if (latest) return latest;
    const running = work();
    latest = running;
    const forget = (): void => {
      if (latest === running) latest = undefined;
    };
    running.then(() => setTimeout(forget, keptMs).unref(), forget);
    return running;
  };
  return Object.assign(shared, { forget: () => void (latest = undefined) });
}
