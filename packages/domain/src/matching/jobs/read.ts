import { AppError, type Queries } from '@tieout/infra';
import { readPage, type Page, type PageRequest } from '../../kernel/paging';
import type { TenantScope } from '../../kernel/scope';
import type { ChangeCounts } from '../../reconciliations';
import type { EntryError, JobError, UnblockedCount } from './errors';
import { keptErrors } from './limits';
import { warningColumns, type WarningRow } from './warning-facts';
import { warningsOf, type ResultWarning } from './warnings';

export const jobStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof jobStatuses)[number];
type EntryStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';

export const decisions = ['MATCH', 'POSSIBLE', 'NO_MATCH', 'ERROR', 'COMPOSITE_MATCH', 'COMPOSITE_POSSIBLE'] as const;
export type DecisionCounts = Record<(typeof decisions)[number], number>;

/** Milliseconds of work by phase, summed over all workers. */
type PhaseTimings = Record<'read' | 'block' | 'score' | 'write' | 'finish', number>;

/** Counts records that composition could not handle. Amounts and plans are counted when the job completes. */
interface CompositionProgress {
  /** Records for which groups are searched. */
  targets: number;
  /** Targets whose search ended at its limit and found nothing. */
  searchEnded: number;
  /** Records of both sides whose amount is too large to be composed. */
  amountsOutOfRange: number;
  /** Records of both sides that state a plan of too many installments. */
  plansTooLong: number;
  /** Evaluations of filters and evidence for a target and a member that failed. */
  failedEvaluations: number;
}

export interface JobEntryView {
  id: string;
  ruleSetId: string;
  ruleSetName: string;
  ruleSetVersion: number;
  status: EntryStatus;
  candidatesCount: number;
  pairsTotal: number;
  pairsProcessed: number;
  batchesExpected: number;
  batchesCompleted: number;
  decisionCounts: DecisionCounts;
  /** POSSIBLE pairs that were cut, because their records have better ones; they count as NO_MATCH. */
  possibleCut: number;
  unblocked: { left: UnblockedCount; right: UnblockedCount };
  /** Null for a rule set without composition. */
  composition: CompositionProgress | null;
  errors: EntryError[];
  /** Points of its result that are worth checking; none before it is completed. */
  warnings: ResultWarning[];
  /** The evaluator of each expression id; empty until the entry is planned. */
  expressions: Record<string, 'compiled' | 'reference'>;
  timings: PhaseTimings;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** Time at which its results, except reviewed ones, were deleted because a later job had replaced them. */
  resultsExpiredAt: Date | null;
}

export interface MatchingJobView {
  id: string;
  datasetName: string;
  jobGroupId: string;
  status: JobStatus;
  error: JobError | null;
  recordsTotal: number;
  failedRecords: number;
  pendingRecords: number;
  averageScore: number | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  entries: JobEntryView[];
  /** Null for a job that is not a run of a reconciliation. */
  run: {
    reconciliationId: string;
    mode: string;
    trigger: string;
    dryRun: boolean;
    changes: ChangeCounts | null;
  } | null;
}

/** @throws AppError matching_job_not_found */
export async function getMatchingJob(scope: TenantScope, id: string): Promise<MatchingJobView> {
  const [job] = await jobViews(scope, [id]);
  if (!job) throw new AppError('matching_job_not_found', 'Matching job not found');
  return job;
}

export interface JobFilter {
  status?: JobStatus | undefined;
  dataset?: string | undefined;
  reconciliationId?: string | undefined;
}

/** A job of a list, and the approximate bytes of its view. */
interface ListedJob {
  id: string;
  weight: number;
}

/** Lists jobs, newest first; `jobViews` reads them. */
export async function listMatchingJobs(
  scope: TenantScope,
  filter: JobFilter,
  page: PageRequest,
): Promise<Page<ListedJob>> {
  const where = {
    ...(filter.status === undefined ? {} : { status: filter.status }),
    ...(filter.dataset === undefined ? {} : { datasetName: filter.dataset }),
    ...(filter.reconciliationId === undefined ? {} : { reconciliationId: filter.reconciliationId }),
  };
  return readPage(page, {
    count: () => scope.db.orm.matchingJob.count({ where }),
    rows: async ({ skip, take, beforeId }) => {
      const rows = await scope.db.orm.matchingJob.findMany({
        where: { ...where, ...(beforeId === undefined ? {} : { id: { lt: beforeId } }) },
        orderBy: { id: 'desc' },
        skip,
        take,
        select: { id: true },
      });
      return weighed(
        scope,
        rows.map((r) => r.id),
      );
    },
  });
}

