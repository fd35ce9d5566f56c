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
import type { RateClass, RateLimits } from './classes';

export interface RateLimiter {
  /** Charges one request. Undefined: this class has no limit. */
  take(owner: string, rateClass: RateClass): Allowance | Promise<Allowance> | undefined;
}

export interface RateLimiterOptions {
  limits: RateLimits;
  shared: ClaimAllowances;
  logger: Logger;
  /** Milliseconds of a clock that only goes forward. */
  nowMs?: () => number;
}

/** A process takes ahead what it will use in this time. */
const aheadMs = 200;
/** Of what is taken ahead, this part of the whole allowance at most: the rest of the processes find what is left. */
const aheadPart = 0.1;
/** The rate is measured over this time at least: the requests of a page come within a millisecond. */
const measuredMs = 50;
/** What was taken ahead and not used by then is not used any more. */
const staleMs = 1_000;
/** After a refusal the shared buckets are not asked again before. */
const refusalMs = 50;
/** Shared buckets that have not answered by then are away. A database that is busy is not: the requests wait for it, too. */
const answerMs = 10_000;
/** For this long they are not asked again. */
const awayMs = 1_000;
const mostLeases = 10_000;
const idleMs = 60_000;

/** What this process may spend of one bucket. */
interface Lease {
  claim: Omit<Claim, 'wanted' | 'returned'>;
  left: number;
  /** Taken with the last claim, and what the bucket's level was then. */
  taken: number;
  level: number;
  spent: number;
  atMs: number;
  refusedUntilMs: number;
  claiming: boolean;
  waiting: ((allowance: Allowance) => void)[];
}

/**
 * Limits that all processes share, decided without asking anybody for most requests: each process takes allowances ahead
 * from the shared buckets, those of all owners in one statement, and what it needs next while it spends the last. Nothing
 * is granted twice; what one process has taken ahead, a tenth of the limit at most, another one cannot spend. Without the
 * shared buckets each process grants by itself.
 */
export function createRateLimiter({
  limits,
  shared,
  logger,
  nowMs = () => performance.now(),
}: RateLimiterOptions): RateLimiter {
  const leases = new Map<string, Lease>();
  const local = createLocalBuckets(nowMs);
  const wanting = new Set<Lease>();
  let asking = false;
  let awayUntilMs = -Infinity;

  const claimAll = async (claims: readonly Claim[]): Promise<Grant[]> => {
    if (nowMs() < awayUntilMs) return claims.map(local);
    try {
      return await withDeadline(shared(claims), answerMs, `no answer in ${answerMs} ms`);
    } catch (error) {
      awayUntilMs = nowMs() + awayMs;
      logger.warn({ reason: messageOf(error) }, 'the shared rate limits are away: this process limits by itself');
      return claims.map(local);
    }
  };

  const ask = async (): Promise<void> => {
    asking = true;
    while (wanting.size > 0) {
      const batch = [...wanting];
      wanting.clear();
      const grants = await claimAll(batch.map((lease) => claimOf(lease, nowMs())));
      batch.forEach((lease, i) => {
        settle(lease, grants[i] as Grant, nowMs());
        if (lease.waiting.length > 0) want(lease);
      });
    }
    asking = false;
  };

  const want = (lease: Lease): void => {
    if (lease.claiming) return;
    lease.claiming = true;
    wanting.add(lease);
    if (!asking) void ask();
  };

  const leaseOf = (owner: string, rateClass: RateClass, perMinute: number): Lease => {
    const key = `${rateClass} ${owner}`;
    let lease = leases.get(key);
    if (!lease) {
      if (leases.size >= mostLeases) forgetIdle(leases, nowMs());
      lease = {
        claim: { owner, class: rateClass, perMinute },
        left: 0,
        taken: 0,
        level: 0,
        spent: 0,
        atMs: -Infinity,
        refusedUntilMs: -Infinity,
        claiming: false,
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
        lease.left -= 1;
        lease.spent += 1;
        if (lease.left * 2 < lease.taken && now >= lease.refusedUntilMs) want(lease);
        return granted(lease);
      }
      if (now < lease.refusedUntilMs) return refused(lease, now);
      return new Promise<Allowance>((resolve) => {
        lease.waiting.push(resolve);
        want(lease);
      });
    },
  };
}

/** What a lease needs now: for those who wait, and ahead for those who will come at the rate of the last ones. */
function claimOf(lease: Lease, now: number): Claim {
  const { claim, spent, atMs, waiting } = lease;
  const { perMinute } = claim;
  let returned = 0;
  if (now - atMs >= staleMs) {
    // What has run out of the bucket meanwhile may have been this: it is not given back, so that nothing is granted twice.
    returned = Math.floor(Math.max(0, lease.left - leakOf(now - atMs, perMinute)));
    lease.left = 0;
  }
  const comingSoon = ((spent + waiting.length) * aheadMs) / Math.max(measuredMs, now - atMs);
  const ahead = Math.min(Math.floor(comingSoon), Math.floor(perMinute * aheadPart));
  return { ...claim, wanted: Math.min(perMinute, Math.max(0, waiting.length + ahead - lease.left)), returned };
}

function settle(lease: Lease, { granted: more, level }: Grant, now: number): void {
  const { claim, waiting } = lease;
  lease.claiming = false;
  lease.left += more;
  lease.taken = lease.left;
  lease.level = level;
  lease.spent = 0;
  lease.atMs = now;
  for (const resolve of waiting.splice(0, lease.left)) {
    lease.left -= 1;
    lease.spent += 1;
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

function forgetIdle(leases: Map<string, Lease>, now: number): void {
  for (const [key, lease] of leases) if (!lease.claiming && now - lease.atMs >= idleMs) leases.delete(key);
}
