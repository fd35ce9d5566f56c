import { Attempts } from '../../kernel/attempts';
import type { DomainDeps, TenantScope } from '../../kernel/scope';
import { defaultMaxWaitSeconds, defaultQuietSeconds, nextRunOf, type RunTriggers } from '../../reconciliations';
import { startRun, type RunTriggerName } from './runs';

interface DueReconciliation {
  tenantId: string;
  id: string;
}

/**
 * Starts the runs that are due: by schedule, a missed one once, and on the arrival of open items that the latest run
 * has not seen. Only rows decide, so no queue has to remember anything.
 */
export async function sweepDueRuns(deps: DomainDeps): Promise<void> {
  const attempts = new Attempts(deps, { noun: 'run', participle: 'started' });
  for (const { tenantId, id } of await scheduledRuns(deps)) {
    await attempts.try({ tenantId, reconciliationId: id }, (scope) => startScheduled(scope, id));
  }
  for (const { tenantId, id } of await arrivedRuns(deps)) {
    await attempts.try({ tenantId, reconciliationId: id }, (scope) => start(scope, id, 'arrival'));
  }
  attempts.end();
}

const isRunnable = `not n.archived
  and exists (select 1 from reconciliation_passes p where p.tenant_id = n.tenant_id and p.reconciliation_id = n.id)
  and exists (select 1 from tenants t where t.id = n.tenant_id and t.status = 'active')`;

const start = async (scope: TenantScope, id: string, trigger: RunTriggerName): Promise<void> => {
  await startRun(scope, id, { mode: 'incremental', trigger, dryRun: false });
};

const scheduledRuns = ({ db }: DomainDeps): Promise<DueReconciliation[]> =>
  db.system.query<DueReconciliation>(
    `select n.tenant_id::text as "tenantId", n.id::text as id from reconciliations n
      where n.next_run_at <= now() and ${isRunnable} order by n.next_run_at limit 100`,
  );

/** Starts a run and moves the schedule to its next moment, in one transaction: a crash starts it later. */
async function startScheduled(scope: TenantScope, id: string): Promise<void> {
  await scope.transaction(async (s) => {
    const [due] = await s.db.query<{ triggers: RunTriggers }>(
      `select triggers from reconciliations
        where tenant_id = $1::uuid and id = $2::uuid and next_run_at <= now() and not archived for no key update`,
      [s.tenantId, id],
    );
    if (!due) return;
    await s.db.execute(
      `update reconciliations set next_run_at = $3::timestamptz where tenant_id = $1::uuid and id = $2::uuid`,
      [s.tenantId, id, nextRunOf(due.triggers, new Date())],
    );
    await start(s, id, 'schedule');
  });
}

/**
 * Finds reconciliations with open items that changed after the snapshot of their latest run: the last one some time
 * ago, or the first one long ago.
 */
function arrivedRuns({ db }: DomainDeps): Promise<DueReconciliation[]> {
  return db.system.query<DueReconciliation>(
    `select n.tenant_id::text as "tenantId", n.id::text as id
       from reconciliations n
       left join lateral (
         select j.snapshot::pg_snapshot as seen from matching_jobs j
          where j.reconciliation_id = n.id and j.snapshot is not null and not j.dry_run
          order by j.id desc limit 1) latest on true
      cross join lateral (
         select min(i.updated_at) as first, max(i.updated_at) as last from reconciliation_items i
          where i.reconciliation_id = n.id and i.open
            and i.changed_by >= coalesce(pg_snapshot_xmin(latest.seen), '0'::xid8)
            and pg_visible_in_snapshot(i.changed_by, latest.seen) is not true) arrived
      where n.triggers ? 'onArrival' and ${isRunnable}
        and not exists (select 1 from matching_jobs j
                         where j.reconciliation_id = n.id and j.status = 'queued' and not j.dry_run)
        and (arrived.last <= now() - make_interval(secs => coalesce(
               (n.triggers #>> '{onArrival,quietSeconds}')::int, ${defaultQuietSeconds}))
             or arrived.first <= now() - make_interval(secs => coalesce(
               (n.triggers #>> '{onArrival,maxWaitSeconds}')::int, ${defaultMaxWaitSeconds})))`,
  );
}
