import { Type, type Static } from '@sinclair/typebox';
import {
  csvOfTable,
  csvType,
  evaluateRuleSet,
  type Evaluation,
  type EvaluationInput,
  type Mistake,
  mistakesOf,
  type Quality,
  type TableColumn,
  type TableRow,
  type TenantScope,
} from '@tieout/domain';
import {
  alsoScopes,
  closed,
  count,
  defineRoute,
  described,
  freeForm,
  nullable,
  reply,
  replyStream,
  type Route,
  tenantAccess,
  textEnum,
  uuid,
  warning,
} from '../../http';

const externalId = Type.String({ minLength: 1, maxLength: 1024 });

const truthSchema = Type.Union(
  [
    Type.Array(closed({ left: externalId, right: externalId }, { $id: 'TruePair' }), { minItems: 1, maxItems: 50_000 }),
    closed(
      {
        dataset: Type.String({ minLength: 1, description: 'A dataset with a pair a record, such as an uploaded file' }),
        left: Type.String({ minLength: 1, description: 'Its field with the external id of the left record' }),
        right: Type.String({ minLength: 1, description: 'Its field with the external id of the right record' }),
      },
      { $id: 'TruePairsOfDataset' },
    ),
  ],
  { $id: 'TruePairs', description: 'All pairs that belong together, by external ids' },
);

const inputFields = {
  truth: truthSchema,
  partial: Type.Boolean({
    default: false,
    description: 'true: the truth names the pairs of some records only, and pairs of other records are not judged',
  }),
};

const example = { truth: [{ left: 'invoice-17', right: 'payment-4' }] };

const qualityFields = {
  pairs: count(),
  true_pairs: count('Of these, those that belong together'),
  precision: nullable(Type.Number(), { description: 'Share of true pairs; null without pairs' }),
  recall: nullable(Type.Number(), { description: 'Share of the truth that is found; null without truth' }),
  f1: nullable(Type.Number()),
};
const quality = closed(qualityFields, { $id: 'PairQuality' });

const mistake = closed(
  {
    match_id: nullable(uuid()),
    left_record_id: uuid(),
    right_record_id: uuid(),
    left_external_id: nullable(Type.String()),
    right_external_id: nullable(Type.String()),
    score: nullable(Type.Number()),
    decision: nullable(textEnum(['MATCH', 'POSSIBLE', 'NO_MATCH', 'ERROR'] as const), {
      description: 'null with the reason not_compared: score and explanation are what the rules say of the pair',
    }),
    reason: nullable(textEnum(['possible', 'below_threshold', 'dropped', 'error', 'not_compared'] as const), {
      description:
        'Of a missed pair. not_compared: the rules would keep it, but blocking, the assignment, the limit of ' +
        'POSSIBLE pairs or a rejection did not',
    }),
    explanation: nullable(freeForm()),
  },
  { $id: 'Mistake' },
);

const mistakes = closed({ total: count(), items: Type.Array(mistake) }, { $id: 'Mistakes' });

const thresholdQuality = closed(
  { threshold: Type.Number(), ...qualityFields, one_to_one: quality },
  { $id: 'ThresholdQuality' },
);
const matcherQuality = closed(
  { id: Type.String(), name: nullable(Type.String()), ...qualityFields },
  { $id: 'MatcherQuality' },
);

export const evaluationSchema = closed(
  {
    rule_set_id: uuid(),
    matching_job_id: uuid({ description: 'The job whose results are live' }),
    true_pairs: count('Pairs of the truth whose records exist, each once'),
    pairwise: quality,
    one_to_one: described(quality, 'With each record in its best match only'),
    by_decision: Type.Array(
      closed(
        {
          decision: textEnum(['MATCH', 'POSSIBLE', 'NO_MATCH'] as const),
          pairs: nullable(count(), { description: 'null for NO_MATCH, which is not stored' }),
          true_pairs: count(),
        },
        { $id: 'DecisionQuality' },
      ),
    ),
    by_threshold: Type.Array(thresholdQuality, {
      description: 'What Tmatch at each hundredth of the scale, from Tpossible on, would match of the kept pairs',
    }),
    without_matcher: Type.Array(matcherQuality, {
      description:
        'What the kept pairs would match if the matcher abstained. Pairs that no job kept are not seen: a matcher ' +
        'that keeps wrong pairs out is worth more than this says',
    }),
    wrong: described(mistakes, 'Matches that do not belong together, the best first'),
    missed: described(mistakes, 'Pairs that belong together and are no match: POSSIBLE ones first'),
    warnings: Type.Array(warning),
  },
  { $id: 'Evaluation' },
);

const presentQuality = ({ pairs, truePairs, precision, recall, f1 }: Quality) => ({
  pairs,
  true_pairs: truePairs,
  precision,
  recall,
  f1,
});

const presentMistake = (found: Mistake): Static<typeof mistake> => ({
  match_id: found.matchId,
  left_record_id: found.leftId,
  right_record_id: found.rightId,
  left_external_id: found.leftExternalId,
  right_external_id: found.rightExternalId,
  score: found.score,
  decision: found.decision,
  reason: found.reason,
  explanation: found.explanation,
});

