import { Attempts } from '../../kernel/attempts';
import type { DomainDeps } from '../../kernel/scope';
import { defaultMaxWaitSeconds, defaultQuietSeconds, nextRunOf, type RunTriggers } from '../../reconciliations';
import { startRun, type RunTriggerName } from './runs';

interface DueReconciliation {
  tenantId: string;
  id: string;
  trigger: RunTriggerName;
}

/**
 * Starts the runs that are due: by schedule, a missed one once, and on the arrival of open items that the latest run
 * has not seen. All that decides stands in rows, so that no queue has to remember it.
 */
export async function sweepDueRuns(deps: DomainDeps): Promise<void> {
  const due = [...(await scheduledRuns(deps)), ...(await arrivedRuns(deps))];
  const attempts = new Attempts(deps, { noun: 'run', participle: 'started' });
  for (const { tenantId, id, trigger } of due) {
    await attempts.try({ tenantId, reconciliationId: id }, async (scope) => {
      await startRun(scope, id, { mode: 'incremental', trigger, dryRun: false });
    });
  }
  attempts.end();
}

const isRunnable = `not n.archived
  and exists (select 1 from tenants t where t.id = n.tenant_id and t.status = 'active')`;

/** Takes the schedules that are due, and moves each to its next moment. */
async function scheduledRuns({ db }: DomainDeps): Promise<DueReconciliation[]> {
  return db.system.transaction(async (tx) => {
    const rows = await tx.query<{ tenantId: string; id: string; triggers: RunTriggers }>(
      `select n.tenant_id::text as "tenantId", n.id::text as id, n.triggers from reconciliations n
        where n.next_run_at <= now() and ${isRunnable} order by n.next_run_at limit 100 for update skip locked`,
    );
    for (const { id, triggers } of rows) {
      await tx.execute(`update reconciliations set next_run_at = $2::timestamptz where id = $1::uuid`, [
        id,
        nextRunOf(triggers, new Date()),
      ]);
    }
    return rows.map(({ tenantId, id }) => ({ tenantId, id, trigger: 'schedule' as const }));
  });
}

/**
 * Finds reconciliations with open items that changed after the snapshot of their latest run: the last one some time
 * ago, or the first one long ago.
 */
async function arrivedRuns({ db }: DomainDeps): Promise<DueReconciliation[]> {
  const rows = await db.system.query<{ tenantId: string; id: string }>(
    `select n.tenant_id::text as "tenantId", n.id::text as id
       from reconciliations n
       left join lateral (
         select j.snapshot::pg_snapshot as seen from matching_jobs j
          where j.reconciliation_id = n.id and j.snapshot is not null order by j.id desc limit 1) latest on true
      cross join lateral (
         select min(i.updated_at) as first, max(i.updated_at) as last from reconciliation_items i
          where i.reconciliation_id = n.id and i.open
            and (latest.seen is null
                 or (i.changed_by >= pg_snapshot_xmin(latest.seen)
                     and not pg_visible_in_snapshot(i.changed_by, latest.seen)))) arrived
      where n.triggers ? 'onArrival' and ${isRunnable}
        and not exists (select 1 from matching_jobs j where j.reconciliation_id = n.id and j.status = 'queued')
        and (arrived.last <= now() - make_interval(secs => coalesce(
               (n.triggers #>> '{onArrival,quietSeconds}')::int, ${defaultQuietSeconds}))
             or arrived.first <= now() - make_interval(secs => coalesce(
               (n.triggers #>> '{onArrival,maxWaitSeconds}')::int, ${defaultMaxWaitSeconds})))`,
  );
  return rows.map((row) => ({ ...row, trigger: 'arrival' }));
}
