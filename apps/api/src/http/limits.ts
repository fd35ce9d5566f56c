import type { Response } from 'express';
import {
  allowanceAt,
  createLocalBuckets,
  roomInMs,
  type Allowance,
  type RateClass,
  type RateLimiter,
} from '@tieout/domain';
import { AppError } from '@tieout/infra';
import type { Route } from './define-route';
import { createGate } from './gate';

/** Whose allowance an operation uses that belongs to no tenant. */
export const operator = '00000000-0000-0000-0000-000000000000';

export interface RequestLimits {
  /** Charges a request and tells in the headers of its answer what is left. @throws AppError rate_limited */
  charge(response: Response, owner: string, rateClass: RateClass): Promise<void>;
  /** Looks up a key that may be guessed: at once, or in a turn of its address when that sends too many of these. @throws AppError rate_limited */
  lookUp<T>(address: string, task: () => Promise<T>): Promise<T>;
  /** What to answer when the key of a request is missing or wrong: that, or rate_limited when its address sends too many of these. */
  refuse(response: Response, address: string, reason: AppError): AppError;
}

/** Which allowance a route uses. */
export const rateClassOf = (route: Route): RateClass =>
  route.rateClass ?? (route.asksProvider ? 'costly' : route.method === 'get' ? 'read' : 'write');

/** Keys that are looked up at a time for addresses beyond their limit; one for each. The other connections to the database are for tenants. */
const guessesAtOnce = 2;
const mostWaiting = 1_000;

/**
 * Requests with a valid key are charged to its tenant, never to their address: whoever guesses keys behind a proxy keeps
 * nobody else there from working.
 */
export function createRequestLimits(limiter: RateLimiter, failedAuthPerMinute: number): RequestLimits {
  const failures = createLocalBuckets(() => performance.now());
  const guesses = createGate({ capacity: guessesAtOnce, perOwner: 1, mostWaiting });
  const claim = (address: string, wanted: 0 | 1) =>
    failures({ owner: address, class: 'failed_auth', perMinute: failedAuthPerMinute, wanted, returned: 0 });
  return {
    lookUp: (address, task) => {
      const within = failedAuthPerMinute === 0 || roomInMs(claim(address, 0).level, failedAuthPerMinute) === 0;
      return within ? task() : guesses(address, 1, task);
    },
    charge: async (response, owner, rateClass) => {
      const taken = limiter.take(owner, rateClass);
      const allowance = taken instanceof Promise ? await taken : taken;
      if (!allowance) return;
      tell(response, allowance);
      if (allowance.retryAfterSeconds > 0)
        throw rateLimited(`Too many requests: ${allowance.limit} a minute are allowed`, allowance);
    },
    refuse: (response, address, reason) => {
      if (failedAuthPerMinute === 0) return reason;
      const { granted, level } = claim(address, 1);
      const allowance = allowanceAt(level, failedAuthPerMinute, granted > 0 ? 0 : roomInMs(level, failedAuthPerMinute));
      tell(response, allowance);
      // The requests that are answered with 401 tell of a flood: it does not fill the log as well.
      response.locals['quiet'] = granted === 0;
      return granted > 0 ? reason : rateLimited('Too many requests without a valid API key', allowance);
    },
  };
}

const rateLimited = (message: string, { retryAfterSeconds }: Allowance): AppError =>
  new AppError('rate_limited', `${message}; try again in ${retryAfterSeconds} s`, { retryAfterSeconds });

function tell(response: Response, { limit, remaining, resetSeconds }: Allowance): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', resetSeconds);
}
