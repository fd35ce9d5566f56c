import type { RuleSetDefinition, Side } from '@tieout/engine';
import { queriesOn, type PoolClient } from '@tieout/infra';
import { bookJob } from '../../billing';
import { wakeDeliveries } from '../../events';
import { countResults, lockFigures, recountMatched, takeMatched } from '../../results/counters';
import { dropMatchesOf, keepRecords, removedSince, withholdReviewed } from '../../results/matches';
import type { TenantScope } from '../../kernel/scope';
import { withoutRecords, writeUnmatched } from '../../results/unmatched';
import { assignOneToOne } from './assign';
import { settleEntry } from '../composition/settle-entry';
import { reviveFailedJob, tellEnd } from '../jobs/fail';
import type { JobContext } from '../jobs/handlers';
import { emitJobEvent } from '../jobs/job-events';
import { lockReplaceable } from './live';
import { dueStep, enqueueBatches, jobLock, type DueStep } from '../jobs/protocol';
import { average } from '../jobs/read';
import { replanJob } from '../plan/replan';
import { JobStoppedError, runningCheck } from '../jobs/running';
import { entryOutcome, matchedIn, mergeOutcomes, unmatchedOf, type EntryOutcome } from './outcome';
import { directoryTable, readDirectory, sideNumber, type Directory } from '../stage/directory';
import { StageLostError } from '../stage/staging';

export interface FinishedEntry {
  id: string;
  ruleSetId: string;
  ruleSetVersion: number;
  definition: RuleSetDefinition;
  stagedRows: number;
  /** Whether its pairs have been assigned, as they are before groups are composed of what is left. */
  assigned: boolean;
  plannedAt: Date;
}

/**
 * Does what is due once no batch of a job can run. The assignment of rule sets that compose groups lets the batches which
 * do that run. When all are done, the job completes: assignment, composites, unmatched records, average score, and the
 * switch that makes its results the live ones, unless those of a newer job are, in one transaction. A reader sees the old
 * result or the new one.
 */
export async function finishJob(scope: TenantScope, jobId: string, context: JobContext): Promise<void> {
  await reviveFailedJob(scope, jobId);
  let done: DueStep | null = null;
  try {
    done = await scope.db.session(async (client) => {
      await client.query('begin');
      await jobLock(client, jobId);
      const step = await takeStep(scope, client, jobId, context);
      await client.query(step ? 'commit' : 'rollback');
      return step;
    });
  } catch (error) {
    if (error instanceof JobStoppedError) return;
    if (!(error instanceof StageLostError)) throw error;
    await replanJob(scope, jobId);
  }
  if (done === 'assign') await scope.db.afterCommit(() => enqueueBatches(scope, jobId));
  if (done !== 'complete') return;
  tellEnd(scope, jobId, 'completed');
  await scope.db.afterCommit(() => scope.queue.enqueue('matching.cleanup', { tenantId: scope.tenantId, jobId }));
  await scope.db.afterCommit(() => wakeDeliveries(scope));
}

/** The step that was due and has been done. */
async function takeStep(
  scope: TenantScope,
  client: PoolClient,
  jobId: string,
  context: JobContext,
): Promise<DueStep | null> {
  const { tenantId } = scope;
  const { rows } = await client.query<{ step: DueStep | null }>(
    `select ${dueStep} as step from matching_jobs j where j.tenant_id = $1 and j.id = $2`,
    [tenantId, jobId],
  );
  const step = rows[0]?.step ?? null;
  if (step === null) return null;
  await keepRecords(client, tenantId, jobId);
  const removed = await removedSince(client, tenantId, jobId);
  const entries = await lockEntries(client, tenantId, jobId);
  if (step === 'complete') return (await complete(scope, client, jobId, { entries, removed }, context)) ? step : null;
  await assign(scope, client, jobId, { entries, removed }, context);
  return step;
}

async function lockEntries(client: PoolClient, tenantId: string, jobId: string): Promise<FinishedEntry[]> {
  // A deletion takes the rule set, then its links: taking them in the same order, neither waits for the other in a ring.
  await client.query(
    `select 1 from rule_sets where tenant_id = $1 and id in (select rule_set_id from job_rule_sets where tenant_id = $1 and job_id = $2)
      order by id for key share`,
    [tenantId, jobId],
  );
  const { rows } = await client.query<FinishedEntry>(
    `select e.id, e.rule_set_id as "ruleSetId", e.rule_set_version as "ruleSetVersion", e.definition, e.staged_rows as "stagedRows",
            e.assigned_at is not null as assigned, j.planned_at as "plannedAt"
       from job_rule_sets e join matching_jobs j on j.id = e.job_id
      where e.tenant_id = $1 and e.job_id = $2 order by e.position for key share of e`,
    [tenantId, jobId],
  );
  return rows;
}