async function presentEvaluation(scope: TenantScope, evaluation: Evaluation, limit: number) {
  const { ruleSet, jobId, wrong, missed } = evaluation;
  const first = async (pairs: Evaluation['wrong']) => ({
    total: pairs.length,
    items: (await mistakesOf(scope, evaluation, pairs.slice(0, limit))).map(presentMistake),
  });
  return {
    rule_set_id: ruleSet.id,
    matching_job_id: jobId,
    true_pairs: evaluation.truePairs,
    pairwise: presentQuality(evaluation.pairwise),
    one_to_one: presentQuality(evaluation.oneToOne),
    by_decision: evaluation.byDecision.map(({ truePairs, ...own }) => ({ ...own, true_pairs: truePairs })),
    by_threshold: evaluation.byThreshold.map(({ threshold, oneToOne, ...own }) => ({
      threshold,
      ...presentQuality(own),
      one_to_one: presentQuality(oneToOne),
    })),
    without_matcher: evaluation.withoutMatcher.map(({ id, name, ...own }) => ({ id, name, ...presentQuality(own) })),
    wrong: await first(wrong),
    missed: await first(missed),
    warnings: evaluation.warnings,
  };
}

const access = alsoScopes(tenantAccess('rule-sets:read', 'whole'), 'matches:read');
const bodyLimitBytes = 8 * 1024 * 1024;
const inputOf = ({ truth, partial }: EvaluationInput): EvaluationInput => ({ truth, partial });

const evaluate = defineRoute({
  method: 'post',
  path: '/v1/rule-sets/:id/evaluate',
  operationId: 'evaluateRuleSet',
  tag: 'Rule sets',
  summary: 'Compare the live results of a rule set with pairs that belong together',
  description:
    'Judges pairs, as confirmed and rejected by people, not composite matches, and stores nothing. 409 conflict ' +
    'without a completed job, or with more than a million kept pairs.',
  rateClass: 'costly',
  access,
  params: { id: 'rule_set' },
  body: closed(
    {
      ...inputFields,
      limit: Type.Integer({ minimum: 0, maximum: 100, default: 25, description: 'Wrong and missed pairs to list' }),
    },
    { examples: [example] },
  ),
  bodyLimitBytes,
  responses: { 200: { description: 'How good the rule set is', schema: evaluationSchema } },
  handler: async ({ scope, params, body }) => {
    const evaluation = await evaluateRuleSet(scope, params.id, inputOf(body));
    return reply(200, await presentEvaluation(scope, evaluation, body.limit));
  },
});

const columns: readonly TableColumn[] = [
  { key: 'kind', title: 'Kind', kind: 'text' },
  { key: 'left_external_id', title: 'Left', kind: 'text' },
  { key: 'right_external_id', title: 'Right', kind: 'text' },
  { key: 'score', title: 'Score', kind: 'number' },
  { key: 'decision', title: 'Decision', kind: 'text' },
  { key: 'reason', title: 'Reason', kind: 'text' },
  { key: 'explanation', title: 'Explanation', kind: 'text' },
];

/** Pairs that are explained at a time. */
const pairsPerPage = 50;

async function* rowsOf(scope: TenantScope, evaluation: Evaluation): AsyncGenerator<readonly TableRow[]> {
  for (const kind of ['wrong', 'missed'] as const) {
    const pairs = evaluation[kind];
    for (let from = 0; from < pairs.length; from += pairsPerPage) {
      const found = await mistakesOf(scope, evaluation, pairs.slice(from, from + pairsPerPage));
      yield found.map((one) => [
        kind,
        one.leftExternalId,
        one.rightExternalId,
        one.score,
        one.decision,
        one.reason,
        one.explanation && JSON.stringify(one.explanation),
      ]);
    }
  }
}

const exportMistakes = defineRoute({
  method: 'post',
  path: '/v1/rule-sets/:id/evaluate.csv',
  operationId: 'exportEvaluation',
  tag: 'Rule sets',
  summary: 'Export the wrong and the missed pairs of a rule set as CSV',
  rateClass: 'costly',
  access,
  readsReplica: true,
  params: { id: 'rule_set' },
  body: closed(inputFields, { examples: [example] }),
  bodyLimitBytes,
  responses: { 200: { description: 'All wrong pairs, then all missed ones, streamed', contentType: csvType } },
  handler: async ({ scope, params, body }) => {
    const evaluation = await evaluateRuleSet(scope, params.id, inputOf(body));
    const pages = () => rowsOf(scope, evaluation);
    return replyStream(200, csvType, csvOfTable({ key: 'mistakes', title: 'Mistakes', columns, pages }), {
      'Content-Disposition': 'attachment; filename="mistakes.csv"',
    });
  },
});

export const evaluationRoutes: readonly Route[] = [evaluate, exportMistakes];
