/** Max wrong passwords of one address for one user within a window. */
const maxFailures = 20;
/** Max wrong passwords of one address for all users together, which also bounds the users remembered. */
const maxFailuresOfAddress = 100;
const windowMs = 60_000;
/** Max addresses remembered; the oldest window is forgotten first. */
const maxAddresses = 10_000;

interface Window {
  startedMs: number;
  failures: number;
  failuresByUser: Map<string, number>;
}

/** The time until which an address is refused. */
export interface Wait {
  seconds: number;
  /** False: it is refused for every user. */
  isForUser: boolean;
}

export interface GuessLimit {
  /** Returns how long this address may not try as this user; undefined: it may now. */
  waitOf(address: string, user: string): Wait | undefined;
  failed(address: string, user: string): void;
}

/**
 * Slows down guessing of passwords: an address with too many failures for a user is refused for the rest of its window,
 * before its credentials are checked, so that answers reveal nothing more. Others behind the same address go on.
 */
export function createGuessLimit(now: () => number): GuessLimit {
  const windows = new Map<string, Window>();
  const open = (address: string): Window | undefined => {
    const window = windows.get(address);
    return window && now() - window.startedMs < windowMs ? window : undefined;
  };
  const begin = (address: string): Window => {
    windows.delete(address);
    if (windows.size >= maxAddresses) windows.delete(windows.keys().next().value as string);
    const window = { startedMs: now(), failures: 0, failuresByUser: new Map<string, number>() };
    windows.set(address, window);
    return window;
  };
  return {
    waitOf: (address, user) => {
      const window = open(address);
      if (!window) return undefined;
      const isForUser = window.failures < maxFailuresOfAddress;
      if (isForUser && (window.failuresByUser.get(user) ?? 0) < maxFailures) return undefined;
      return { seconds: Math.ceil((window.startedMs + windowMs - now()) / 1000), isForUser };
    },
    failed: (address, user) => {
      const window = open(address) ?? begin(address);
      window.failures++;
      window.failuresByUser.set(user, (window.failuresByUser.get(user) ?? 0) + 1);
    },
  };
}
