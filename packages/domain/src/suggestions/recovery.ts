import { Attempts, maxRecoveryFailures } from '../kernel/attempts';
import { oldBefore, repeatWithPauses } from '../kernel/retention';
import type { DomainDeps } from '../kernel/scope';
import { isActiveSql } from '../kernel/sql';
import { failSuggestion } from './fail';
import { enqueueSearch, searchJobId, searchJobOf } from './suggestions';

/** Time without a sign of life after which the sweep looks for the queue job of a suggestion. */
const quietMs = 30_000;
const rowsPerStep = 100;

/** Gives suggestions back the queue jobs that a crash or an emptied queue has lost. */
export async function sweepSuggestions(deps: DomainDeps): Promise<void> {
  const quiet = await deps.db.system.query<{ id: string; tenantId: string; ruleSetId: string | null }>(
    `select id::text as id, tenant_id::text as "tenantId", rule_set_id::text as "ruleSetId" from suggestions
      where status in ('queued', 'running') and ${isActiveSql('tenant_id')}
        and seen_at < now() - make_interval(secs => $1::float8 / 1000) order by random() limit 1000`,
    [quietMs],
  );
  const recoveries = new Attempts(deps, { noun: 'suggestion', participle: 'taken up again' }, maxRecoveryFailures);
  for (const { id, tenantId, ruleSetId } of quiet) {
    await recoveries.try({ tenantId, suggestionId: id }, async (scope) => {
      const state = await scope.queue.stateOf(searchJobOf({ ruleSetId }), searchJobId(id));
      if (state === 'failed') await failSuggestion(scope, id, { code: 'worker_failed', message: 'The search failed' });
      else if (state === 'absent') await enqueueSearch(scope, { id, ruleSetId });
    });
  }
  recoveries.end();
}

/** Deletes suggestions that ended `days` ago, and those of deleted datasets and rule sets. */
export async function deleteOldSuggestions(deps: DomainDeps, days: number | null): Promise<void> {
  await repeatWithPauses(async () => {
    const deleted = await deps.db.system.execute(
      `delete from suggestions where id in (
         select s.id from suggestions s
          where (s.status not in ('queued', 'running') and s.finished_at < ${oldBefore('$1')})
             or not exists (select 1 from datasets d where d.id = s.left_dataset_id)
             or not exists (select 1 from datasets d where d.id = s.right_dataset_id)
             or (s.rule_set_id is not null and not exists (select 1 from rule_sets r where r.id = s.rule_set_id))
          limit ${rowsPerStep} for update skip locked)`,
      [days],
    );
    return deleted === rowsPerStep;
  });
}
