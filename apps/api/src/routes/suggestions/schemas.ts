import { Type, type TSchema } from '@sinclair/typebox';
import { jobStatuses, type SuggestionView } from '@tieout/domain';
import { always, closed, count, failure, freeForm, nullable, textEnum, timestamp, uuid, warning } from '../../http';
import { presentTraining, trained, untrained } from './training-schemas';

export const suggestBody = closed({
  leftDatasetId: uuid(),
  rightDatasetId: uuid(),
  sampleLimit: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 50_000,
      description: 'Records of each side to learn from; default 20000',
    }),
  ),
});

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const bySide = <S extends TSchema>(schema: S) => closed({ left: schema, right: schema });
const list = <S extends TSchema>(schema: S, description: string) => Type.Array(schema, { description });

const field = closed(
  {
    left: Type.String(),
    right: Type.String(),
    kind: textEnum(['date', 'number', 'code', 'text']),
    overlap: share('Agreement of their values'),
  },
  { $id: 'SuggestedField' },
);

const level = closed({
  label: Type.String(),
  weight: Type.Number({ description: 'Logarithm of how much more often matches are at this level than others' }),
  matches: share('Share of matches at this level'),
  others: share('Share of other candidates at this level'),
});

const matcher = closed(
  {
    id: Type.String(),
    name: Type.String(),
    fields: bySide(Type.Array(Type.String())),
    strength: Type.Number({ description: 'What it says about a match on average, in bits' }),
    levels: Type.Array(level),
    examples: Type.Array(closed({ left: freeForm(), right: freeForm(), level: Type.String() })),
  },
  { $id: 'SuggestedMatcher' },
);

const warnings = list(warning, 'What makes the answer doubtful, and what settles it');

const connected = closed(
  {
    connected: always(true),
    rule_set: freeForm({ description: 'A body for POST /v1/rule-sets' }),
    matchers: list(matcher, 'Why each matcher is there'),
    blocking: list(
      closed(
        {
          name: Type.String(),
          why: Type.String(),
          candidates: count(),
          recall: nullable(share('Share of the surest pairs that it finds')),
        },
        { $id: 'SuggestedBlocking' },
      ),
      'How pairs are found',
    ),
    fields: list(field, 'Fields that hold the same'),
    expected: closed({ precision: share('Of MATCH'), recall: share('Of MATCH'), matches: count() }),
    curve: list(
      closed(
        { threshold: share('Tmatch'), precision: share('Expected'), recall: share('Expected'), matches: count() },
        { $id: 'SuggestedThreshold' },
      ),
      'The same for other thresholds',
    ),
    unlinkable: share('Left records that have no partner, as expected'),
    histogram: list(
      closed(
        { from: share('Score'), to: share('Score'), matches: Type.Number(), others: Type.Number() },
        { $id: 'SuggestedScoreRange' },
      ),
      'Candidates by score',
    ),
    waterfalls: list(
      closed({
        left: freeForm(),
        right: freeForm(),
        probability: share('That the pair is a match'),
        score: share('As the rule set gives it'),
        parts: Type.Array(closed({ matcher: Type.String(), level: Type.String(), weight: Type.Number() })),
      }),
      'How the scores of some pairs add up, from the best to a doubtful one',
    ),
    sample: bySide(count()),
    warnings,
  },
  { $id: 'SuggestedRuleSet' },
);

const unconnected = closed(
  {
    connected: always(false),
    reason: Type.String({ description: 'Says that nothing connects the datasets, and why' }),
    fields: list(field, 'Fields that hold the same'),
    warnings,
  },
  { $id: 'NothingSuggested' },
);

const summary = {
  id: uuid(),
  left_dataset_id: uuid(),
  right_dataset_id: uuid(),
  sample_limit: nullable(count(), { description: 'null for a training' }),
  rule_set_id: nullable(uuid(), { description: 'The rule set that a training refits' }),
  status: textEnum(jobStatuses),
  progress: share('Done'),
  error: nullable(failure),
  created_at: timestamp(),
  started_at: nullable(timestamp()),
  finished_at: nullable(timestamp()),
};

export const suggestionSummarySchema = closed(summary, { $id: 'SuggestionSummary' });
const answer = Type.Union([connected, unconnected, trained, untrained], { $id: 'SuggestionAnswer' });
export const suggestionSchema = closed({ ...summary, answer: nullable(answer) }, { $id: 'Suggestion' });
export const cancelledSuggestionSchema = closed({ status: Type.Literal('cancelled'), id: uuid() });

export function presentSummary(suggestion: Omit<SuggestionView, 'answer'>) {
  return {
    id: suggestion.id,
    left_dataset_id: suggestion.leftDatasetId,
    right_dataset_id: suggestion.rightDatasetId,
    sample_limit: suggestion.ruleSetId === null ? suggestion.sampleLimit : null,
    rule_set_id: suggestion.ruleSetId,
    status: suggestion.status,
    progress: suggestion.progress,
    error: suggestion.error,
    created_at: suggestion.createdAt,
    started_at: suggestion.startedAt,
    finished_at: suggestion.finishedAt,
  };
}

export function presentSuggestion(suggestion: SuggestionView) {
  const { answer, leftDatasetId, rightDatasetId } = suggestion;
  if (answer !== null && 'trained' in answer) return { ...presentSummary(suggestion), answer: presentTraining(answer) };
  if (answer?.connected !== true) return { ...presentSummary(suggestion), answer };
  const { ruleSet, ...rest } = answer;
  return {
    ...presentSummary(suggestion),
    answer: { ...rest, rule_set: { name: 'Suggested', leftDatasetId, rightDatasetId, ...ruleSet } },
  };
}
