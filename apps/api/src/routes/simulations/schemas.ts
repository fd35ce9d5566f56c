import { Type, type TSchema } from '@sinclair/typebox';
import { jobStatuses, type SimulationAnswer, type SimulationView } from '@tieout/domain';
import { closed, count, failure, freeForm, nullable, textEnum, timestamp, uuid, warning } from '../../http';
import { unblocked } from '../matching-jobs/schemas';
import { trialDefinition } from '../rule-sets/schemas';

export const simulateBody = closed({
  ruleSet: trialDefinition,
  against: Type.Optional(
    uuid({ description: 'A rule set of the same datasets: what is live of it is compared, and reviews of it hold' }),
  ),
  sample: Type.Optional(
    closed({
      records: Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'Max left records, chosen by their ids; each meets all its candidates. Default 100000',
      }),
    }),
  ),
});

const bySide = <S extends TSchema>(schema: S) => closed({ left: schema, right: schema });
const list = <S extends TSchema>(schema: S, description: string) => Type.Array(schema, { description });
const score = (description: string) => Type.Number({ description });
const externalId = nullable(Type.String());
const decision = textEnum(['MATCH', 'POSSIBLE']);
const decided = nullable(closed({ decision, score: Type.Number() }, { $id: 'PairDecision' }));
const namedRecord = closed({ record_id: uuid(), external_id: externalId }, { $id: 'NamedRecord' });
const byDecision = closed({ MATCH: count(), POSSIBLE: count() }, { $id: 'CountByDecision' });

const changedPairs = (description: string) =>
  list(
    closed(
      {
        left_record_id: uuid(),
        left_external_id: externalId,
        right_record_id: uuid(),
        right_external_id: externalId,
        before: decided,
        after: decided,
      },
      { $id: 'ChangedPair' },
    ),
    description,
  );

const changes = closed(
  {
    live: byDecision,
    new: byDecision,
    lost: byDecision,
    changed: closed({ to_match: count(), to_possible: count() }, { $id: 'ChangedDecisions' }),
    unchanged: count(),
    pages: closed({
      new: changedPairs('The best pairs that are not live'),
      lost: changedPairs('Live pairs that would be neither MATCH nor POSSIBLE, MATCH first'),
      changed: changedPairs('The best pairs with another decision'),
    }),
  },
  { description: 'Differences from what is live or held of `against`, without what people decided on' },
);

const unmatchedExample = closed(
  {
    record_id: uuid(),
    external_id: externalId,
    nearest: nullable(
      closed({
        record_id: uuid(),
        external_id: externalId,
        score: Type.Number(),
        explanation: nullable(freeForm()),
      }),
    ),
  },
  { $id: 'UnmatchedExample' },
);

const unmatched = closed(
  {
    count: count(),
    without_candidate: count(),
    sample: list(unmatchedExample, 'Some records with their best pair that is no MATCH'),
  },
  { $id: 'UnmatchedOfSide' },
);

const composites = closed(
  {
    partial: count(),
    search_ended: Type.Integer({ minimum: 0, description: 'Targets whose search ended at its limit without a group' }),
    changes: nullable(closed({ live: count(), new: count(), lost: count(), changed: count(), unchanged: count() }), {
      description: 'Differences from the live groups of `against`; null without it, and of a pass',
    }),
    page: list(
      closed(
        {
          direction: textEnum(['one_to_many', 'many_to_one']),
          status: textEnum(['COMPLETE', 'PARTIAL']),
          decision,
          score: Type.Number(),
          target_amount: Type.Number(),
          composed_amount: Type.Number(),
          target: namedRecord,
          members: Type.Array(namedRecord),
        },
        { $id: 'SimulatedComposite' },
      ),
      'The best groups',
    ),
  },
  { description: 'Groups that the rule set composes; null where it composes none, or a warning says why' },
);

const examplePairs = (description: string) =>
  list(
    closed({ left_record_id: uuid(), right_record_id: uuid(), score: Type.Number() }, { $id: 'ExamplePair' }),
    description,
  );

const examples = closed(
  {
    best: examplePairs('The best first'),
    match: examplePairs('Nearest to Tmatch'),
    possible: examplePairs('Nearest to Tpossible'),
    random: examplePairs('Some of all that score above 0'),
  },
  { description: 'Pairs that people have not decided on. null in answers of versions before them' },
);

const threshold = closed({
  threshold: score('From 0 to scale'),
  pairs: count(),
  matches: Type.Integer({ minimum: 0, description: 'MATCH, if this were Tmatch' }),
  matched: bySide(count()),
  possible: Type.Integer({ minimum: 0, description: 'POSSIBLE, if this were Tpossible, with Tmatch as sent' }),
  live: nullable(Type.Integer({ minimum: 0, description: 'Of these matches, those that are live MATCH' })),
});