/** What a job is to finish, and the records that are gone since it was made. */
interface Finished {
  entries: readonly FinishedEntry[];
  removed: readonly string[];
}

/** Assigns the pairs of all rule sets, so that what they leave is known. */
async function assign(
  scope: TenantScope,
  client: PoolClient,
  jobId: string,
  { entries, removed }: Finished,
  context: JobContext,
): Promise<void> {
  for (const entry of entries) {
    if (entry.assigned) continue;
    await assertStageWhole(client, entry);
    const withheld = await withhold(scope, client, jobId, entry, removed);
    if (isOneToOne(entry))
      await demotePairs(
        scope,
        client,
        jobId,
        entry,
        { directories: await readDirectories(client, entry), withheld },
        context,
      );
    await client.query(`update job_rule_sets set assigned_at = clock_timestamp() where tenant_id = $1 and id = $2`, [
      scope.tenantId,
      entry.id,
    ]);
  }
}

async function readDirectories(client: PoolClient, { id }: FinishedEntry): Promise<Record<Side, Directory>> {
  return { left: await readDirectory(client, id, 'left'), right: await readDirectory(client, id, 'right') };
}

const isOneToOne = (entry: FinishedEntry): boolean => entry.definition.params.assignment === 'one_to_one';

/** Takes out pairs of records that are gone, and those that people have decided about; the ids of the pairs that are not to be assigned. */
async function withhold(
  scope: TenantScope,
  client: PoolClient,
  jobId: string,
  entry: FinishedEntry,
  removed: readonly string[],
): Promise<ReadonlySet<string>> {
  const { tenantId } = scope;
  const of = { tenantId, jobId, ruleSetId: entry.ruleSetId, ruleSetVersion: entry.ruleSetVersion };
  const dropped = await dropMatchesOf(client, of, removed);
  const { gone, demoted } = await withholdReviewed(client, of, isOneToOne(entry));
  const counts = { MATCH: 0, POSSIBLE: 0, scoreSum: 0 };
  for (const { decision, score } of [...dropped, ...gone]) {
    counts[decision]++;
    counts.scoreSum += score;
  }
  await client.query(
    `update job_rule_sets set withheld_match = withheld_match + $3, withheld_possible = withheld_possible + $4,
            withheld_score = withheld_score + $5, demoted = demoted + $6 where tenant_id = $1 and id = $2`,
    [tenantId, entry.id, counts.MATCH, counts.POSSIBLE, counts.scoreSum, demoted.length],
  );
  return new Set([...dropped.map(({ id }) => id), ...gone.map(({ id }) => id), ...demoted]);
}

async function demotePairs(
  scope: TenantScope,
  client: PoolClient,
  jobId: string,
  entry: FinishedEntry,
  pairs: { directories: Record<Side, Directory>; withheld: ReadonlySet<string> },
  context: JobContext,
): Promise<void> {
  const check = runningCheck(scope, jobId);
  const assigned = await assignOneToOne(scope, client, jobId, entry, pairs.directories, pairs.withheld, () => {
    context.onStep();
    return check();
  });
  // What neither stands nor was demoted nor withheld has been deleted with one of its records meanwhile: who did so has taken it off the figures.
  await client.query(
    `update job_rule_sets e set demoted = e.demoted + $3,
            vanished = (select coalesce(sum(b.matched), 0) from job_batches b where b.entry_id = e.id) - e.withheld_match - e.demoted - $3 - $4
      where e.tenant_id = $1 and e.id = $2`,
    [scope.tenantId, entry.id, assigned.demoted, assigned.matches],
  );
}

