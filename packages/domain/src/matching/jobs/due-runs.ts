import { AppError } from '@tieout/infra';
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
    await attempts.try({ tenantId, reconciliationId: id }, (scope) =>
      startOrNoteRefusal(scope, { id, trigger: 'schedule' }, () => startScheduled(scope, id)),
    );
  }
  for (const { tenantId, id } of await arrivedRuns(deps)) {
    await attempts.try({ tenantId, reconciliationId: id }, (scope) =>
      startOrNoteRefusal(scope, { id, trigger: 'arrival' }, () => start(scope, id, 'arrival')),
    );
  }
  attempts.end();
}

const isRunnable = `not n.archived and (n.refused_until is null or n.refused_until <= now())
  and exists (select 1 from reconciliation_passes p where p.tenant_id = n.tenant_id and p.reconciliation_id = n.id)
  and exists (select 1 from tenants t where t.id = n.tenant_id and t.status = 'active')`;

/**
 * Starts a run. One that its passes or datasets refuse is no failure of the service: it is tried again after a pause
 * that doubles up to an hour, or once they are changed, and keeps no other run from its turn. The reconciliation shows
 * the reason.
 */
async function startOrNoteRefusal(
  scope: TenantScope,
  { id, trigger }: { id: string; trigger: RunTriggerName },
  start: () => Promise<void>,
): Promise<void> {
  const { db, tenantId, logger } = scope;
  try {
    await start();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message } = error;
    logger.warn({ tenantId, reconciliationId: id, reason: message }, 'a run was refused');
    await db.execute(
      `update reconciliations
          set refusals = refusals + 1,
              refused_until = now() + make_interval(mins => least(60, power(2, least(refusals, 6)))::int),
              refusal = $3::jsonb
        where tenant_id = $1::uuid and id = $2::uuid`,
      [tenantId, id, JSON.stringify({ trigger, at: new Date(), error: { code, message } })],
    );
  }
}

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

/** Minutes after which items that a run has failed to read may start another one. */
const failedPauseMinutes = 15;

/**
 * Finds reconciliations with open items that changed after the snapshot of their latest run: the last one some time
 * ago, or the first one long ago. A run that has failed, or was cancelled, before it took its snapshot has seen none.
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
                         where j.reconciliation_id = n.id and not j.dry_run
                           and (j.status = 'queued' or j.status in ('failed', 'cancelled') and j.snapshot is null
                                  and j.finished_at > now() - make_interval(mins => ${failedPauseMinutes})))
        and (arrived.last <= now() - make_interval(secs => coalesce(
               (n.triggers #>> '{onArrival,quietSeconds}')::int, ${defaultQuietSeconds}))
             or arrived.first <= now() - make_interval(secs => coalesce(
               (n.triggers #>> '{onArrival,maxWaitSeconds}')::int, ${defaultMaxWaitSeconds})))`,
  );
}