const answer = closed(
  {
    is_final: Type.Boolean({ description: 'False for the first answer, from few records' }),
    records: bySide(closed({ total: count(), read: count() }, { $id: 'RecordsRead' })),
    pairs: Type.Integer({ minimum: 0, description: 'Candidates of the records read' }),
    decision_counts: closed({
      MATCH: count(),
      POSSIBLE: count(),
      NO_MATCH: count(),
      ERROR: count(),
      COMPOSITE_MATCH: count(),
      COMPOSITE_POSSIBLE: count(),
    }),
    possible_cut: count(),
    unblocked,
    errors: list(freeForm(), 'The first ones, as in a job'),
    scale: Type.Number({ description: 'The highest score' }),
    histogram: list(
      closed(
        {
          from: score('Inclusive'),
          to: score('Exclusive but in the last bin'),
          pairs: count(),
          matches: count(),
        },
        { $id: 'SimulatedScoreRange' },
      ),
      'Pairs with a score in 100 bins, and those that win their records',
    ),
    thresholds: list(threshold, 'What 101 thresholds would decide'),
    changes: nullable(changes),
    composites: nullable(composites),
    unmatched: bySide(unmatched),
    examples: nullable(examples),
    cost: closed(
      {
        pairs: count(),
        compiled: Type.Integer({ minimum: 0, description: 'Expressions for a pair that run compiled' }),
        interpreted: Type.Integer({ minimum: 0, description: 'Those that run some hundred times as long' }),
        cpu_ms: Type.Integer({ minimum: 0, description: 'CPU time of comparing all pairs' }),
      },
      { description: 'Estimated for all records' },
    ),
    warnings: Type.Array(warning),
  },
  { $id: 'SimulationAnswer' },
);

const summary = {
  id: uuid(),
  left_dataset_id: uuid(),
  right_dataset_id: uuid(),
  against: nullable(uuid()),
  sample_records: count(),
  status: textEnum(jobStatuses),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  error: nullable(failure),
  created_at: timestamp(),
  started_at: nullable(timestamp()),
  finished_at: nullable(timestamp()),
};

export const simulationSummarySchema = closed(summary, { $id: 'SimulationSummary' });
export const simulationSchema = closed({ ...summary, answer: nullable(answer) }, { $id: 'Simulation' });
export const cancelledSimulationSchema = closed({ status: Type.Literal('cancelled'), id: uuid() });

export function presentSummary(simulation: Omit<SimulationView, 'answer' | 'definition'>) {
  return {
    id: simulation.id,
    left_dataset_id: simulation.leftDatasetId,
    right_dataset_id: simulation.rightDatasetId,
    against: simulation.againstRuleSetId,
    sample_records: simulation.sampleRecords,
    status: simulation.status,
    progress: simulation.progress,
    error: simulation.error,
    created_at: simulation.createdAt,
    started_at: simulation.startedAt,
    finished_at: simulation.finishedAt,
  };
}

export function presentSimulation(simulation: SimulationView) {
  return {
    ...presentSummary(simulation),
    answer: simulation.answer === null ? null : presentAnswer(simulation.answer),
  };
}

const noGroups = { COMPOSITE_MATCH: 0, COMPOSITE_POSSIBLE: 0 };

/** Names a record by its two ids. */
type NameRecord = (id: string) => { record_id: string; external_id: string | null };

function presentAnswer(simulated: SimulationAnswer) {
  const { isFinal, decisionCounts, possibleCut, changes: changed, cost, ...others } = simulated;
  // Answers of versions without groups and external ids are kept.
  const { externalIds = {}, composites: groups = null, unmatched: open, ...answer } = others;
  const { cpuMs, ...expected } = cost;
  const name: NameRecord = (id) => ({ record_id: id, external_id: externalIds[id] ?? null });
  const pageOf = (pairs: readonly ChangedPairOf[]) => pairs.map((pair) => presentChange(pair, name));
  return {
    ...answer,
    is_final: isFinal,
    decision_counts: { ...noGroups, ...decisionCounts },
    possible_cut: possibleCut,
    changes: changed && {
      ...changed,
      pages: {
        new: pageOf(changed.pages.new),
        lost: pageOf(changed.pages.lost),
        changed: pageOf(changed.pages.changed),
      },
    },
    composites: groups && presentGroups(groups, name),
    unmatched: { left: presentUnmatched(open.left, name), right: presentUnmatched(open.right, name) },
    examples: answer.examples
      ? {
          best: answer.examples.best.map(presentExample),
          match: answer.examples.match.map(presentExample),
          possible: answer.examples.possible.map(presentExample),
          random: answer.examples.random.map(presentExample),
        }
      : null,
    cost: { ...expected, cpu_ms: cpuMs },
  };
}

const presentGroups = (
  { partial, searchEnded, page, changes: changed }: NonNullable<SimulationAnswer['composites']>,
  name: NameRecord,
) => ({
  partial,
  search_ended: searchEnded,
  changes: changed,
  page: page.map(({ targetRecordId, memberRecordIds, targetAmount, composedAmount, ...group }) => ({
    ...group,
    target_amount: targetAmount,
    composed_amount: composedAmount,
    target: name(targetRecordId),
    members: memberRecordIds.map(name),
  })),
});

type ChangedPairOf = NonNullable<SimulationAnswer['changes']>['pages']['new'][number];

const presentChange = ({ leftRecordId, rightRecordId, ...decisions }: ChangedPairOf, name: NameRecord) => ({
  left_record_id: leftRecordId,
  left_external_id: name(leftRecordId).external_id,
  right_record_id: rightRecordId,
  right_external_id: name(rightRecordId).external_id,
  ...decisions,
});

type ExampleOf = NonNullable<SimulationAnswer['examples']>['best'][number];

const presentExample = ({ leftRecordId, rightRecordId, score: reached }: ExampleOf) => ({
  left_record_id: leftRecordId,
  right_record_id: rightRecordId,
  score: reached,
});

const presentUnmatched = (
  { withoutCandidate, sample, ...rest }: SimulationAnswer['unmatched']['left'],
  name: NameRecord,
) => ({
  ...rest,
  without_candidate: withoutCandidate,
  sample: sample.map(({ recordId, nearest }) => ({
    ...name(recordId),
    nearest: nearest && { ...name(nearest.recordId), score: nearest.score, explanation: nearest.explanation },
  })),
});
