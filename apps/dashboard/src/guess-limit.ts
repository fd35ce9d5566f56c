/** Wrong passwords that one address may send within a window. */
const failuresMax = 20;
const windowMs = 60_000;
/** Addresses remembered at once; the oldest is forgotten first, so that the memory stays bounded. */
const addressesMax = 10_000;

export interface GuessLimit {
  /** Seconds until this address may try again; 0 while it may. */
  waitSeconds(address: string): number;
  failed(address: string): void;
}

/**
 * Slows the guessing of passwords: an address that failed too often is refused for the rest of its window before
 * its credentials are looked at, so that answers reveal nothing more.
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
      if (!window || window.failures < failuresMax) return 0;
      return Math.ceil((window.startedMs + windowMs - now()) / 1000);
    },
    failed: (address) => {
      const window = open(address);
      if (window) {
        window.failures += 1;
        return;
      }
      windows.delete(address);
      if (windows.size >= addressesMax) windows.delete(windows.keys().next().value as string);
      windows.set(address, { startedMs: now(), failures: 1 });
    },
  };
}
