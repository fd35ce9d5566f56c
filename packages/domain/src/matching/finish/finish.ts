import type { Side } from '@tieout/engine';
import { queriesOn, type PoolClient } from '@tieout/infra';
import { bookJob } from '../../billing/ledger';
import { wakeDeliveries } from '../../events';
import { addResultCounts, lockCounters, recountMatched, adoptMatchedCount } from '../../results/counters';
import {
  auditRun,
  holdRun,
  itemsChangedSince,
  ItemsChangedError,
  lockForRun,
  recordsOfStandingGroups,
  type RunSnapshot,
} from '../../reconciliations';
import { blockRemovals, recordsRemovedSince } from '../../results/matches';
import { sideNumber, withoutRecords, writeUnmatched } from '../../results/unmatched';
import type { TenantScope } from '../../kernel/scope';
import type { CompositionContext } from '../composition/pool';
import { JobStoppedError } from '../jobs/context';
import { emitJobEvent, enqueueCleanUp, reportJobEnd } from '../jobs/end';
import { dueStep, enqueueBatches, isNewerJob, lockJob, type DueStep } from '../jobs/protocol';
import { averageSql } from '../jobs/read';
import { replanJob } from '../plan/plan';
import { StageLostError } from '../stage/staging';
import { storeClusters } from './clusters';
import { assignOneToOne, type PairsToAssign } from './assign';
import { cutPossible, nothingCut } from './cut-possible';
import {
  entryOutcome,
  markStoredComposites,
  matchedIn,
  matchedRecords,
  mergeOutcomes,
  unmatchedOf,
  type EntryOutcome,
} from './outcome';
import { nearestOf } from './nearest';
import { ownerOf, readDirectories, stageOf, type FinishEntry, type FinishRun } from './run';
import { settleEntry } from './settle-entry';
import { heldCount, isOneToOne, nothingWithheld, withhold } from './withhold';

/**
 * Takes the due step once no batch of a job can run. Assigning the pairs of rule sets that compose lets the batches of
 * groups run. When all batches are done, one transaction completes the job: assignment, composites, unmatched records,
 * average score, and the switch of its results to live, unless those of a newer job are. A reader sees the old result
 * or the new one.
 */
export async function finishJob(scope: TenantScope, jobId: string, context: CompositionContext): Promise<void> {
  let done: DueStep | null = null;
  try {
    done = await takeDueStep({ scope, jobId, context });
  } catch (error) {
    if (error instanceof JobStoppedError) return;
    if (!(error instanceof StageLostError)) throw error;
    await replanJob(scope, jobId);
  }
  if (done === 'assign') await scope.db.afterCommit(() => enqueueBatches(scope, jobId));
  if (done !== 'complete') return;
  await enqueueCleanUp(scope, jobId);
  await scope.db.afterCommit(() => wakeDeliveries(scope));
  await reportJobEnd(scope, jobId, 'completed');
}

/** Max repetitions of the transaction while records keep changing under it. */
const maxRepetitions = 10;

/** Takes the due step in a transaction, again where records of a run change under it. */
async function takeDueStep(start: Omit<FinishStart, 'client' | 'isSmall'>, repetition = 0): Promise<DueStep | null> {
  try {
    const isSmall = start.context.stages.has(start.jobId);
    return await start.scope.db.session(async (client) => {
      await client.query('begin');
      await lockJob(client, start.jobId);
      const step = await takeStep({ ...start, client, isSmall });
      await client.query(step ? 'commit' : 'rollback');
      return step;
    }, isSmall);
  } catch (error) {
    if (!(error instanceof ItemsChangedError) || repetition === maxRepetitions) throw error;
    return takeDueStep(start, repetition + 1);
  }
}

type FinishStart = Pick<FinishRun, 'scope' | 'client' | 'jobId' | 'context' | 'isSmall'>;

