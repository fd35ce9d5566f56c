import { Type, type Static } from '@sinclair/typebox';
import {
  changeKinds,
  decisions,
  jobStatuses,
  leftOutWarnings,
  wireDecimal,
  type DecisionCounts,
  type GroupTie,
  type JobEntryView,
  type MatchingJobView,
  type RunChange,
} from '@tieout/domain';
import { closed, count, failure, nullable, ofRecords, textEnum, timestamp, uuid } from '../../http';
import { matchGroupSchema, presentMatchGroup } from '../match-groups/schemas';
import { amount } from '../reconciliations/schemas';

const decisionCounts = closed(Object.fromEntries(decisions.map((d) => [d, count()])), {
  $id: 'DecisionCounts',
  description: 'Pairs, and composite matches under COMPOSITE_. NO_MATCH and ERROR are counted and not stored',
});

const unblockedSide = closed(
  {
    count: count(),
    reasons: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer', minimum: 0 },
    }),
  },
  { $id: 'UnblockedOfSide' },
);

const pairError = closed(
  {
    left_record_id: nullable(uuid()),
    right_record_id: nullable(uuid()),
    code: Type.String(),
    message: ofRecords(Type.String({ description: 'It may quote values' })),
    expression: Type.Optional(
      Type.String({
        description:
          'Id of the expression that failed: `jsonataExpr`, a matcher id, `filters/0` …; missing where none did',
      }),
    ),
  },
  { $id: 'PairError' },
);

export const unblocked = closed(
  { left: unblockedSide, right: unblockedSide },
  { $id: 'Unblocked', description: 'Records that blocking could not place, by reason' },
);
const composition = closed(
  {
    targets: count('Records for which groups are searched'),
    search_ended: count(
      'Targets whose search reached its limit and found nothing; the first are among the errors as ' +
        'composition_search_ended',
    ),
    amounts_out_of_range: count(
      'Records whose amount is too large to be composed; the first are among the errors as amount_out_of_range',
    ),
    plans_too_long: count(
      'Records that state a plan of more than 480 installments, which counts as none; the first are among the ' +
        'errors as plan_too_long',
    ),
    failed_evaluations: count('Evaluations of filters and evidence for a target and a member that failed'),
  },
  { description: 'null for a rule set that composes nothing' },
);
const errors = Type.Array(pairError, { maxItems: 20, description: 'The first 20' });
const warning = closed(
  { code: Type.String(), message: ofRecords(Type.String({ description: 'It may quote the first error' })) },
  { $id: 'ResultWarning' },
);
const warnings = Type.Array(warning, { description: 'What is worth checking, and what to do about it' });
const timings = closed(
  { read_ms: count(), block_ms: count(), score_ms: count(), write_ms: count(), finish_ms: count() },
  { $id: 'Timings', description: 'Work by phase, summed over all workers' },
);

const entry = closed(
  {
    id: uuid(),
    rule_set_id: uuid(),
    rule_set_name: Type.String(),
    rule_set_version: Type.Integer({ minimum: 1 }),
    status: textEnum(['pending', 'running', 'completed', 'failed', 'cancelled']),
    candidates_count: count('Pairs that blocking let through'),
    pairs_total: count(),
    pairs_processed: count(),
    decision_counts: decisionCounts,
    possible_cut: count('Pairs beyond maxPossiblePerRecord, once completed; they count as NO_MATCH'),
    unblocked,
    composition: nullable(composition),
    errors,
    warnings,
    expressions: Type.Unsafe<Record<string, 'compiled' | 'reference'>>({
      type: 'object',
      additionalProperties: { enum: ['compiled', 'reference'] },
      description:
        'By expression id (`jsonataExpr`, matcher ids, `filters/0` …): how it runs. Empty until the job is planned',
    }),
    timings,
    created_at: timestamp(),
    started_at: nullable(timestamp()),
    finished_at: nullable(timestamp()),
    results_expired_at: nullable(timestamp(), {
      description:
        'When the matches and composites of this rule set, reviewed ones apart, were deleted because a later job had ' +
        'replaced them',
    }),
  },
  { $id: 'MatchingJobRuleSet' },
);

