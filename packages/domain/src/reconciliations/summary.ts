import type { Side } from '@tieout/engine';
import type { TenantScope } from '../kernel/scope';
import { getReconciliation } from './definition';
import { decimalOf, unitsOf } from './amounts';
import { todaySql } from './items/filter';

/** A number of records, and the sum of their amounts by currency, as decimal texts. */
export interface CountedAmounts {
  count: number;
  amounts: { currency: string | null; amount: string }[];
}

/** The first day of each age, in days, and its name; the last one has no end. */
export const ageBuckets = ['0-7', '8-30', '31-60', '61-90', 'over 90', 'no date'] as const;
export type AgeBucket = (typeof ageBuckets)[number];

export interface SideSummary {
  records: CountedAmounts;
  /** The amounts that groups hold, parts of records included. */
  held: CountedAmounts;
  /** The rest of the records that are neither held wholly nor excluded. */
  open: CountedAmounts;
  excluded: CountedAmounts;
  ageing: Record<AgeBucket, CountedAmounts>;
}

export interface ReconciliationSummary {
  sides: Record<Side, SideSummary>;
  groups: { origin: string; count: number }[];
  adjustments: { reasonCode: string; count: number; amount: string }[];
  /** The sum of what held groups differ by, which their rules have tolerated. */
  difference: string;
}

interface SummaryRow {
  side: number;
  currency: string | null;
  bucket: AgeBucket;
  state: 'open' | 'excluded' | 'held';
  count: number;
  amount: string;
  held: string;
  rest: string;
}

/** Sums up the items and groups of a reconciliation as they are now. */
export async function summarise(scope: TenantScope, reconciliationId: string): Promise<ReconciliationSummary> {
  const { db, tenantId } = scope;
  const { timezone } = await getReconciliation(scope, reconciliationId);
  const age = `(${todaySql('$3')} - i.day)`;
  const rows = await db.query<SummaryRow>(
    `select i.side::int as side, i.currency,
            case when i.day is null then 'no date' when ${age} <= 7 then '0-7' when ${age} <= 30 then '8-30'
                 when ${age} <= 60 then '31-60' when ${age} <= 90 then '61-90' else 'over 90' end as bucket,
            case when i.excluded is not null then 'excluded' when i.open then 'open' else 'held' end as state,
            count(*)::float8 as count, coalesce(sum(i.amount), 0)::numeric(30, 4)::text as amount,
            coalesce(sum(i.held), 0)::numeric(30, 4)::text as held,
            coalesce(sum(i.amount - i.held), 0)::numeric(30, 4)::text as rest
       from reconciliation_items i
      where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and (i.ready or i.holds > 0)
      group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    [tenantId, reconciliationId, timezone],
  );
  const groups = await db.query<{ origin: string; count: number }>(
    `select origin, count(*)::float8 as count from match_groups
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and status = 'held' group by 1 order by 1`,
    [tenantId, reconciliationId],
  );
  const adjustments = await db.query<{ reasonCode: string; count: number; amount: string }>(
    `select a.reason_code as "reasonCode", count(*)::float8 as count, sum(a.amount)::numeric(30, 4)::text as amount
       from match_groups g join match_group_adjustments a on a.tenant_id = g.tenant_id and a.group_id = g.id
      where g.tenant_id = $1::uuid and g.reconciliation_id = $2::uuid and g.status = 'held' group by 1 order by 1`,
    [tenantId, reconciliationId],
  );
  const [sum] = await db.query<{ difference: string }>(
    `select coalesce(sum(difference), 0)::numeric(30, 4)::text as difference from match_groups
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and status = 'held'`,
    [tenantId, reconciliationId],
  );
  const of = (side: number): SideSummary => sideSummary(rows.filter((row) => row.side === side));
  return { sides: { left: of(0), right: of(1) }, groups, adjustments, difference: sum?.difference ?? '0.0000' };
}

function sideSummary(rows: readonly SummaryRow[]): SideSummary {
  const rowsIn = (state: SummaryRow['state']): SummaryRow[] => rows.filter((row) => row.state === state);
  const open = rowsIn('open');
  return {
    records: total(rows, 'amount'),
    held: { ...total(rows, 'held'), count: rowsIn('held').reduce((sum, { count }) => sum + count, 0) },
    open: total(open, 'rest'),
    excluded: total(rowsIn('excluded'), 'rest'),
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

function total(rows: readonly SummaryRow[], column: 'amount' | 'held' | 'rest'): CountedAmounts {
  const sums = new Map<string | null, bigint>();
  for (const row of rows) sums.set(row.currency, (sums.get(row.currency) ?? 0n) + (unitsOf(row[column]) ?? 0n));
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    amounts: [...sums].map(([currency, units]) => ({ currency, amount: decimalOf(units) })),
  };
}
