import { readDay } from '@tieout/engine';
import { invalid, type AppError } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { getReconciliation, type Reconciliation } from '../definition';
import { decimalOf, unitsOf } from '../amounts';
import { warningsOfChanges, type UnsettledWarning } from '../groups/changed';
import { warningsOfItems, type UnreadWarning } from '../unread-values';
import type { ReconciliationSummary } from '../summary';
import { balancesAt, provableDay } from './balances';
import type { KnownAt } from './known';
import { ageDayOf, assertMonth, lastDayOf, statusOfMonth } from './month';
import { proofsOf, type BalanceProof } from './proof';
import { sideOf, sumKnown, type AskedSums, type KnownSide, type SumRow } from './sums';

/** A summary with the proof of balance. */
export interface ProvedSummary extends ReconciliationSummary {
  sides: Record<'left' | 'right', KnownSide>;
  proof: BalanceProof[];
}

/** The view that a summary gives. */
export interface SummaryView {
  /** Summarises what was known at this moment, ISO 8601; null: what is known now. */
  asOf: string | null;
  /** YYYY-MM; null: all of the reconciliation. */
  period: string | null;
  /** The certificate that the summary is read from; null: it is computed. */
  certificateId: string | null;
  /** Warnings of items as they are now; a past view has none. */
  warnings: (UnreadWarning | UnsettledWarning)[];
}

export interface AskedSummary {
  /** YYYY-MM-DD: the end of that day in the time zone of the reconciliation. Otherwise a timestamp with an offset. */
  asOf?: string | undefined;
  /** YYYY-MM. Only records of this month and earlier ones count, and only what groups of these months hold of them. */
  period?: string | undefined;
}

/**
 * Sums up a reconciliation as it is now, as it was known at a moment, or as a month is. A closed month is what its
 * certificate says, unless it is asked for as of a moment.
 * @throws AppError reconciliation_not_found, validation_error
 */
export async function summariseAt(
  scope: TenantScope,
  reconciliationId: string,
  { asOf, period }: AskedSummary,
): Promise<ProvedSummary & SummaryView> {
  if (period !== undefined) assertMonth(period, '/query/period');
  const reconciliation = await getReconciliation(scope, reconciliationId);
  if (period !== undefined && asOf === undefined && statusOfMonth(period, reconciliation) !== 'open') {
    const certified = await certifiedSummary(scope, reconciliationId, period);
    if (certified) return certified;
  }
  const asked = await viewOf(scope, reconciliation, { asOf, period });
  const rows = await sumKnown(scope, reconciliation, asked);
  const warnings =
    asked.at === null
      ? [...(await warningsOfItems(scope, reconciliation)), ...(await warningsOfChanges(scope, reconciliationId))]
      : [];
  return { ...(await prove(scope, reconciliation, { asked, rows })), ...shownView(asked), warnings };
}

const shownView = ({ at, month }: KnownAt): Omit<SummaryView, 'warnings'> => ({
  asOf: at,
  period: month,
  certificateId: null,
});

/** Reads the summary of a month's certificate. A month that had no records when it was closed has none. */
async function certifiedSummary(
  { db, tenantId }: TenantScope,
  reconciliationId: string,
  period: string,
): Promise<(ProvedSummary & SummaryView) | undefined> {
  const [found] = await db.query<{ id: string; summary: ProvedSummary }>(
    `select id::text as id, summary from period_certificates
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and voided_at is null and period = $3`,
    [tenantId, reconciliationId, period],
  );
  return found && { ...found.summary, asOf: null, period, certificateId: found.id, warnings: [] };
}

interface DaysRow {
  at: string | null;
  today: string;
}

const daySyntax = /^\d{4}-\d\d-\d\d$/;
/** The time has an offset; `readDay` rejects an invalid date. */
const momentSyntax = /[Zz]$|[+-]\d\d:\d\d$/;

