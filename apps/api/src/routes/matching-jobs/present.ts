import {
  decisions,
  type DecisionCounts,
  type JobEntryView,
  type MatchingJobView,
  type RecordView,
  type UnmatchedRecord,
} from '@tieout/domain';
import { presentRecord } from '../records/present';

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

type Timings = JobEntryView['timings'];
type Unblocked = JobEntryView['unblocked'];

const presentTimings = (t: Timings) => ({
  read_ms: t.read,
  block_ms: t.block,
  score_ms: t.score,
  write_ms: t.write,
  finish_ms: t.finish,
});

export function presentMatchingJob(job: MatchingJobView) {
  const { entries } = job;
  const sum = (of: (entry: JobEntryView) => number): number => entries.reduce((total, entry) => total + of(entry), 0);
  const current =
    job.status === 'running'
      ? entries.find((e) => e.status === 'running' && e.batchesCompleted < e.batchesExpected)
      : undefined;
  return {
    id: job.id,
    dataset_name: job.datasetName,
    job_group_id: job.jobGroupId,
    batches_expected: sum((e) => e.batchesExpected),
    batches_completed: sum((e) => e.batchesCompleted),
    status: job.status,
    error: job.error,
    records_total: job.recordsTotal,
    failed_records: job.failedRecords,
    pending_records: job.pendingRecords,
    rule_sets_total: entries.length,
    pairs_total: sum((e) => e.pairsTotal),
    pairs_processed: sum((e) => e.pairsProcessed),
    decision_counts: Object.fromEntries(decisions.map((d) => [d, sum((e) => e.decisionCounts[d])])) as DecisionCounts,
    current_rule_set_id: current?.ruleSetId ?? null,
    current_rule_set_name: current?.ruleSetName ?? null,
    unblocked: { left: addUp(entries, 'left'), right: addUp(entries, 'right') },
    errors: entries.flatMap((e) => e.errors).slice(0, 20),
    timings: presentTimings({
      read: sum((e) => e.timings.read),
      block: sum((e) => e.timings.block),
      score: sum((e) => e.timings.score),
      write: sum((e) => e.timings.write),
      finish: sum((e) => e.timings.finish),
    }),
    created_at: job.createdAt.toISOString(),
    started_at: iso(job.startedAt),
    finished_at: iso(job.finishedAt),
    rule_sets: entries.map(presentEntry),
    average_score: job.averageScore,
  };
}

function addUp(entries: readonly JobEntryView[], side: keyof Unblocked): Unblocked['left'] {
  const reasons: Record<string, number> = {};
  for (const { unblocked } of entries) {
    for (const [reason, count] of Object.entries(unblocked[side].reasons))
      reasons[reason] = (reasons[reason] ?? 0) + count;
  }
  return { count: entries.reduce((total, e) => total + e.unblocked[side].count, 0), reasons };
}

const presentEntry = (entry: JobEntryView) => ({
  id: entry.id,
  rule_set_id: entry.ruleSetId,
  rule_set_name: entry.ruleSetName,
  rule_set_version: entry.ruleSetVersion,
  status: entry.status,
  candidates_count: entry.candidatesCount,
  pairs_total: entry.pairsTotal,
  pairs_processed: entry.pairsProcessed,
  decision_counts: entry.decisionCounts,
  unblocked: entry.unblocked,
  composition: entry.composition && {
    targets: entry.composition.targets,
    search_ended: entry.composition.searchEnded,
    amounts_out_of_range: entry.composition.amountsOutOfRange,
    plans_too_long: entry.composition.plansTooLong,
  },
  errors: entry.errors,
  expressions: entry.expressions,
  timings: presentTimings(entry.timings),
  created_at: entry.createdAt.toISOString(),
  started_at: iso(entry.startedAt),
  finished_at: iso(entry.finishedAt),
  results_expired_at: iso(entry.resultsExpiredAt),
});

export const presentUnmatched = (
  { reason, bestPossible, bestPossibleComposite: composite }: UnmatchedRecord,
  record: RecordView,
) => ({
  record: presentRecord(record),
  reason,
  best_possible: bestPossible && {
    match_id: bestPossible.matchId,
    record_id: bestPossible.recordId,
    score: bestPossible.score,
  },
  best_possible_composite: composite && { composite_match_id: composite.compositeMatchId, score: composite.score },
});
