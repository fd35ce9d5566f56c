import { messageOf, withDeadline, type Logger } from '@tieout/infra';
import {
  allowanceAt,
  createLocalBuckets,
  leakOf,
  roomInMs,
  type Allowance,
  type Claim,
  type ClaimAllowances,
  type Grant,
} from './bucket';
import type { RateClass, RateLimits } from './limits';

export interface RateLimiter {
  /** Charges one request; undefined where the class has no limit. */
  take(owner: string, rateClass: RateClass): Allowance | Promise<Allowance> | undefined;
}

export interface RateLimiterOptions {
  limits: RateLimits;
  shared: ClaimAllowances;
  logger: Logger;
  /** A monotonic clock in milliseconds. */
  nowMs?: () => number;
}

/** A process prefetches the allowance that it expects to use in this time. */
const prefetchMs = 200;
/** Max share of the allowance that one process prefetches, so that other processes find some left. */
const maxPrefetchShare = 0.1;
/** Min time over which the request rate is measured: the requests of a page arrive within a millisecond. */
const minRateMs = 50;
/** A prefetched allowance older than this is not used. */
const staleMs = 1_000;
/** Min time between a refusal and the next claim. */
const refusalMs = 50;
/** Timeout of a claim: the shared buckets are down, not just busy. Requests wait for a busy database, too. */
const claimTimeoutMs = 10_000;
/** Time without claims after the shared buckets were down. */
const outageMs = 1_000;
/** Leases above this number make room by dropping idle ones. A lease with a claim in flight cannot be dropped. */
const maxLeases = 10_000;
const idleMs = 60_000;

/** The part of one bucket that this process may spend. */
interface Lease {
  claim: Omit<Claim, 'wanted' | 'returned'>;
  left: number;
  /** Allowance right after the last claim, and the level of the bucket then. */
  taken: number;
  level: number;
  /** Requests since the last claim. */
  spent: number;
  /** Time of the last claim. */
  atMs: number;
  refusedUntilMs: number;
  isClaiming: boolean;
  waiting: ((allowance: Allowance) => void)[];
}

/**
 * Limits requests over all processes, and answers most of them from memory: each process prefetches allowances from the
 * shared buckets, one statement for all owners, while it spends the last ones. No allowance is granted twice. One that
 * a process has prefetched, max a tenth of the limit, is lost to the other processes. While the shared buckets are
 * down, each process uses its own buckets.
 */
export function createRateLimiter({
  limits,
  shared,
  logger,
  nowMs = () => performance.now(),
}: RateLimiterOptions): RateLimiter {
  const leases = new Map<string, Lease>();
  const local = createLocalBuckets(nowMs);
  const queued = new Set<Lease>();
  let isRunning = false;
  let outageUntilMs = -Infinity;

  const claimAll = async (claims: readonly Claim[]): Promise<Grant[]> => {
    if (nowMs() < outageUntilMs) return claims.map(local);
    try {
      return await withDeadline(shared(claims), claimTimeoutMs, `no answer in ${claimTimeoutMs} ms`);
    } catch (error) {
      outageUntilMs = nowMs() + outageMs;
      logger.warn(
        { reason: messageOf(error) },
        'the shared rate limits are unavailable: this process uses its own limits',
      );
      return claims.map(local);
    }
  };

  const runClaims = async (): Promise<void> => {
    isRunning = true;
    while (queued.size > 0) {
      const batch = [...queued];
      queued.clear();
      const grants = await claimAll(batch.map((lease) => claimOf(lease, nowMs())));
      batch.forEach((lease, i) => {
        settle(lease, grants[i] as Grant, nowMs());
        if (lease.waiting.length > 0) queueClaim(lease);
      });
    }
    isRunning = false;
  };

  const queueClaim = (lease: Lease): void => {
    if (lease.isClaiming) return;
    lease.isClaiming = true;
    queued.add(lease);
    if (!isRunning) void runClaims();
  };

  const leaseOf = (owner: string, rateClass: RateClass, perMinute: number): Lease => {
    const key = `${rateClass} ${owner}`;
    let lease = leases.get(key);
    if (!lease) {
      if (leases.size >= maxLeases) dropIdle(leases, nowMs());
      lease = {
        claim: { owner, class: rateClass, perMinute },
        left: 0,
        taken: 0,
        level: 0,
        spent: 0,
        atMs: -Infinity,
        refusedUntilMs: -Infinity,
        isClaiming: false,
        waiting: [],
      };
      leases.set(key, lease);
    }
    return lease;
  };

  return {
    take: (owner, rateClass) => {
      const perMinute = limits[rateClass];
      if (perMinute === 0) return undefined;
      const lease = leaseOf(owner, rateClass, perMinute);
      const now = nowMs();
      if (lease.left > 0 && now - lease.atMs < staleMs && lease.waiting.length === 0) {
        lease.left--;
        lease.spent++;
        if (lease.left * 2 < lease.taken && now >= lease.refusedUntilMs) queueClaim(lease);
        return granted(lease);
      }
      if (now < lease.refusedUntilMs) return refused(lease, now);
      return new Promise<Allowance>((resolve) => {
        lease.waiting.push(resolve);
        queueClaim(lease);
      });
    },
  };
}

/** Claims for the waiting requests, and prefetches for the next ones at the rate of the last ones. */
function claimOf(lease: Lease, now: number): Claim {
  const { claim, spent, atMs, waiting } = lease;
  const { perMinute } = claim;
  let returned = 0;
  if (now - atMs >= staleMs) {
    // The part that has leaked from the bucket since may be this one: returning it would grant it twice.
    returned = Math.floor(Math.max(0, lease.left - leakOf(now - atMs, perMinute)));
    lease.left = 0;
  }
  const expected = ((spent + waiting.length) * prefetchMs) / Math.max(minRateMs, now - atMs);
  const prefetched = Math.min(Math.floor(expected), Math.floor(perMinute * maxPrefetchShare));
  return { ...claim, wanted: Math.min(perMinute, Math.max(0, waiting.length + prefetched - lease.left)), returned };
}

function settle(lease: Lease, { granted: more, level }: Grant, now: number): void {
  const { claim, waiting } = lease;
  lease.isClaiming = false;
  lease.left += more;
  lease.taken = lease.left;
  lease.level = level;
  lease.spent = 0;
  lease.atMs = now;
  for (const resolve of waiting.splice(0, lease.left)) {
    lease.left--;
    lease.spent++;
    resolve(granted(lease));
  }
  const roomMs = roomInMs(level, claim.perMinute);
  if (roomMs === 0) return;
  lease.refusedUntilMs = now + Math.max(refusalMs, roomMs);
  for (const resolve of waiting.splice(0)) resolve(refused(lease, now));
}

const granted = ({ claim, level, left }: Lease): Allowance => allowanceAt(level - left, claim.perMinute);

const refused = ({ claim, level, refusedUntilMs }: Lease, now: number): Allowance =>
  allowanceAt(level, claim.perMinute, refusedUntilMs - now);

function dropIdle(leases: Map<string, Lease>, now: number): void {
  for (const [key, lease] of leases) if (!lease.isClaiming && now - lease.atMs >= idleMs) leases.delete(key);
}