/** Reads the moment and the days that a request means. A future time is clamped to now. */
async function viewOf(
  scope: TenantScope,
  reconciliation: Reconciliation,
  { asOf, period }: AskedSummary,
): Promise<AskedSums> {
  const isDay = asOf !== undefined && daySyntax.test(asOf);
  if (asOf !== undefined && !((isDay || momentSyntax.test(asOf)) && readDay(asOf).ok)) throw badMoment();
  const [row] = await scope.db.query<DaysRow>(
    `with asked as (
       select least(
         case when $1::boolean then (($2::text::date + 1)::timestamp at time zone $3) - interval '1 microsecond'
              else $2::text::timestamptz end, clock_timestamp()) as at)
     select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
            (coalesce(at, now()) at time zone $3)::date::text as today from asked`,
    [isDay, asOf ?? null, reconciliation.timezone],
  );
  const at = asOf === undefined ? null : (row?.at ?? null);
  const today = row?.today ?? '';
  const lastDay = period === undefined ? null : lastDayOf(period);
  const proofDay =
    lastDay ?? (isDay ? asOf : ((await provableDay(scope, reconciliation, { at, upTo: today })) ?? today));
  return {
    at,
    month: period ?? null,
    lastDay,
    ageDay: ageDayOf(lastDay, today),
    proofDay,
  };
}

const badMoment = (): AppError =>
  invalid([
    { path: '/query/asOf', code: 'moment', message: 'must be a day such as 2026-03-31, or a timestamp with an offset' },
  ]);

/** Completes sums of items by groups, adjustments and the proof. */
export async function prove(
  scope: TenantScope,
  reconciliation: Reconciliation,
  { asked, rows }: { asked: AskedSums; rows: readonly SumRow[] },
): Promise<ProvedSummary> {
  const balances = await balancesAt(scope, reconciliation, { at: asked.at, day: asked.proofDay });
  return {
    sides: { left: sideOf(rows, 'left'), right: sideOf(rows, 'right') },
    ...(await groupsAt(scope, reconciliation.id, asked)),
    proof: proofsOf(rows, balances, { day: asked.proofDay, amountSign: reconciliation.amountSign }),
  };
}

/** SQL for groups `g` that were held at the moment `$3`, or are now, of the month `$4` and those before. */
const isHeldSql = `g.tenant_id = $1::uuid and g.reconciliation_id = $2::uuid
  and case when $3::timestamptz is null then g.status = 'held'
           else g.held_at <= $3::timestamptz and (g.released_at is null or g.released_at > $3::timestamptz) end
  and ($4::text is null or coalesce(g.period, '') <= $4::text)`;

/** SQL for the maintained sums of held groups, less those of later months; the parameters are those of `isHeldSql`. */
const storedGroupsSql = `
  select k.origin, sum(k.count)::float8 as count, sum(k.difference)::numeric(30, 4)::text as difference
    from (select t.state as origin, t.count, t.amount as difference from reconciliation_totals t
           where t.tenant_id = $1::uuid and t.reconciliation_id = $2::uuid and t.side is null
             and $3::timestamptz is null
          union all
          select g.origin, -1, -coalesce(g.difference, 0) from match_groups g
           where g.tenant_id = $1::uuid and g.reconciliation_id = $2::uuid and g.status = 'held'
             and g.period > $4::text) k
   group by 1 having sum(k.count) > 0 order by 1`;

async function groupsAt(
  { db, tenantId }: TenantScope,
  reconciliationId: string,
  { at, month }: KnownAt,
): Promise<Pick<ReconciliationSummary, 'groups' | 'adjustments' | 'difference'>> {
  const parameters = [tenantId, reconciliationId, at, month];
  const groups = await db.query<{ origin: string; count: number; difference: string }>(
    at === null
      ? storedGroupsSql
      : `select case when g.confirmed_at > $3::timestamptz then 'auto' else g.origin end as origin,
            count(*)::float8 as count, coalesce(sum(g.difference), 0)::numeric(30, 4)::text as difference
       from match_groups g where ${isHeldSql} group by 1 order by 1`,
    parameters,
  );
  // There are few adjustments beside groups: each finds its group.
  const adjustments = await db.query<{ reasonCode: string; count: number; amount: string }>(
    `select a.reason_code as "reasonCode", count(*)::float8 as count, sum(a.amount)::numeric(30, 4)::text as amount
       from match_group_adjustments a
      cross join lateral (select 1 from match_groups g where g.id = a.group_id and ${isHeldSql} offset 0) of_group
      where a.tenant_id = $1::uuid group by 1 order by 1`,
    parameters,
  );
  return {
    groups: groups.map(({ origin, count }) => ({ origin, count })),
    adjustments,
    difference: decimalOf(groups.reduce((sum, { difference }) => sum + (unitsOf(difference) ?? 0n), 0n)),
  };
}
