import type { Side } from '@tieout/engine';
import type { SqlParameter } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { decimalOf, unitsOf, type Units } from '../amounts';
import type { Reconciliation } from '../definition';
import { annotationsSql } from '../items/annotations';
import { ageBuckets, ageBucketSql, type AgeBucket, type CountedAmounts, type SideSummary } from '../summary';
import { countsSql, knownItemsSql, knownSql, shiftedSql, stateSql, type KnownAt } from './known';

/** The view of items to sum up, with its days as YYYY-MM-DD. */
export interface AskedSums extends KnownAt {
  /** Items dated later are left out; null: none. */
  lastDay: string | null;
  /** Ages are counted to this day. */
  ageDay: string;
  /** The proof counts items up to this day. */
  proofDay: string;
}

/** Items of one side, currency, age and state. Amounts are decimal texts. */
export interface SumRow {
  side: number;
  currency: string | null;
  bucket: AgeBucket;
  /** `stale`: by how much records differ from what groups hold of them. */
  state: 'open' | 'excluded' | 'held' | 'stale';
  isInProof: boolean;
  count: number;
  amount: string;
  held: string;
  rest: string;
}

/**
 * Sums up items as they were known.
 * @param listedIn certificate in which the open and excluded ones are listed too, from the same snapshot
 */
export async function sumKnown(
  { db, tenantId }: TenantScope,
  { id, closedTo }: Pick<Reconciliation, 'id' | 'closedTo'>,
  { lastDay, ageDay, proofDay, ...known }: AskedSums,
  listedIn?: string,
): Promise<SumRow[]> {
  // The sums of all items as they are now are maintained, and what later months hold is taken off them. What was known
  // at a moment is counted.
  const isStored = known.at === null;
  const { sql, parameters } = knownSql(tenantId, id, known, isStored ? 'i.differs' : 'true');
  const values: SqlParameter[] = [...parameters, lastDay, ageDay, proofDay];
  const listing = listedIn === undefined ? '' : `, ${listingSql}`;
  if (listedIn !== undefined) values.push(listedIn, closedTo);
  const inProof = (day: string): string => `(${day} is null or ${day} <= $7::date)`;
  const [items, count] = isStored ? [storedSql, 'sum(k.count)'] : ['counted k', 'count(*)'];
  return db.query<SumRow>(
    `with ${sql}, counted as (
       select k.*, ${stateSql} as state from known k where ${countsSql('$5')}
     )${isStored ? `, ${shiftedSql}` : ''}${listing}
     select k.side::int as side, k.currency,
            ${ageBucketSql('($6::date - k.day)')} as bucket,
            k.state, ${inProof('k.day')} as "isInProof", ${count}::float8 as count,
            coalesce(sum(k.amount), 0)::numeric(30, 4)::text as amount,
            coalesce(sum(k.held), 0)::numeric(30, 4)::text as held,
            coalesce(sum(k.amount - k.held), 0)::numeric(30, 4)::text as rest
       from ${items} group by 1, 2, 3, 4, 5 having ${count} > 0
     union all
     select d.side::int, d.currency, 'no date', 'stale', ${inProof('d.day')}, sum(d.items)::float8,
            coalesce(sum(d.amount), 0)::numeric(30, 4)::text, '0.0000', '0.0000'
       from (select k.side, case when k.now_amount is null then k.currency else k.now_currency end as currency,
                    k.now_day as day, k.now_amount as amount, 1 as items
               from counted k where k.differs and ($5::date is null or k.now_day is null or k.now_day <= $5::date)
             union all
             select k.side, k.currency, k.day, -case k.state when 'held' then k.held else k.amount end, 0
               from counted k where k.differs) d
      group by d.side, d.currency, 5
      order by 1, 2, 3, 4, 5`,
    values,
  );
}

/** SQL for the maintained sums of items, up to a day, less what groups of later months hold. */
const storedSql = `(
  select t.side, t.currency, t.day, t.state, t.count, t.amount, t.held from reconciliation_totals t
   where t.tenant_id = $1::uuid and t.reconciliation_id = $2::uuid and t.side is not null
     and ($5::date is null or t.day is null or t.day <= $5::date)
  union all
  select k.side, k.currency, k.day, ${stateSql}, k.sign, k.sign * k.amount, k.sign * k.held
    from shifted k where ${countsSql('$5')}) k`;

