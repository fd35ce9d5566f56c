import { Type, type TSchema } from '@sinclair/typebox';
import { jobStatuses, type SimulationAnswer, type SimulationView } from '@tieout/domain';
import { closed, count, freeForm, nullable, textEnum, timestamp, uuid } from '../../http';
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
const decision = textEnum(['MATCH', 'POSSIBLE']);
const decided = nullable(closed({ decision, score: Type.Number() }));
const byDecision = closed({ MATCH: count(), POSSIBLE: count() });

const changedPairs = (description: string) =>
  list(closed({ left_record_id: uuid(), right_record_id: uuid(), before: decided, after: decided }), description);

const changes = closed(
  {
    live: byDecision,
    new: byDecision,
    lost: byDecision,
    changed: closed({ to_match: count(), to_possible: count() }),
    unchanged: count(),
    pages: closed({
      new: changedPairs('The best pairs that are not live'),
      lost: changedPairs('Live pairs that would be neither MATCH nor POSSIBLE, MATCH first'),
      changed: changedPairs('The best pairs with another decision'),
    }),
  },
  { description: 'Differences from what is live or held of `against`, without what people decided on' },
);

const unmatched = closed({
  count: count(),
  without_candidate: count(),
  sample: list(
    closed({
      record_id: uuid(),
      nearest: nullable(closed({ record_id: uuid(), score: Type.Number(), explanation: nullable(freeForm()) })),
    }),
    'Some records with their best pair that is no MATCH',
  ),
});

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
    records: bySide(closed({ total: count(), read: count() })),
    pairs: Type.Integer({ minimum: 0, description: 'Candidates of the records read' }),
    decision_counts: closed({ MATCH: count(), POSSIBLE: count(), NO_MATCH: count(), ERROR: count() }),
    possible_cut: count(),
    unblocked: bySide(
      closed({
        count: count(),
        reasons: Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'integer' } }),
      }),
    ),
    errors: list(freeForm(), 'The first ones, as in a job'),
    scale: Type.Number({ description: 'The highest score' }),
    histogram: list(
      closed({
        from: score('Inclusive'),
        to: score('Exclusive but in the last bin'),
        pairs: count(),
        matches: count(),
      }),
      'Pairs with a score in 100 bins, and those that win their records',
    ),
    thresholds: list(threshold, 'What 101 thresholds would decide'),
    changes: nullable(changes),
    unmatched: bySide(unmatched),
    cost: closed(
      {
        pairs: count(),
        compiled: Type.Integer({ minimum: 0, description: 'Expressions for a pair that run compiled' }),
        interpreted: Type.Integer({ minimum: 0, description: 'Those that run some hundred times as long' }),
        cpu_ms: Type.Integer({ minimum: 0, description: 'CPU time of comparing all pairs' }),
      },
      { description: 'Estimated for all records' },
    ),
    warnings: Type.Array(closed({ code: Type.String(), message: Type.String() })),
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
  error: nullable(closed({ code: Type.String(), message: Type.String() })),
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

function presentAnswer({ isFinal, decisionCounts, possibleCut, changes: changed, cost, ...answer }: SimulationAnswer) {
  const { cpuMs, ...expected } = cost;
  return {
    ...answer,
    is_final: isFinal,
    decision_counts: decisionCounts,
    possible_cut: possibleCut,
    changes: changed && {
      ...changed,
      pages: {
        new: changed.pages.new.map(presentChange),
        lost: changed.pages.lost.map(presentChange),
        changed: changed.pages.changed.map(presentChange),
      },
    },
    unmatched: { left: presentUnmatched(answer.unmatched.left), right: presentUnmatched(answer.unmatched.right) },
    cost: { ...expected, cpu_ms: cpuMs },
  };
}

type ChangedPairOf = NonNullable<SimulationAnswer['changes']>['pages']['new'][number];

const presentChange = ({ leftRecordId, rightRecordId, ...decisions }: ChangedPairOf) => ({
  left_record_id: leftRecordId,
  right_record_id: rightRecordId,
  ...decisions,
});

const presentUnmatched = ({ withoutCandidate, sample, ...rest }: SimulationAnswer['unmatched']['left']) => ({
  ...rest,
  without_candidate: withoutCandidate,
  sample: sample.map(({ recordId, nearest }) => ({
    record_id: recordId,
    nearest: nearest && { record_id: nearest.recordId, score: nearest.score, explanation: nearest.explanation },
  })),
});