export const matchingJobSchema = closed(
  {
    id: uuid(),
    dataset_name: Type.String({ description: 'The left dataset' }),
    job_group_id: uuid({ description: 'Shared by the jobs of one request' }),
    batches_expected: count(),
    batches_completed: count(),
    status: textEnum(jobStatuses),
    error: nullable(failure),
    records_total: count('Left and right records read'),
    failed_records: count('Records left out because they could not be normalised'),
    pending_records: count('Records left out because they were not normalised in time'),
    rule_sets_total: count(),
    pairs_total: count(),
    pairs_processed: count(),
    decision_counts: decisionCounts,
    possible_cut: count('Pairs beyond maxPossiblePerRecord, once completed; they count as NO_MATCH'),
    current_rule_set_id: nullable(uuid()),
    current_rule_set_name: nullable(Type.String()),
    unblocked,
    errors,
    warnings,
    timings,
    created_at: timestamp(),
    started_at: nullable(timestamp()),
    finished_at: nullable(timestamp()),
    rule_sets: Type.Array(entry),
    average_score: nullable(Type.Number({ description: 'Mean score of the stored matches, to ten decimals' })),
    reconciliation_id: Type.Optional(uuid({ description: 'Of a run of a reconciliation; so are mode and trigger' })),
    mode: Type.Optional(Type.String()),
    trigger: Type.Optional(Type.String({ description: 'manual, schedule or arrival' })),
    dry_run: Type.Optional(Type.Boolean()),
    changes: Type.Optional(
      nullable(
        closed(
          {
            kept: count('Groups that stay as they are'),
            changed: count('Groups whose records the run ties differently'),
            new: count('Groups of records that were open'),
            lost: count('Groups of which the run ties no record'),
          },
          { description: 'Of a full or dry run, once it is completed' },
        ),
      ),
    ),
  },
  { $id: 'MatchingJob' },
);

export const matchingJobGroupSchema = closed(
  { job_group_id: uuid(), items: Type.Array(matchingJobSchema) },
  { $id: 'MatchingJobGroup' },
);

const name = Type.String({ minLength: 1, maxLength: 500 });

export const startJobBody = closed(
  {
    dataset: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Name of the left dataset' })),
    datasetId: Type.Optional(uuid({ description: 'Or its id' })),
    datasets: Type.Optional(
      Type.Array(name, {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'Or several names: one job each',
      }),
    ),
    ruleSetIds: Type.Optional(
      Type.Array(uuid(), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'Default: every rule set whose left dataset it is',
      }),
    ),
  },
  { examples: [{ dataset: 'invoices' }] },
);

export const cancelledSchema = closed({ status: Type.Literal('cancelled'), id: uuid() });

const tieMember = closed(
  {
    record_id: uuid(),
    external_id: nullable(Type.String()),
    amount: nullable(amount('What the group would hold of the record')),
  },
  { $id: 'GroupTieMember' },
);

const tie = closed(
  {
    kind: textEnum(['pair', 'composite'] as const),
    rule_set_id: uuid(),
    score: Type.Number(),
    left: Type.Array(tieMember),
    right: Type.Array(tieMember),
  },
  { $id: 'GroupTie' },
);

export const runChangeSchema = closed(
  {
    kind: textEnum(changeKinds),
    today: nullable(matchGroupSchema, { description: 'The group that stood; null for what is new' }),
    would: Type.Array(tie, { description: 'What the run ties of its records instead' }),
  },
  { $id: 'RunChange' },
);

export const presentRunChange = ({ kind, stands, would }: RunChange): Static<typeof runChangeSchema> => {
  const membersOf = (members: GroupTie['left']) =>
    members.map((member) => ({
      record_id: member.recordId,
      external_id: member.externalId,
      amount: wireDecimal(member.amount),
    }));
  return {
    kind,
    today: stands && presentMatchGroup(stands),
    would: would.map((one) => ({
      kind: one.kind,
      rule_set_id: one.ruleSetId,
      score: one.score,
      left: membersOf(one.left),
      right: membersOf(one.right),
    })),
  };
};

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

