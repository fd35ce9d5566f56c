import type { Db, MetricRegistry } from '@tieout/infra';
import { domainMetrics } from '../kernel/metrics';
import { isActiveSql } from '../kernel/sql';
import { deliveryBacklog, type DeliveryBacklog } from '../webhooks';

/** Records are counted up to this number: beyond it an exact count helps no operator. */
const maxCounted = 10_000;

interface Backlog extends DeliveryBacklog {
  received: number;
  oldestFileSeconds: number;
  jobQuietSeconds: number;
  itemDueSeconds: number;
  runDueSeconds: number;
  unexplained: number;
  openItems: number;
  oldestOpenItemSeconds: number;
  files: Record<string, number> | null;
  jobs: Record<string, number> | null;
  items: Record<string, number> | null;
}

const secondsSince = (time: string): string => `greatest(0, coalesce(extract(epoch from now() - ${time}), 0))::float8`;
const byStatus = (of: string): string =>
  `(select json_object_agg(status, n) from (select status, count(*)::int as n from ${of} group by status) s)`;

// Work of tenants that are not active needs no attention.
const openFiles = `data_source_files where status in ('uploaded', 'processing') and ${isActiveSql('tenant_id')}`;
const openJobs = `matching_jobs j where j.status in ('queued', 'running') and ${isActiveSql('j.tenant_id')}`;
/** SQL: an open job does not wait for other jobs of its tenant to release their snapshots. */
const isIndependentSql = `(j.status = 'queued' or j.started_at is not null)`;

/** The days of open items, from their totals: the number of those does not grow with the items. */
const openItemsSql = `open_items as (
  select t.day, sum(t.count) as count from reconciliation_totals t join reconciliations n on n.id = t.reconciliation_id
   where t.state = 'open' and not n.archived and ${isActiveSql('n.tenant_id')}
   group by t.reconciliation_id, t.day having sum(t.count) > 0)`;

/**
 * Reads the backlog from the rows, which own the truth also when the queues are empty. Each part reads an index of open
 * rows.
 */
async function readBacklog({ system }: Db): Promise<Backlog> {
  const [[rows], deliveries] = await Promise.all([
    system.query<Omit<Backlog, keyof DeliveryBacklog>>(
      `with ${openItemsSql}
       select (select count(*)::int
                 from (select 1 from records where status = 'received' and ${isActiveSql('tenant_id')}
                        limit ${maxCounted}) r) as received,
              (select ${secondsSince('min(uploaded_at)')} from ${openFiles}) as "oldestFileSeconds",
              (select ${secondsSince('min(progress_at)')} from (
                 select greatest(j.created_at, j.started_at, j.planned_at,
                                 (select max(done_at) from job_batches b where b.job_id = j.id),
                                 (select max(assigned_at) from job_rule_sets e where e.job_id = j.id)) as progress_at
                   from ${openJobs} and ${isIndependentSql}) o) as "jobQuietSeconds",
              (select ${secondsSince('min(due_at)')} from items
                where due_at <= now() and (lease_until is null or lease_until < now())
                  and ${isActiveSql('tenant_id')}) as "itemDueSeconds",
              (select ${secondsSince('min(next_run_at)')} from reconciliations
                where next_run_at <= now() and not archived and ${isActiveSql('tenant_id')}) as "runDueSeconds",
              (select count(*)::int from reconciliations
                where unexplained and not archived and ${isActiveSql('tenant_id')}) as unexplained,
              (select coalesce(sum(count), 0)::float8 from open_items) as "openItems",
              (select ${secondsSince('min(day)')} from open_items) as "oldestOpenItemSeconds",
              ${byStatus(openFiles)} as files, ${byStatus(openJobs)} as jobs,
              ${byStatus('items where deleted_at is null')} as items`,
    ),
    deliveryBacklog(system),
  ]);
  return { ...(rows as Omit<Backlog, keyof DeliveryBacklog>), ...deliveries };
}

const numberGauges = [
  ['tieout_records_received', 'received'],
  ['tieout_files_oldest_open_seconds', 'oldestFileSeconds'],
  ['tieout_matching_jobs_longest_quiet_seconds', 'jobQuietSeconds'],
  ['tieout_webhook_deliveries_due', 'due'],
  ['tieout_webhook_oldest_due_seconds', 'oldestDueSeconds'],
  ['tieout_items_longest_due_seconds', 'itemDueSeconds'],
  ['tieout_reconciliations_longest_due_seconds', 'runDueSeconds'],
  ['tieout_reconciliations_unexplained', 'unexplained'],
  ['tieout_open_items', 'openItems'],
  ['tieout_open_items_oldest_seconds', 'oldestOpenItemSeconds'],
] as const;

const statusGauges = [
  ['tieout_files_open', 'files'],
  ['tieout_matching_jobs_open', 'jobs'],
  ['tieout_items', 'items'],
] as const;

/** Registers gauges of the backlog of all tenants; every process reports the same values. */
export function gaugeBacklog(registry: MetricRegistry, db: Db): void {
  let reading: Promise<Backlog> | undefined;
  // All gauges are read at the same time, so they share one statement.
  const read = (): Promise<Backlog> => (reading ??= readBacklog(db).finally(() => (reading = undefined)));
  for (const [name, key] of numberGauges)
    registry.gauge(domainMetrics, name, async () => [{ labels: {}, value: (await read())[key] }]);
  for (const [name, key] of statusGauges)
    registry.gauge(domainMetrics, name, async () =>
      Object.entries((await read())[key] ?? {}).map(([status, value]) => ({ labels: { status }, value })),
    );
}
