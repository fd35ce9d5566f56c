/** Max wrong passwords of one address within a window. */
const maxFailures = 20;
const windowMs = 60_000;
/** Max addresses remembered; the oldest window is forgotten first. */
const maxAddresses = 10_000;

export interface GuessLimit {
  /** Returns the seconds until this address may try again; 0: it may now. */
  waitSeconds(address: string): number;
  failed(address: string): void;
}

/**
 * Slows down guessing of passwords: an address with too many failures is refused for the rest of its window, before its
 * credentials are checked, so that answers reveal nothing more.
 */
export function createGuessLimit(now: () => number): GuessLimit {
  const windows = new Map<string, { startedMs: number; failures: number }>();
  const open = (address: string) => {
    const window = windows.get(address);
    return window && now() - window.startedMs < windowMs ? window : undefined;
  };
  return {
    waitSeconds: (address) => {
      const window = open(address);
      if (!window || window.failures < maxFailures) return 0;
      return Math.ceil((window.startedMs + windowMs - now()) / 1000);
    },
    failed: (address) => {
      const window = open(address);
      if (window) {
        window.failures++;
        return;
      }
      windows.delete(address);
      if (windows.size >= maxAddresses) windows.delete(windows.keys().next().value as string);
      windows.set(address, { startedMs: now(), failures: 1 });
    },
  };
}