/** Bytes of the errors of an entry: of `keptErrors` batches, `keptErrors` errors of a thousand characters each. */
const batchErrorsWeight = keptErrors * keptErrors * 1_000;

const hasErrors = (alias: string): string => `(${alias}.errored > 0 or ${alias}.failed_evaluations > 0)`;

/** Weighs views by a constant and by the texts of the tenant. */
const weighed = (scope: TenantScope, ids: readonly string[]): Promise<ListedJob[]> =>
  scope.db.query<ListedJob>(
    `select j.id::text as id, 2000 + coalesce((
              select sum(2000 + octet_length(e.rule_set_name) + coalesce(octet_length(e.expressions::text), 0)
                         + coalesce(octet_length(e.errors::text), 0)
                         + case when exists (select 1 from job_batches b where b.entry_id = e.id and ${hasErrors('b')})
                                then ${batchErrorsWeight} else 0 end)
                from job_rule_sets e where e.job_id = j.id), 0)::float8 as weight
       from matching_jobs j where j.tenant_id = $1::uuid and j.id = any($2::uuid[]) order by j.id desc`,
    [scope.tenantId, ids],
  );

/** SQL for an average of scores. It is rounded because further decimals depend on how the job was cut into batches. */
export const averageSql = (score: string, pairs: string): string =>
  `round((${score}) / nullif(${pairs}, 0), 10)::float8`;

/**
 * SQL that orders batches `x` by their first left row, with batches of groups last. Batch numbers do not follow this
 * order, because the pieces of a split batch get new numbers.
 */
const errorOrder = `x.kind desc, x.bounds #> '{left,from}', x.batch_no`;

/**
 * Reads jobs with their entries in one statement, so that both are of one snapshot. Entries take a failure or a
 * cancellation from their job, which is the only place that stores it. Progress is a sum over batch rows, so a batch
 * that ran twice counts once.
 */
export async function jobViews(
  scope: { tenantId: string; db: Queries },
  ids: readonly string[],
): Promise<MatchingJobView[]> {
  if (ids.length === 0) return [];
  const rows = await scope.db.query<JobViewRow & (EntryViewRow | { id: null })>(
    `select j.id as "jobId", j.dataset_name as "datasetName", j.job_group_id as "jobGroupId",
            j.status as "jobStatus", j.error as "jobError", j.records_total as "recordsTotal",
            j.failed_records as "failedRecords", j.pending_records as "pendingRecords",
            coalesce(j.average_score, (select ${averageSql('sum(score_sum::numeric)', 'sum(matched + possible)')}
                                         from job_batches where job_id = j.id and done))::float8 as "averageScore",
            j.reconciliation_id::text as "reconciliationId", j.mode, j.trigger,
            j.dry_run as "dryRun", j.changes,
            j.created_at as "jobCreatedAt", j.started_at as "jobStartedAt", j.finished_at as "jobFinishedAt",
            e.id, e.rule_set_id as "ruleSetId", e.rule_set_name as "ruleSetName",
            e.rule_set_version as "ruleSetVersion",
            case when j.status in ('failed', 'cancelled') then j.status else e.status end as status,
            e.pairs_total::float8 as "pairsTotal", e.left_count as "leftCount", e.right_count as "rightCount",
            e.unblocked, e.filter_errors as "filterErrors", e.errors,
            e.expressions, e.demoted::float8 as demoted, e.vanished::float8 as vanished, e.timings,
            e.withheld_match::float8 as "withheldMatch", e.withheld_possible::float8 as "withheldPossible",
            e.possible_cut::float8 as "possibleCut",
            e.composite_match::float8 as "compositeMatch", e.composite_possible::float8 as "compositePossible",
            e.composition, coalesce((e.definition #>> '{params,composition,enabled}')::boolean, false) as composes,
            ${warningColumns},
            e.created_at as "createdAt", e.started_at as "startedAt",
            case when j.status in ('failed', 'cancelled') then j.finished_at else e.finished_at end as "finishedAt",
            e.results_expired_at as "resultsExpiredAt", b.*,
            coalesce((select jsonb_agg(x.errors order by ${errorOrder}) from (
              select * from job_batches x where entry_id = e.id and ${hasErrors('x')}
               order by ${errorOrder} limit ${keptErrors}) x), '[]') as "batchErrors",
            (select x.errors -> 0 from job_batches x where entry_id = e.id and failed_evaluations > 0
              order by ${errorOrder} limit 1) as "relationError"
       from matching_jobs j
       left join job_rule_sets e on e.job_id = j.id,
       lateral (
         select count(*)::int as "batchesExpected", (count(*) filter (where done))::int as "batchesCompleted",
                coalesce(sum(pairs) filter (where done), 0)::float8 as "pairsProcessed",
                coalesce(sum(matched), 0)::float8 as matched, coalesce(sum(possible), 0)::float8 as possible,
                coalesce(sum(no_match), 0)::float8 as "noMatch",
                coalesce(sum(errored) filter (where kind = 'pairs'), 0)::float8 as errored,
                coalesce(sum(left_rows) filter (where kind = 'groups'), 0)::float8 as targets,
                coalesce(sum(errored) filter (where kind = 'groups'), 0)::float8 as "searchEnded",
                coalesce(sum(failed_evaluations), 0)::float8 as "failedEvaluations",
                coalesce(sum(read_ms), 0)::float8 as "readMs", coalesce(sum(score_ms), 0)::float8 as "scoreMs",
                coalesce(sum(write_ms), 0)::float8 as "writeMs"
           from job_batches where entry_id = e.id) b
      where j.tenant_id = $1::uuid and j.id = any($2::uuid[]) order by j.id desc, e.position`,
    [scope.tenantId, ids],
  );
  const views = new Map<string, MatchingJobView>();
  for (const row of rows) {
    let view = views.get(row.jobId);
    if (!view) views.set(row.jobId, (view = toJobView(row)));
    if (row.id !== null) view.entries.push(toEntryView(row));
  }
  return [...views.values()];
}

