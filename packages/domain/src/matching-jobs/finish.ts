import type { RuleSetDefinition } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import type { TenantScope } from '../scope';
import { writeUnmatched } from '../unmatched';
import { assignOneToOne } from './assign';
import { reviveFailedJob } from './fail';
import { finishIsDue, jobLock } from './protocol';
import { replanJob } from './replan';
import { entryOutcome, mergeOutcomes, unmatchedOf, type EntryOutcome } from './outcome';
import { directoryTable, readDirectory, sideNumber } from './stage/directory';
import { StageLostError } from './staging';

export interface FinishedEntry {
  id: string;
  ruleSetId: string;
  definition: RuleSetDefinition;
  stagedRows: number;
}

/**
 * Completes a job whose batches are all done: assignment, unmatched records, average score, and the switch that
 * makes its matches the live ones, in one transaction. A reader sees the old result or the new one.
 */
export async function finishJob(scope: TenantScope, jobId: string): Promise<void> {
  await reviveFailedJob(scope, jobId);
  let completed = false;
  try {
    completed = await scope.db.session(async (client) => {
      await client.query('begin');
      const done = (await jobLock(client, jobId, 'try')) && (await complete(scope, client, jobId));
      await client.query(done ? 'commit' : 'rollback');
      return done;
    });
  } catch (error) {
    if (!(error instanceof StageLostError)) throw error;
    await replanJob(scope, jobId);
  }
  if (completed) await scope.db.afterCommit(() => scope.queue.enqueue('matching.cleanup', { tenantId: scope.tenantId, jobId }));
}

async function complete(scope: TenantScope, client: PoolClient, jobId: string): Promise<boolean> {
  const { tenantId } = scope;
  const { rows: due } = await client.query(
    `select 1 from matching_jobs j where j.tenant_id = $1 and j.id = $2 and ${finishIsDue}`,
    [tenantId, jobId],
  );
  if (due.length === 0) return false;
  // A deletion takes the rule set, then its links: taking them in the same order, neither waits for the other in a ring.
  await client.query(
    `select 1 from rule_sets where tenant_id = $1 and id in (select rule_set_id from job_rule_sets where tenant_id = $1 and job_id = $2)
      order by id for key share`,
    [tenantId, jobId],
  );
  const { rows: entries } = await client.query<FinishedEntry>(
    `select id, rule_set_id as "ruleSetId", definition, staged_rows as "stagedRows"
       from job_rule_sets where tenant_id = $1 and job_id = $2 order by position for key share`,
    [tenantId, jobId],
  );
  let outcome: EntryOutcome | undefined;
  for (const entry of entries) {
    const startedMs = performance.now();
    await assertStageWhole(client, entry);
    const directories = { left: await readDirectory(client, entry.id, 'left'), right: await readDirectory(client, entry.id, 'right') };
    const demoted =
      entry.definition.params.assignment === 'one_to_one' ? await assignOneToOne(scope, client, jobId, entry, directories) : 0;
    const own = await entryOutcome(client, { tenantId, jobId, ruleSetId: entry.ruleSetId }, directories);
    outcome = outcome
      ? { left: mergeOutcomes(outcome.left, own.left), right: mergeOutcomes(outcome.right, own.right) }
      : own;
    await client.query(
      `update job_rule_sets set status = 'completed', finished_at = now(), demoted = $3, timings = timings || $4
        where tenant_id = $1 and id = $2`,
      [tenantId, entry.id, demoted, JSON.stringify({ finishMs: Math.round(performance.now() - startedMs) })],
    );
  }
  if (outcome) {
    await writeUnmatched(client, { tenantId, jobId, side: sideNumber.left }, unmatchedOf(outcome.left));
    await writeUnmatched(client, { tenantId, jobId, side: sideNumber.right }, unmatchedOf(outcome.right));
  }
  await client.query(
    `update rule_sets set live_job_id = $2 where tenant_id = $1 and id = any($3)`,
    [tenantId, jobId, entries.map((e) => e.ruleSetId)],
  );
  const { rowCount } = await client.query(
    `update matching_jobs set status = 'completed', finished_at = clock_timestamp(), average_score =
        (select (sum(score_sum::numeric) / nullif(sum(matched + possible), 0))::float8 from job_batches where job_id = $2)
      where tenant_id = $1 and id = $2 and status = 'running'`,
    [tenantId, jobId],
  );
  return rowCount === 1;
}

async function assertStageWhole(client: PoolClient, entry: FinishedEntry): Promise<void> {
  const table = directoryTable(entry.id);
  const { rows: exists } = await client.query<{ found: boolean }>(`select to_regclass($1) is not null as found`, [table]);
  if (!exists[0]?.found) throw new StageLostError();
  const { rows } = await client.query<{ count: number }>(`select coalesce(sum(row_count), 0)::int as count from ${table}`);
  if (rows[0]?.count !== entry.stagedRows) throw new StageLostError();
}