/**
 * SQL for the items `i` that may be open or excluded at the end of a month, each in one part; groups hold all others.
 * An excluded one is never open.
 */
const mayBeListed = [
  `i.open and (i.day_rank <= $5::date or i.day_rank = 'infinity')`,
  'i.excluded is not null',
  'not i.open and i.excluded is null and t.record_id is not null',
];

/** An item is late if it is dated in a closed month, and was missing or already late in the last certificate. */
const listingSql = `listed as (
  insert into period_open_items
    (certificate_id, record_id, tenant_id, side, dataset_id, external_id, revision, amount, remaining, day, currency,
     excluded, late, annotations)
  select $8::uuid, k.record_id, $1::uuid, k.side, k.dataset_id, k.external_id, k.revision, k.amount, k.amount - k.held,
         k.day, k.currency, k.excluded,
         coalesce(k.day <= $9::date, false) and coalesce(before.late, true), k.annotations
    from (${mayBeListed
      .map((only) => knownItemsSql(only, `i.dataset_id, i.external_id, i.revision, ${annotationsSql} as annotations`))
      .join(' union all ')}) k
    left join period_open_items before on before.record_id = k.record_id and before.certificate_id = (
      select c.id from period_certificates c
       where c.tenant_id = $1::uuid and c.reconciliation_id = $2::uuid and c.voided_at is null
       order by c.period desc limit 1)
   where ${countsSql('$5')} and ${stateSql} <> 'held'
   order by k.record_id
)`;

/** The summary of a side, with the amounts by which its records differ from what groups hold of them. */
export interface KnownSide extends SideSummary {
  stale: CountedAmounts;
}

export function sideOf(all: readonly SumRow[], side: Side): KnownSide {
  const rows = all.filter((row) => (row.side === 0) === (side === 'left'));
  const items = rows.filter(({ state }) => state !== 'stale');
  const of = (state: SumRow['state']): SumRow[] => rows.filter((row) => row.state === state);
  const open = of('open');
  return {
    records: total(items, 'amount'),
    // A partly open record does not count as held, but groups still hold part of its amount.
    held: { ...total(items, 'held'), count: of('held').reduce((sum, { count }) => sum + count, 0) },
    open: total(open, 'rest'),
    excluded: total(of('excluded'), 'rest'),
    stale: total(of('stale'), 'amount'),
    ageing: Object.fromEntries(
      ageBuckets.map((bucket) => [
        bucket,
        total(
          open.filter((row) => row.bucket === bucket),
          'rest',
        ),
      ]),
    ) as Record<AgeBucket, CountedAmounts>,
  };
}

function total(rows: readonly SumRow[], column: 'amount' | 'held' | 'rest'): CountedAmounts {
  const sums = new Map<string | null, Units>();
  for (const row of rows) sums.set(row.currency, (sums.get(row.currency) ?? 0n) + (unitsOf(row[column]) ?? 0n));
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    amounts: [...sums].map(([currency, units]) => ({ currency, amount: decimalOf(units) })),
  };
}

/** The terms of the proof that are computed from items. */
export const proofTerms = ['open', 'held', 'excluded', 'stale'] as const;
export type ProofTerm = (typeof proofTerms)[number];

/** Adds up the items of one side and currency for a term of the proof. */
export function termOf(rows: readonly SumRow[], term: ProofTerm, side: Side, currency: string | null): Units {
  const column = term === 'held' ? 'held' : term === 'stale' ? 'amount' : 'rest';
  let sum = 0n;
  for (const row of rows) {
    if (!row.isInProof || (row.side === 0) !== (side === 'left') || row.currency !== currency) continue;
    // A group may hold a part of a record that is open.
    if (term === 'held' ? row.state !== 'stale' : row.state === term) {
      sum += unitsOf(row[column]) ?? 0n;
    }
  }
  return sum;
}
