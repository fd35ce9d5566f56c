import type { RateClass } from './limits';

/** Claims a part of an owner's allowance for one class: max `perMinute` at a time, refilled evenly within a minute. */
export interface Claim {
  /** A tenant or an address. */
  owner: string;
  class: RateClass;
  /** A whole number above 0. */
  perMinute: number;
  /** At most `perMinute`. */
  wanted: number;
  /** Granted earlier and not used. */
  returned: number;
}

export interface Grant {
  granted: number;
  /** Used part of the allowance. */
  level: number;
}

/** The state of an allowance after a request. */
export interface Allowance {
  /** Requests per minute. */
  limit: number;
  remaining: number;
  /** Time until the allowance is full. */
  resetSeconds: number;
  /** 0: the request is accepted; else the time until one more is. */
  retryAfterSeconds: number;
}

/** Answers claims in their order; no two of them have the same owner and class. */
export type ClaimAllowances = (claims: readonly Claim[]) => Promise<Grant[]>;

const minuteMs = 60_000;
/** Tolerance for sums of fractions. */
const roundingError = 1e-6;

/** Amount that leaks from a bucket in the elapsed time. */
export const leakOf = (elapsedMs: number, perMinute: number): number => (Math.max(0, elapsedMs) * perMinute) / minuteMs;

/** Grants what a bucket has left, up to `wanted`; `level` was its level `elapsedMs` ago. */
export function claimFrom(
  level: number,
  elapsedMs: number,
  { perMinute, wanted, returned }: Omit<Claim, 'owner' | 'class'>,
): Grant {
  const rest = Math.max(0, level - leakOf(elapsedMs, perMinute) - returned);
  const granted = Math.min(wanted, Math.max(0, Math.floor(perMinute - rest + roundingError)));
  return { granted, level: rest + granted };
}

/** Time until a bucket of this level has room for one more. */
export const roomInMs = (level: number, perMinute: number): number =>
  (Math.max(0, level + 1 - perMinute) * minuteMs) / perMinute;

/**
 * Describes a bucket of this level. A prefetched allowance may leak before it is used; the level is then below 0 and
 * counts as 0.
 * @param waitMs for a refused request: time until one more is accepted
 */
export function allowanceAt(level: number, perMinute: number, waitMs = 0): Allowance {
  const used = Math.max(0, level);
  return {
    limit: perMinute,
    remaining: Math.max(0, Math.floor(perMinute - used + roundingError)),
    resetSeconds: seconds((used * minuteMs) / perMinute),
    retryAfterSeconds: waitMs === 0 ? 0 : Math.max(1, seconds(waitMs)),
  };
}

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** Max buckets in memory; the least recently used is dropped first. */
const maxBuckets = 10_000;

/** Keeps buckets in the memory of this process. */
export function createLocalBuckets(nowMs: () => number): (claim: Claim) => Grant {
  const buckets = new Map<string, { level: number; atMs: number }>();
  return (claim) => {
    const key = `${claim.class} ${claim.owner}`;
    const atMs = nowMs();
    const bucket = buckets.get(key) ?? { level: 0, atMs };
    const grant = claimFrom(bucket.level, atMs - bucket.atMs, claim);
    buckets.delete(key);
    if (buckets.size >= maxBuckets) buckets.delete(buckets.keys().next().value as string);
    buckets.set(key, { level: grant.level, atMs });
    return grant;
  };
}