async function complete(
  scope: TenantScope,
  client: PoolClient,
  jobId: string,
  { entries, removed }: Finished,
  context: JobContext,
): Promise<boolean> {
  const { tenantId } = scope;
  let outcome: EntryOutcome | undefined;
  for (const entry of entries) {
    const startedMs = performance.now();
    await assertStageWhole(client, entry);
    const directories = await readDirectories(client, entry);
    // Also where the pairs are assigned: somebody may have decided about some since.
    const withheld = await withhold(scope, client, jobId, entry, removed);
    if (!entry.assigned && isOneToOne(entry))
      await demotePairs(scope, client, jobId, entry, { directories, withheld }, context);
    const own = await entryOutcome(client, { tenantId, jobId, ruleSetId: entry.ruleSetId }, directories);
    const { counts, errors, ...problems } = await settleEntry(
      scope,
      client,
      jobId,
      entry,
      { directories, outcome: own, removed },
      context,
    );
    outcome = outcome ? mergeOutcomes(outcome, own) : own;
    await client.query(
      `update job_rule_sets set status = 'completed', finished_at = now(), timings = timings || $3,
              composite_match = $4, composite_possible = $5, composition = $6, errors = errors || $7, results_expired_at = null
        where tenant_id = $1 and id = $2`,
      [
        tenantId,
        entry.id,
        JSON.stringify({ finishMs: Math.round(performance.now() - startedMs) }),
        counts.MATCH,
        counts.POSSIBLE,
        JSON.stringify(problems),
        JSON.stringify(errors),
      ],
    );
  }
  let unmatched = 0;
  if (outcome) {
    const gone = new Set(removed);
    const left = withoutRecords(unmatchedOf(outcome.left), gone);
    unmatched = left.reasons.length;
    await writeUnmatched(client, { tenantId, jobId, side: sideNumber.left }, left);
    await writeUnmatched(
      client,
      { tenantId, jobId, side: sideNumber.right },
      withoutRecords(unmatchedOf(outcome.right), gone),
    );
  }
  const matched = outcome ? matchedIn(outcome.left) : 0;
  const ruleSetIds = await lockReplaceable(
    client,
    { tenantId, jobId },
    entries.map((e) => e.ruleSetId),
  );
  const replaced = await leftDatasetsOf(client, tenantId, ruleSetIds);
  await client.query(`update rule_sets set live_job_id = $2 where tenant_id = $1 and id = any($3)`, [
    tenantId,
    jobId,
    ruleSetIds,
  ]);
  const { rowCount } = await client.query(
    `update matching_jobs set status = 'completed', finished_at = clock_timestamp(), left_records = $3, left_matched = $4, average_score =
        (select ${average('b.score - e.score', 'b.pairs - e.pairs')}
           from (select sum(score_sum::numeric) as score, sum(matched + possible) as pairs from job_batches where job_id = $2) b,
                (select sum(withheld_score::numeric) as score, sum(withheld_match + withheld_possible) as pairs from job_rule_sets where job_id = $2) e)
      where tenant_id = $1 and id = $2 and status = 'running'`,
    [tenantId, jobId, matched + unmatched, matched],
  );
  if (rowCount !== 1) return false;
  const db = queriesOn(client);
  await emitJobEvent(db, tenantId, jobId, 'completed');
  await bookJob(db, tenantId, jobId);
  await lockFigures(db, tenantId);
  await countResults(db, tenantId, jobId);
  const [datasetId, ...others] = new Set([...replaced, ...(await leftDatasetsOf(client, tenantId, ruleSetIds))]);
  if (datasetId === undefined) return true;
  const isTaken =
    others.length === 0 && (await takeMatched(db, tenantId, datasetId, { jobId, pairs: outcome?.pairs ?? 0, matched }));
  if (!isTaken) await recountMatched(db, tenantId, [datasetId, ...others]);
  return true;
}

/** The left datasets of the results that are live for these rule sets. */
async function leftDatasetsOf(client: PoolClient, tenantId: string, ruleSetIds: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select distinct e.left_dataset_id as id from job_rule_sets e join rule_sets r on r.id = e.rule_set_id and r.live_job_id = e.job_id
      where e.tenant_id = $1 and e.rule_set_id = any($2)`,
    [tenantId, ruleSetIds],
  );
  return rows.map(({ id }) => id);
}

async function assertStageWhole(client: PoolClient, entry: FinishedEntry): Promise<void> {
  const table = directoryTable(entry.id);
  const { rows: exists } = await client.query<{ found: boolean }>(`select to_regclass($1) is not null as found`, [
    table,
  ]);
  if (!exists[0]?.found) throw new StageLostError();
  const { rows } = await client.query<{ count: number }>(
    `select coalesce(sum(row_count), 0)::int as count from ${table}`,
  );
  if (rows[0]?.count !== entry.stagedRows) throw new StageLostError();
}
