import type { TenantScope } from '../../kernel/scope';
import { getReconciliation, type Reconciliation } from '../definition';
import { summariseAt, type ProvedSummary, type SummaryView } from '../periods/summarise';
import { reportedGroups, type ReportedGroup } from './groups';
import { reportedItems, type ReportedItem } from './items';

/** A reconciliation, or a month of it, as it was at a moment. Groups and items are read page by page. */
export interface ReconciliationReport {
  reconciliation: Reconciliation;
  /** YYYY-MM; null: all months. */
  period: string | null;
  at: Date;
  summary: ProvedSummary & SummaryView;
  groups: () => AsyncIterable<ReportedGroup[]>;
  openItems: () => AsyncIterable<ReportedItem[]>;
}

/** @throws AppError reconciliation_not_found */
export async function openReport(
  scope: TenantScope,
  reconciliationId: string,
  period: string | undefined,
): Promise<ReconciliationReport> {
  const reconciliation = await getReconciliation(scope, reconciliationId);
  const at = new Date();
  const [today] = await scope.db.query<{ day: string }>('select ($1::timestamptz at time zone $2)::date::text as day', [
    at,
    reconciliation.timezone,
  ]);
  const lastDay = today?.day ?? '';
  return {
    reconciliation,
    period: period ?? null,
    at,
    summary: await summariseAt(scope, reconciliationId, { period }),
    groups: () => reportedGroups(scope, { reconciliationId, period, at }),
    openItems: () => reportedItems(scope, { reconciliationId, lastDay }),
  };
}