type WithoutMessage<E extends { message: string }> = Omit<E, 'message'> & Partial<Pick<E, 'message'>>;

interface PresentedEntry extends Omit<JobEntryView, 'errors' | 'warnings'> {
  errors: readonly WithoutMessage<JobEntryView['errors'][number]>[];
  warnings: readonly WithoutMessage<JobEntryView['warnings'][number]>[];
}

type Timings = JobEntryView['timings'];
type Unblocked = JobEntryView['unblocked'];

const presentTimings = (t: Timings) => ({
  read_ms: t.read,
  block_ms: t.block,
  score_ms: t.score,
  write_ms: t.write,
  finish_ms: t.finish,
});

/** @param withRecords false: without messages of errors and warnings, which may quote records */
export function presentMatchingJob(job: MatchingJobView, withRecords: boolean) {
  const entries = withRecords ? job.entries : job.entries.map(withoutMessages);
  const sum = (of: (entry: PresentedEntry) => number): number => entries.reduce((total, entry) => total + of(entry), 0);
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
    possible_cut: sum((e) => e.possibleCut),
    current_rule_set_id: current?.ruleSetId ?? null,
    current_rule_set_name: current?.ruleSetName ?? null,
    unblocked: { left: addUnblocked(entries, 'left'), right: addUnblocked(entries, 'right') },
    errors: entries.flatMap((e) => e.errors).slice(0, 20),
    warnings: [...recordWarnings(job), ...entries.flatMap((e) => e.warnings)],
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
    ...(job.run && {
      reconciliation_id: job.run.reconciliationId,
      mode: job.run.mode,
      trigger: job.run.trigger,
      dry_run: job.run.dryRun,
      changes: job.run.changes,
    }),
  };
}

const withoutMessages = (entry: JobEntryView): PresentedEntry => ({
  ...entry,
  errors: entry.errors.map(({ message: _, ...error }) => error),
  warnings: entry.warnings.map(({ code }) => ({ code })),
});

/** Warns of records that a completed job left out. */
const recordWarnings = ({ status, failedRecords, pendingRecords }: MatchingJobView) =>
  status === 'completed' ? leftOutWarnings({ failed: failedRecords, pending: pendingRecords }) : [];

function addUnblocked(entries: readonly PresentedEntry[], side: keyof Unblocked): Unblocked['left'] {
  const reasons: Record<string, number> = {};
  for (const { unblocked } of entries) {
    for (const [reason, count] of Object.entries(unblocked[side].reasons))
      reasons[reason] = (reasons[reason] ?? 0) + count;
  }
  return { count: entries.reduce((total, e) => total + e.unblocked[side].count, 0), reasons };
}

const presentEntry = (entry: PresentedEntry) => ({
  id: entry.id,
  rule_set_id: entry.ruleSetId,
  rule_set_name: entry.ruleSetName,
  rule_set_version: entry.ruleSetVersion,
  status: entry.status,
  candidates_count: entry.candidatesCount,
  pairs_total: entry.pairsTotal,
  pairs_processed: entry.pairsProcessed,
  decision_counts: entry.decisionCounts,
  possible_cut: entry.possibleCut,
  unblocked: entry.unblocked,
  composition: entry.composition && {
    targets: entry.composition.targets,
    search_ended: entry.composition.searchEnded,
    amounts_out_of_range: entry.composition.amountsOutOfRange,
    plans_too_long: entry.composition.plansTooLong,
    failed_evaluations: entry.composition.failedEvaluations,
  },
  errors: entry.errors,
  warnings: entry.warnings,
  expressions: entry.expressions,
  timings: presentTimings(entry.timings),
  created_at: entry.createdAt.toISOString(),
  started_at: iso(entry.startedAt),
  finished_at: iso(entry.finishedAt),
  results_expired_at: iso(entry.resultsExpiredAt),
});
