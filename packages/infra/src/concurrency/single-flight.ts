export interface SingleFlight<T> {
  (): Promise<T>;
  /** Whoever asks from now on gets a new one. */
  forget(): void;
}

/** One look for all who ask meanwhile, and for so long after: however many ask, it is taken no more often. A failed one is kept for nobody. */
export function singleFlight<T>(keptMs: number, look: () => Promise<T>): SingleFlight<T> {
  let latest: Promise<T> | undefined;
  const shared = (): Promise<T> => {
    if (latest) return latest;
    const looking = look();
    latest = looking;
    const forget = (): void => {
      if (latest === looking) latest = undefined;
    };
    looking.then(() => setTimeout(forget, keptMs).unref(), forget);
    return looking;
  };
  return Object.assign(shared, { forget: () => void (latest = undefined) });
}
