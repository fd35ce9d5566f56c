import type { RateClass } from './classes';

/** What is wanted of the allowance that an owner has for one class: `perMinute` at a time, filled up evenly within a minute. */
export interface Claim {
  /** Who is charged: a tenant, or an address. */
  owner: string;
  class: RateClass;
  /** A whole number above 0. */
  perMinute: number;
  /** At most `perMinute`. */
  wanted: number;
  /** Granted before and not used. */
  returned: number;
}

export interface Grant {
  granted: number;
  /** What is used of the allowance now. */
  level: number;
}

/** Where a request stands. */
export interface Allowance {
  /** Requests a minute. */
  limit: number;
  remaining: number;
  /** Until the whole allowance is there again. */
  resetSeconds: number;
  /** 0: the request may go on; else when one more may. */
  retryAfterSeconds: number;
}

/** Grants in the order of the claims, of which no two are for the same owner and class. */
export type ClaimAllowances = (claims: readonly Claim[]) => Promise<Grant[]>;

const minuteMs = 60_000;
/** Sums of fractions fall short of a whole by less than this. */
const roundingError = 1e-6;

/** What runs out of a bucket in this time. */
export const leakOf = (elapsedMs: number, perMinute: number): number => (Math.max(0, elapsedMs) * perMinute) / minuteMs;

/** Takes what is left, up to what is wanted, from a bucket whose level was this some time ago. */
export function claimFrom(
  level: number,
  elapsedMs: number,
  { perMinute, wanted, returned }: Omit<Claim, 'owner' | 'class'>,
): Grant {
  const rest = Math.max(0, level - leakOf(elapsedMs, perMinute) - returned);
  const granted = Math.min(wanted, Math.max(0, Math.floor(perMinute - rest + roundingError)));
  return { granted, level: rest + granted };
}

/** Until a bucket of this level has room for one more. */
export const roomInMs = (level: number, perMinute: number): number =>
  (Math.max(0, level + 1 - perMinute) * minuteMs) / perMinute;

/**
 * Where a request stands that leaves its bucket at this level. What was taken ahead may run out of the bucket before it is used:
 * such a level is below 0, and the bucket as good as new.
 * @param waitMs of a request that may not go on: until one more may
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

/** Owners and classes that are remembered at once; those that have not been used for longest are forgotten first. */
const mostBuckets = 10_000;

/** Buckets of this process alone. */
export function createLocalBuckets(nowMs: () => number): (claim: Claim) => Grant {
  const buckets = new Map<string, { level: number; atMs: number }>();
  return (claim) => {
    const key = `${claim.class} ${claim.owner}`;
    const atMs = nowMs();
    const bucket = buckets.get(key) ?? { level: 0, atMs };
    const grant = claimFrom(bucket.level, atMs - bucket.atMs, claim);
    buckets.delete(key);
    if (buckets.size >= mostBuckets) buckets.delete(buckets.keys().next().value as string);
    buckets.set(key, { level: grant.level, atMs });
    return grant;
  };
}