/** Returns the step that was due and has been done. */
async function takeStep(start: FinishStart): Promise<DueStep | null> {
  const { client, jobId } = start;
  const { tenantId } = start.scope;
  const { rows } = await client.query<JobToFinish & { step: DueStep | null }>(
    `select ${dueStep} as step, reconciliation_id::text as "reconciliationId", coalesce(mode, '') as mode,
            dry_run as "dryRun", snapshot as seen, pg_snapshot_xmin(snapshot::pg_snapshot)::text as since
       from matching_jobs j where j.tenant_id = $1 and j.id = $2`,
    [tenantId, jobId],
  );
  const [job] = rows;
  const { step = null, reconciliationId = null } = job ?? {};
  if (!job || step === null) return null;
  if (reconciliationId !== null && step === 'complete') await lockForRun(client, tenantId, reconciliationId);
  await blockRemovals(client, tenantId, jobId);
  const removed = await recordsRemovedSince(client, tenantId, jobId);
  const snapshot = { seen: job.seen, since: job.since };
  if (reconciliationId !== null)
    removed.push(...(await itemsChangedSince(client, tenantId, { reconciliationId, snapshot })));
  if (reconciliationId !== null && job.mode === 'full')
    removed.push(...(await recordsOfStandingGroups(client, tenantId, { jobId, reconciliationId, removed })));
  const run: FinishRun = { ...start, removed, taken: [], reconciliationId };
  const entries = await lockEntries(client, tenantId, jobId);
  if (step === 'complete') return (await complete(run, entries, job)) ? step : null;
  if (reconciliationId === null) await assign(run, entries);
  else await takePasses(run, entries);
  // The batches that compose groups are worked by other processes.
  await start.context.stages.share(client, { tenantId, jobId });
  return step;
}

/** The columns of a job that decide how it is completed. */
interface JobToFinish extends RunSnapshot {
  reconciliationId: string | null;
  /** '' for a job that is not a run. */
  mode: string;
  dryRun: boolean;
}

async function lockEntries(client: PoolClient, tenantId: string, jobId: string): Promise<FinishEntry[]> {
  // A deletion locks the rule set, then its entries. The same order here prevents a deadlock.
  await client.query(
    `select 1 from rule_sets where tenant_id = $1
        and id in (select rule_set_id from job_rule_sets where tenant_id = $1 and job_id = $2)
      order by id for key share`,
    [tenantId, jobId],
  );
  const { rows } = await client.query<FinishEntry>(
    `select e.id, e.position, e.rule_set_id as "ruleSetId", e.rule_set_version as "ruleSetVersion", e.definition,
            e.staged_rows as "stagedRows", e.assigned_at is not null as assigned,
            e.status = 'completed' as completed, j.planned_at as "plannedAt",
            e.left_dataset_id = e.right_dataset_id as "isOneSide"
       from job_rule_sets e join matching_jobs j on j.id = e.job_id
      where e.tenant_id = $1 and e.job_id = $2 order by e.position for key share of e`,
    [tenantId, jobId],
  );
  return rows;
}

/** Assigns the pairs of all entries, which decides on the records left for composition. */
async function assign(run: FinishRun, entries: readonly FinishEntry[]): Promise<void> {
  for (const entry of entries) if (!entry.assigned) await assignEntry(run, entry);
}

async function assignEntry(run: FinishRun, entry: FinishEntry): Promise<void> {
  const { client } = run;
  await stageOf(run, entry).assertWhole(client, entry.stagedRows);
  const withheld = await withhold(run, entry, false);
  if (isOneToOne(entry)) await demotePairs(run, entry, { directories: await readDirectories(run, entry), withheld });
  await client.query(`update job_rule_sets set assigned_at = clock_timestamp() where tenant_id = $1 and id = $2`, [
    run.scope.tenantId,
    entry.id,
  ]);
}

/**
 * Takes the passes of a run in their order: the pairs of one, its composites, then those of the next one, which sees
 * what is left. It stops at a pass whose groups have still to be composed, once its pairs are assigned.
 * @returns the outcome of all passes; undefined while one is not completed
 */
async function takePasses(run: FinishRun, entries: readonly FinishEntry[]): Promise<EntryOutcome | undefined> {
  let outcome: EntryOutcome | undefined;
  for (const entry of entries) {
    const taken = outcome ? matchedRecords(outcome) : [];
    const pass = { ...run, taken };
    const composes = entry.definition.params.composition?.enabled === true;
    if (!entry.completed && composes && !entry.assigned) {
      await assignEntry(pass, entry);
      if (await hasOpenGroups(run, entry)) return undefined;
      entry.assigned = true;
    }
    const own = entry.completed ? await storedOutcome(pass, entry) : await completeEntry(pass, entry);
    outcome = outcome ? mergeOutcomes(outcome, own) : own;
  }
  return outcome;
}

