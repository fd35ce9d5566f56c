import type { Response } from 'express';
import {
  allowanceAt,
  createLocalBuckets,
  networkOf,
  roomInMs,
  type Allowance,
  type RateClass,
  type RateLimiter,
  type RateLimits,
} from '@tieout/domain';
import { AppError } from '@tieout/infra';
import type { Route } from './define-route';
import { FairSemaphore, maxWaitingRequests } from './fair-semaphore';

/** The owner of the rate limit of operations that belong to no tenant. */
export const operator = '00000000-0000-0000-0000-000000000000';

export interface RequestLimits {
  /** Charges a request and sets the rate limit headers of its answer. @throws AppError rate_limited */
  charge(response: Response, owner: string, rateClass: RateClass): Promise<void>;
  /**
   * Looks up a key that may be guessed: at once, or with a permit when its address has sent too many wrong ones.
   * @throws AppError rate_limited
   */
  lookUp<T>(address: string, task: () => Promise<T>): Promise<T>;
  /**
   * Runs an attempt to prove who somebody is, few at a time. A failed one counts against its address and its account.
   * @throws AppError rate_limited
   */
  attempt<T>(response: Response, by: { address: string; account: string | null }, task: () => Promise<T>): Promise<T>;
  /** The answer to a missing or wrong key: `reason`, or rate_limited when the address has sent too many of these. */
  refuse(response: Response, address: string, reason: AppError): AppError;
}

/** The rate limit that a route uses. */
export const rateClassOf = (route: Route): RateClass =>
  route.rateClass ?? (route.callsProvider ? 'costly' : route.method === 'get' ? 'read' : 'write');

/** Keys that are looked up at a time for addresses beyond their limit; the other connections are for tenants. */
const maxConcurrentGuesses = 2;

/** Hashes of passwords that are computed at a time: each takes 32 MiB and the time of a core. */
const maxConcurrentAttempts = 2;
/** The people of an office share an address. */
const attemptsOfAddress = 6;

/**
 * Charges requests with a valid key to its tenant, never to its address: a client that guesses keys behind a proxy
 * does not slow the others there down.
 */
export function createRequestLimits(limiter: RateLimiter, limits: RateLimits): RequestLimits {
  const { failed_auth: failedAuthPerMinute, sign_in: signInPerMinute } = limits;
  const failures = createLocalBuckets(() => performance.now());
  const guesses = new FairSemaphore({
    capacity: maxConcurrentGuesses,
    maxPerOwner: 1,
    maxWaiting: maxWaitingRequests,
  });
  const claim = (address: string, wanted: 0 | 1) =>
    failures({ owner: address, class: 'failed_auth', perMinute: failedAuthPerMinute, wanted, returned: 0 });
  const attempts = new FairSemaphore({
    capacity: maxConcurrentAttempts,
    maxPerOwner: 1,
    maxWaiting: maxWaitingRequests,
  });
  const claimAttempt = (owner: string, perMinute: number, change: { wanted: 0 | 1; returned: 0 | 1 }) =>
    failures({ owner, class: 'sign_in', perMinute, ...change });
  return {
    attempt: async (response, { address, account }, task) => {
      if (signInPerMinute === 0) return task();
      const network = networkOf(address);
      const buckets = [
        { owner: `address ${network}`, perMinute: signInPerMinute * attemptsOfAddress },
        ...(account === null ? [] : [{ owner: `account ${account}`, perMinute: signInPerMinute }]),
      ];
      // Charged first: attempts that arrive together must not all find room.
      const taken = buckets.filter(({ owner, perMinute }) => {
        const { granted, level } = claimAttempt(owner, perMinute, { wanted: 1, returned: 0 });
        setRateLimitHeaders(response, allowanceAt(level, perMinute, granted > 0 ? 0 : roomInMs(level, perMinute)));
        return granted > 0;
      });
      const giveBack = (): void =>
        taken.forEach(({ owner, perMinute }) => claimAttempt(owner, perMinute, { wanted: 0, returned: 1 }));
      const full = buckets.find((bucket) => !taken.includes(bucket));
      if (full) {
        giveBack();
        const { level } = claimAttempt(full.owner, full.perMinute, { wanted: 0, returned: 0 });
        throw rateLimited(
          'Too many failed sign-ins',
          allowanceAt(level, full.perMinute, roomInMs(level, full.perMinute)),
        );
      }
      const result = await attempts.run(network, 1, task);
      giveBack();
      return result;
    },
    lookUp: (address, task) => {
      const isWithin = failedAuthPerMinute === 0 || roomInMs(claim(address, 0).level, failedAuthPerMinute) === 0;
      return isWithin ? task() : guesses.run(address, 1, task);
    },
    charge: async (response, owner, rateClass) => {
      const taken = limiter.take(owner, rateClass);
      const allowance = taken instanceof Promise ? await taken : taken;
      if (!allowance) return;
      setRateLimitHeaders(response, allowance);
      if (allowance.retryAfterSeconds > 0)
        throw rateLimited(`Too many requests: ${allowance.limit} a minute are allowed`, allowance);
    },
    refuse: (response, address, reason) => {
      if (failedAuthPerMinute === 0) return reason;
      const { granted, level } = claim(address, 1);
      const allowance = allowanceAt(level, failedAuthPerMinute, granted > 0 ? 0 : roomInMs(level, failedAuthPerMinute));
      setRateLimitHeaders(response, allowance);
      // The requests within the limit, answered 401, show a flood in the log; those beyond it would only fill the log.
      response.locals['quiet'] = granted === 0;
      return granted > 0 ? reason : rateLimited('Too many requests without a valid API key', allowance);
    },
  };
}

const rateLimited = (message: string, { retryAfterSeconds }: Allowance): AppError =>
  new AppError('rate_limited', `${message}; try again in ${retryAfterSeconds} s`, { retryAfterSeconds });

function setRateLimitHeaders(response: Response, { limit, remaining, resetSeconds }: Allowance): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', resetSeconds);
}
