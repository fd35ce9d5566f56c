import type { Queries } from '@tieout/infra';
import type { Claim, ClaimAllowances } from './bucket';

const elapsedSeconds = `greatest(0, extract(epoch from excluded.filled_at - b.filled_at)::float8)`;
const returned = `(excluded.granted - excluded.level)`;
const rest = `greatest(0, b.level - ${elapsedSeconds} * excluded.per_minute / 60 - ${returned})`;
const granted = `least(excluded.granted, greatest(0, floor(excluded.per_minute - ${rest} + 1e-6))::int)`;

/**
 * Like `claimFrom`, by the clock of the database and under the lock of its row. `wanted - level` is what is returned.
 */
const claim = `
  insert into rate_limits as b (owner_id, class, per_minute, granted, level, filled_at)
  select owner_id, class, per_minute, wanted, wanted - returned, clock_timestamp()
    from unnest($1::uuid[], $2::text[], $3::int[], $4::int[], $5::int[])
           as c(owner_id, class, per_minute, wanted, returned)
  on conflict (owner_id, class) do update
    set per_minute = excluded.per_minute, granted = ${granted}, level = ${rest} + ${granted},
        filled_at = greatest(b.filled_at, excluded.filled_at)
  returning owner_id::text as owner, class, granted, level`;

const keyOf = (one: { owner: string; class: string }): string => `${one.owner} ${one.class}`;

/**
 * Keeps buckets that all processes share: rows of an unlogged table, which a crash of the database empties. Owners are
 * UUIDs in lower case.
 */
export function sharedBuckets(queries: Queries): ClaimAllowances {
  return async (claims) => {
    // One order in all processes prevents deadlocks on the rows.
    const sorted: Claim[] = [...claims].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const rows = await queries.query<{ owner: string; class: string; granted: number; level: number }>(claim, [
      sorted.map(({ owner }) => owner),
      sorted.map((one) => one.class),
      sorted.map(({ perMinute }) => perMinute),
      sorted.map(({ wanted }) => wanted),
      sorted.map((one) => one.returned),
    ]);
    const grants = new Map(rows.map((row) => [keyOf(row), { granted: row.granted, level: row.level }]));
    return claims.map((one) => grants.get(keyOf(one)) ?? { granted: 0, level: one.perMinute });
  };
}