async function hasOpenGroups({ client, scope }: FinishRun, { id }: FinishEntry): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from job_batches where tenant_id = $1 and entry_id = $2 and kind = 'groups' and not done limit 1`,
    [scope.tenantId, id],
  );
  return rows.length > 0;
}

/** Reads the outcome of a pass that an earlier step has completed. */
async function storedOutcome(run: FinishRun, entry: FinishEntry): Promise<EntryOutcome> {
  const { client } = run;
  const owner = ownerOf(run, entry);
  const directories = await readDirectories(run, entry);
  const outcome = await entryOutcome(client, owner, { directories, withheld: nothingWithheld, cut: nothingCut });
  await markStoredComposites(client, owner, { directories, outcome });
  return outcome;
}

async function demotePairs(run: FinishRun, entry: FinishEntry, pairs: PairsToAssign): Promise<void> {
  const { demoted, matches, exchanged } = await assignOneToOne(run, entry, pairs);
  // Matches that are neither kept nor demoted nor withheld vanished with a deleted record. The deletion has subtracted
  // them from the counters.
  await run.client.query(
    `update job_rule_sets e set demoted = e.demoted + $3, withheld_match = e.withheld_match + $5,
            withheld_score = e.withheld_score + $6,
            vanished = (select coalesce(sum(b.matched), 0) from job_batches b where b.entry_id = e.id)
                       - e.withheld_match - $5 - e.demoted - $3 - $4
      where e.tenant_id = $1 and e.id = $2`,
    [run.scope.tenantId, entry.id, demoted, matches, exchanged.count, exchanged.scoreSum],
  );
}

/** Returns false when the job no longer runs. */
async function complete(run: FinishRun, entries: readonly FinishEntry[], job: JobToFinish): Promise<boolean> {
  const { client, jobId, reconciliationId, removed } = run;
  const { mode, dryRun, seen, since } = job;
  const snapshot = { seen, since };
  const { tenantId } = run.scope;
  const outcome = reconciliationId === null ? await takeEntries(run, entries) : await takePasses(run, entries);
  const matched = outcome ? matchedIn(outcome.left) : 0;
  const ended =
    reconciliationId === null
      ? undefined
      : await holdRun(run.scope, client, { jobId, reconciliationId, mode, dryRun, removed, snapshot });
  const unmatched = outcome ? await storeUnmatched(run, entries, outcome) : 0;
  const ruleSetIds = dryRun
    ? []
    : await lockReplaceable(
        run,
        entries.map((e) => e.ruleSetId),
      );
  const replaced = await leftDatasetsOf(client, tenantId, ruleSetIds);
  await client.query(`update rule_sets set live_job_id = $2 where tenant_id = $1 and id = any($3)`, [
    tenantId,
    jobId,
    ruleSetIds,
  ]);
  const { rowCount } = await client.query(
    `update matching_jobs set status = 'completed', finished_at = clock_timestamp(),
            left_records = $3, left_matched = $4, changes = $5, average_score =
              (select ${averageSql('b.score - e.score', 'b.pairs - e.pairs')}
                 from (select sum(score_sum::numeric) as score, sum(matched + possible) as pairs
                         from job_batches where job_id = $2) b,
                      (select sum(withheld_score::numeric) as score, sum(withheld_match + withheld_possible) as pairs
                         from job_rule_sets where job_id = $2) e)
      where tenant_id = $1 and id = $2 and status = 'running'`,
    [tenantId, jobId, matched + unmatched, matched, ended?.changes ? JSON.stringify(ended.changes) : null],
  );
  if (rowCount !== 1) return false;
  const db = queriesOn(client);
  await emitJobEvent(db, tenantId, jobId, reconciliationId === null ? 'completed' : 'run completed');
  if (!dryRun) await bookJob(db, tenantId, jobId, ended?.billable);
  await lockCounters(db, tenantId);
  await addResultCounts(db, tenantId, jobId);
  const [datasetId, ...others] = new Set([...replaced, ...(await leftDatasetsOf(client, tenantId, ruleSetIds))]);
  // A record of one dataset is matched on either side, but counted on the left one only.
  const isTaken =
    datasetId === undefined ||
    (others.length === 0 &&
      !entries.some(({ isOneSide }) => isOneSide) &&
      (await adoptMatchedCount(db, tenantId, datasetId, { jobId, pairs: outcome?.pairs ?? 0, matched })));
  if (!isTaken) await recountMatched(db, tenantId, [datasetId, ...others]);
  if (ended?.audited) await auditRun(run.scope, client, ended.audited);
  return true;
}

async function takeEntries(run: FinishRun, entries: readonly FinishEntry[]): Promise<EntryOutcome | undefined> {
  let outcome: EntryOutcome | undefined;
  for (const entry of entries) {
    const own = await completeEntry(run, entry);
    outcome = outcome ? mergeOutcomes(outcome, own) : own;
  }
  return outcome;
}

async function completeEntry(run: FinishRun, entry: FinishEntry): Promise<EntryOutcome> {
  const { client } = run;
  const startedMs = performance.now();
  await stageOf(run, entry).assertWhole(client, entry.stagedRows);
  const directories = await readDirectories(run, entry);
  // Assigned entries are checked again: reviews may have decided on pairs since.
  const withheld = await withhold(run, entry, true);
  if (!entry.assigned && isOneToOne(entry)) await demotePairs(run, entry, { directories, withheld });
  const cut = await cutPossible(run, entry, withheld.cut);
  const outcome = await entryOutcome(client, ownerOf(run, entry), { directories, withheld, cut });
  const { counts, errors, ...problems } = await settleEntry(run, entry, { directories, outcome });
  const owner = ownerOf(run, entry);
  if (entry.isOneSide && !owner.isRun) await storeClusters(client, owner, entry.id, directories.left);
  const held = heldCount(withheld.decisions) + withheld.confirmed.length;
  await client.query(
    `update job_rule_sets set status = 'completed', finished_at = now(), timings = timings || $3,
            composite_match = $4, composite_possible = $5, composition = $6, errors = errors || $7,
            results_expired_at = null
      where tenant_id = $1 and id = $2`,
    [
      run.scope.tenantId,
      entry.id,
      JSON.stringify({ finishMs: Math.round(performance.now() - startedMs) }),
      counts.MATCH,
      counts.POSSIBLE,
      JSON.stringify({ ...problems, held }),
      JSON.stringify(errors),
    ],
  );
  return outcome;
}

/** Stores the unmatched records of both sides. Returns the number of left ones. */
async function storeUnmatched(run: FinishRun, entries: readonly FinishEntry[], outcome: EntryOutcome): Promise<number> {
  const { client, scope, jobId } = run;
  const gone = new Set(run.removed);
  const store = async (side: Side): Promise<number> => {
    const list = withoutRecords(unmatchedOf(outcome[side]), gone);
    const nearest = await nearestOf(run, entries, side, list);
    await writeUnmatched(client, { tenantId: scope.tenantId, jobId, side: sideNumber[side] }, { ...list, nearest });
    return list.reasons.length;
  };
  const left = await store('left');
  await store('right');
  return left;
}

/**
 * Returns the rule sets for which the completing job becomes live, because no newer job is. The transaction holds the
 * rule sets from here on, locked in the same order everywhere to prevent deadlocks of completions.
 */
async function lockReplaceable({ client, scope, jobId }: FinishRun, ruleSetIds: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with locked as materialized (
       select id, live_job_id from rule_sets where tenant_id = $1 and id = any($3) order by id for no key update)
     select id from locked where not exists (
       select 1 from matching_jobs live, matching_jobs job
        where live.tenant_id = $1 and live.id = locked.live_job_id and job.tenant_id = $1 and job.id = $2
          and ${isNewerJob('live', 'job')})`,
    [scope.tenantId, jobId, ruleSetIds],
  );
  return rows.map(({ id }) => id);
}

/** Returns the left datasets of the live results of these rule sets. */
async function leftDatasetsOf(client: PoolClient, tenantId: string, ruleSetIds: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select distinct e.left_dataset_id as id
       from job_rule_sets e join rule_sets r on r.id = e.rule_set_id and r.live_job_id = e.job_id
      where e.tenant_id = $1 and e.rule_set_id = any($2)`,
    [tenantId, ruleSetIds],
  );
  return rows.map(({ id }) => id);
}