/** Returns what the live jobs of rule sets make worth checking, by rule set. */
export async function warningsOfLiveJobs(
  scope: TenantScope,
  ruleSetIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ResultWarning[]>> {
  const live = await scope.db.query<{ id: string; jobId: string }>(
    `select id::text as id, live_job_id::text as "jobId" from rule_sets
      where tenant_id = $1::uuid and id = any($2::uuid[]) and live_job_id is not null`,
    [scope.tenantId, ruleSetIds],
  );
  const jobs = await jobViews(scope, [...new Set(live.map(({ jobId }) => jobId))]);
  const entries = new Map(jobs.flatMap(({ id, entries: all }) => all.map((e) => [`${id} ${e.ruleSetId}`, e] as const)));
  return new Map(live.map(({ id, jobId }) => [id, entries.get(`${jobId} ${id}`)?.warnings ?? []]));
}

interface JobViewRow {
  jobId: string;
  datasetName: string;
  jobGroupId: string;
  jobStatus: JobStatus;
  jobError: JobError | null;
  recordsTotal: number;
  failedRecords: number;
  pendingRecords: number;
  averageScore: number | null;
  reconciliationId: string | null;
  mode: string | null;
  trigger: string | null;
  dryRun: boolean;
  changes: ChangeCounts | null;
  jobCreatedAt: Date;
  jobStartedAt: Date | null;
  jobFinishedAt: Date | null;
}

function toJobView(row: JobViewRow): MatchingJobView {
  return {
    id: row.jobId,
    datasetName: row.datasetName,
    jobGroupId: row.jobGroupId,
    status: row.jobStatus,
    error: row.jobError,
    recordsTotal: row.recordsTotal,
    failedRecords: row.failedRecords,
    pendingRecords: row.pendingRecords,
    averageScore: row.averageScore,
    createdAt: row.jobCreatedAt,
    startedAt: row.jobStartedAt,
    finishedAt: row.jobFinishedAt,
    entries: [],
    run:
      row.reconciliationId === null
        ? null
        : {
            reconciliationId: row.reconciliationId,
            mode: row.mode ?? '',
            trigger: row.trigger ?? '',
            dryRun: row.dryRun,
            changes: row.changes,
          },
  };
}

interface EntryViewRow extends WarningRow, Record<'id' | 'ruleSetId' | 'ruleSetName', string> {
  ruleSetVersion: number;
  status: EntryStatus;
  pairsTotal: number;
  leftCount: number;
  rightCount: number;
  /** Jobs of earlier versions did not count filtered records. */
  unblocked: Partial<Record<'left' | 'right', UnblockedCount & { filtered?: number }>>;
  filterErrors: number;
  errors: EntryError[];
  batchErrors: EntryError[][];
  expressions: JobEntryView['expressions'];
  demoted: number;
  vanished: number;
  withheldMatch: number;
  withheldPossible: number;
  possibleCut: number;
  compositeMatch: number;
  compositePossible: number;
  composition: Partial<Record<'givenUp' | 'amountsOutOfRange' | 'plansTooLong' | 'held', number>>;
  composes: boolean;
  targets: number;
  searchEnded: number;
  failedEvaluations: number;
  relationError: EntryError | null;
  timings: Partial<Record<'readMs' | 'blockMs' | 'stageMs' | 'finishMs', number>>;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  resultsExpiredAt: Date | null;
  batchesExpected: number;
  batchesCompleted: number;
  pairsProcessed: number;
  matched: number;
  possible: number;
  noMatch: number;
  errored: number;
  readMs: number;
  scoreMs: number;
  writeMs: number;
}

function toEntryView(row: EntryViewRow): JobEntryView {
  const unblockedOn = (side: 'left' | 'right'): UnblockedCount => {
    const { count = 0, reasons = {} } = row.unblocked[side] ?? {};
    return { count, reasons };
  };
  const unblocked = { left: unblockedOn('left'), right: unblockedOn('right') };
  const errors = [...row.errors, ...row.batchErrors.flat()].slice(0, keptErrors);
  const matches = row.matched - row.demoted - row.withheldMatch - row.vanished;
  return {
    id: row.id,
    ruleSetId: row.ruleSetId,
    ruleSetName: row.ruleSetName,
    ruleSetVersion: row.ruleSetVersion,
    status: row.status,
    candidatesCount: row.pairsTotal,
    pairsTotal: row.pairsTotal,
    pairsProcessed: row.pairsProcessed,
    batchesExpected: row.batchesExpected,
    batchesCompleted: row.batchesCompleted,
    decisionCounts: {
      MATCH: matches,
      POSSIBLE: row.possible + row.demoted - row.withheldPossible,
      NO_MATCH: row.noMatch + row.withheldMatch + row.withheldPossible + row.vanished,
      ERROR: row.errored + row.filterErrors,
      COMPOSITE_MATCH: row.compositeMatch,
      COMPOSITE_POSSIBLE: row.compositePossible,
    },
    possibleCut: row.possibleCut,
    unblocked,
    composition: row.composes ? compositionProgress(row) : null,
    errors,
    warnings: row.status === 'completed' ? warningsOfRow(row, { unblocked, errors, matches }) : [],
    expressions: row.expressions,
    timings: {
      read: (row.timings.readMs ?? 0) + row.readMs,
      block: row.timings.blockMs ?? 0,
      score: row.scoreMs,
      write: (row.timings.stageMs ?? 0) + row.writeMs,
      finish: row.timings.finishMs ?? 0,
    },
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    resultsExpiredAt: row.resultsExpiredAt,
  };
}

type Shown = Pick<JobEntryView, 'unblocked' | 'errors'> & { matches: number };
function warningsOfRow(row: EntryViewRow, shown: Shown): ResultWarning[] {
  return warningsOf({
    ...row,
    ...shown,
    records: { left: row.leftCount, right: row.rightCount },
    filtered: { left: row.unblocked.left?.filtered ?? 0, right: row.unblocked.right?.filtered ?? 0 },
    failedFilters: row.filterErrors,
    pairs: row.pairsTotal,
    failedPairs: row.errored,
    searchEnded: row.composes ? compositionProgress(row).searchEnded : 0,
    // Results that people have decided on were found too, in this job or an earlier one.
    kept: row.matched + row.possible + row.compositeMatch + row.compositePossible + (row.composition.held ?? 0),
  });
}

function compositionProgress({ composition, ...row }: EntryViewRow): CompositionProgress {
  const { targets, searchEnded, failedEvaluations } = row;
  const { givenUp = 0, amountsOutOfRange = 0, plansTooLong = 0 } = composition;
  return { targets, searchEnded: searchEnded + givenUp, amountsOutOfRange, plansTooLong, failedEvaluations };
}
