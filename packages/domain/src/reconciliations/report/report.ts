import type { TenantScope } from '../../kernel/scope';
import { getReconciliation, type Reconciliation } from '../definition';
import { todaySql } from '../items/ranges';
import { getPeriod, summariseAt, type PeriodCertificate, type ProvedSummary, type SummaryView } from '../periods';
import { ageDayOf, assertMonth, lastDayOf, statusOfMonth } from '../periods/month';
import { reportedGroups, type ReportedGroup } from './groups';
import { reportedItems, type ReportedItem } from './items';

/** A reconciliation, or a month of it, as it was at a moment. Groups and items are read page by page. */
export interface ReconciliationReport {
  reconciliation: Reconciliation;
  /** The name that it had then. */
  name: string;
  /** YYYY-MM; null: all months. */
  period: string | null;
  /** When a closed month was closed; now for others. */
  at: Date;
  /** The one that the report of a closed month is read from. */
  certificate: Pick<PeriodCertificate, 'id' | 'at' | 'by' | 'note' | 'digest'> | null;
  summary: ProvedSummary & SummaryView;
  groups: () => AsyncIterable<ReportedGroup[]>;
  openItems: () => AsyncIterable<ReportedItem[]>;
}

/**
 * Opens the report of a month, or of all months. That of a closed month shows what was known when it was closed, so it
 * stays the same until the month is opened again.
 * @throws AppError reconciliation_not_found, validation_error
 */
export async function openReport(
  scope: TenantScope,
  reconciliationId: string,
  period: string | undefined,
): Promise<ReconciliationReport> {
  if (period !== undefined) assertMonth(period, '/query/period');
  const reconciliation = await getReconciliation(scope, reconciliationId);
  const closed = period === undefined ? null : await closedView(scope, reconciliation, period);
  const asOf = closed?.certificate === null ? closed.at.toISOString() : undefined;
  const summary = await summariseAt(scope, reconciliationId, { period, asOf });
  const lastDay = period === undefined ? null : lastDayOf(period);
  const today = await todayIn(scope, reconciliation);
  const at = closed?.at ?? new Date();
  const certificate = closed?.certificate ?? null;
  const items = {
    reconciliation,
    certificateId: certificate?.id ?? null,
    known: { at: asOf ?? null, month: period ?? null },
    lastDay,
    ageDay: ageDayOf(lastDay, today),
  };
  return {
    reconciliation,
    name: closed?.name ?? reconciliation.name,
    period: period ?? null,
    at,
    certificate,
    summary,
    groups: () => reportedGroups(scope, { reconciliationId, period, at }),
    openItems: () => reportedItems(scope, items),
  };
}

interface ClosedView {
  at: Date;
  name: string | null;
  certificate: PeriodCertificate | null;
}

/**
 * Finds since when a month is closed; null for an open one. A month that had no records has no certificate of its own:
 * it was closed with the next one that has.
 */
async function closedView(
  scope: TenantScope,
  reconciliation: Reconciliation,
  period: string,
): Promise<ClosedView | null> {
  const { certificate } = await getPeriod(scope, reconciliation.id, period);
  if (certificate) return { at: certificate.at, name: certificate.name, certificate };
  if (statusOfMonth(period, reconciliation) === 'open') return null;
  const [next] = await scope.db.query<{ at: Date; name: string | null }>(
    `select closed_at as at, name from period_certificates
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and voided_at is null and period > $3
      order by period limit 1`,
    [scope.tenantId, reconciliation.id, period],
  );
  return next ? { ...next, certificate: null } : null;
}

async function todayIn({ db }: TenantScope, { timezone }: Reconciliation): Promise<string> {
  const [row] = await db.query<{ day: string }>(`select ${todaySql('$1')}::text as day`, [timezone]);
  return row?.day ?? '';
}
