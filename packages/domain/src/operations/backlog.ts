import type { Db, MetricRegistry } from '@tieout/infra';
import { domainMetrics } from '../kernel/metrics';
import { deliveryBacklog, type DeliveryBacklog } from '../webhooks';

/** Records are counted up to here: whoever looks at more needs no exact figure. */
const mostCounted = 10_000;

interface Backlog extends DeliveryBacklog {
  received: number;
  oldestFileSeconds: number;
  jobQuietSeconds: number;
  itemDueSeconds: number;
  files: Record<string, number> | null;
  jobs: Record<string, number> | null;
  items: Record<string, number> | null;
}

const secondsSince = (time: string): string => `greatest(0, coalesce(extract(epoch from now() - ${time}), 0))::float8`;
const byStatus = (of: string): string =>
  `(select json_object_agg(status, n) from (select status, count(*)::int as n from ${of} group by status) s)`;

const openFiles = `data_source_files where status in ('uploaded', 'processing')`;
const openJobs = `matching_jobs j where j.status in ('queued', 'running')`;
/** Of an open job: it does not wait for other jobs of its tenant to give their snapshots up. */
const movesItself = `(j.status = 'queued' or j.started_at is not null)`;

/** What waits according to the rows, which know it even where the queues have been emptied. Each part reads an index of what is open. */
async function readBacklog({ system }: Db): Promise<Backlog> {
  const [[rows], deliveries] = await Promise.all([
    system.query<Omit<Backlog, keyof DeliveryBacklog>>(
      `select (select count(*)::int from (select 1 from records where status = 'received' limit ${mostCounted}) r) as received,
              (select ${secondsSince('min(uploaded_at)')} from ${openFiles}) as "oldestFileSeconds",
              (select ${secondsSince('min(moved_at)')} from (
                 select greatest(j.created_at, j.started_at, j.planned_at,
                                 (select max(done_at) from job_batches b where b.job_id = j.id),
                                 (select max(assigned_at) from job_rule_sets e where e.job_id = j.id)) as moved_at from ${openJobs} and ${movesItself}) o) as "jobQuietSeconds",
              (select ${secondsSince('min(due_at)')} from items where due_at <= now() and (lease_until is null or lease_until < now())) as "itemDueSeconds",
              ${byStatus(openFiles)} as files, ${byStatus(openJobs)} as jobs, ${byStatus('items where deleted_at is null')} as items`,
    ),
    deliveryBacklog(system),
  ]);
  return { ...(rows as Omit<Backlog, keyof DeliveryBacklog>), ...deliveries };
}

/** Tells of the backlog of all tenants; whichever process does, tells the same. */
export function gaugeBacklog(registry: MetricRegistry, db: Db): void {
  let reading: Promise<Backlog> | undefined;
  // All gauges are read at once: the one statement serves them all.
  const read = (): Promise<Backlog> => (reading ??= readBacklog(db).finally(() => (reading = undefined)));
  const one = (of: (backlog: Backlog) => number) => async () => [{ labels: {}, value: of(await read()) }];
  const statuses = (of: (backlog: Backlog) => Record<string, number> | null) => async () =>
    Object.entries(of(await read()) ?? {}).map(([status, value]) => ({ labels: { status }, value }));
  registry.gauge(
    domainMetrics,
    'tieout_records_received',
    one((backlog) => backlog.received),
  );
  registry.gauge(
    domainMetrics,
    'tieout_files_open',
    statuses((backlog) => backlog.files),
  );
  registry.gauge(
    domainMetrics,
    'tieout_files_oldest_open_seconds',
    one((backlog) => backlog.oldestFileSeconds),
  );
  registry.gauge(
    domainMetrics,
    'tieout_matching_jobs_open',
    statuses((backlog) => backlog.jobs),
  );
  registry.gauge(
    domainMetrics,
    'tieout_matching_jobs_longest_quiet_seconds',
    one((backlog) => backlog.jobQuietSeconds),
  );
  registry.gauge(
    domainMetrics,
    'tieout_webhook_deliveries_due',
    one((backlog) => backlog.due),
  );
  registry.gauge(
    domainMetrics,
    'tieout_webhook_oldest_due_seconds',
    one((backlog) => backlog.oldestDueSeconds),
  );
  registry.gauge(
    domainMetrics,
    'tieout_items',
    statuses((backlog) => backlog.items),
  );
  registry.gauge(
    domainMetrics,
    'tieout_items_longest_due_seconds',
    one((backlog) => backlog.itemDueSeconds),
  );
}
