import { Type, type Static } from '@sinclair/typebox';
import type { LabelCounts, Questions, TrainingAnswer } from '@tieout/domain';
import { always, closed, count, freeForm, nullable, ofRecords, textEnum, uuid, warning } from '../../http';

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const labels = { confirmed: count(), rejected: count() };
const usedLabels = closed(
  {
    ...labels,
    left_out: count('Reviewed pairs that a filter, a window, a tolerance or a required matcher decides'),
  },
  { $id: 'UsedLabels' },
);

const quality = closed(
  {
    precision: nullable(share('null where nothing is matched')),
    recall: nullable(share('Of the pairs that the live job kept')),
    f1: nullable(Type.Number()),
  },
  { $id: 'HeldOutQuality' },
);
const thresholds = closed({ Tmatch: Type.Number(), Tpossible: Type.Number() }, { $id: 'Thresholds' });
const beforeAfter = <S extends ReturnType<typeof closed>>(schema: S, description: string) =>
  closed({ before: schema, after: schema }, { description });

export const trained = closed(
  {
    trained: always(true),
    rule_set: freeForm({ description: 'A draft: a body for PATCH or POST /v1/rule-sets' }),
    rule_set_version: count('The version that was refitted'),
    labels: usedLabels,
    pairs: count('Kept and reviewed pairs that were read'),
    weights: Type.Array(
      closed({ id: Type.String(), name: Type.String(), before: Type.Number(), after: Type.Number() }),
      { description: 'Of the matchers; their sum stays' },
    ),
    thresholds: beforeAfter(thresholds, 'Scores from which pairs are MATCH and POSSIBLE'),
    held_out: beforeAfter(
      quality,
      'Measured on reviews that training did not see, each fifth in turn; a review speaks for all kept pairs with ' +
        'scores near its own',
    ),
    curve: Type.Array(
      closed(
        { threshold: Type.Number(), precision: share('Expected'), recall: share('Expected'), matches: count() },
        { $id: 'TrainedThreshold' },
      ),
      { description: 'What other values of Tmatch would match' },
    ),
    warnings: Type.Array(warning),
  },
  { $id: 'TrainedRuleSet' },
);

export const untrained = closed(
  {
    trained: always(false),
    reason: Type.String({ description: 'Says which reviews are missing' }),
    labels: usedLabels,
  },
  { $id: 'NothingTrained' },
);

const presentLabels = ({ leftOut, ...counts }: LabelCounts & { leftOut: number }) => ({ ...counts, left_out: leftOut });

export function presentTraining(answer: TrainingAnswer) {
  if (!answer.trained) return { ...answer, labels: presentLabels(answer.labels) };
  const { ruleSet, ruleSetVersion, heldOut, labels: used, ...rest } = answer;
  const { jsonataExpr, logicJson, ...draft } = ruleSet;
  return {
    ...rest,
    labels: presentLabels(used),
    held_out: heldOut,
    rule_set_version: ruleSetVersion,
    rule_set: {
      ...draft,
      ...(jsonataExpr === null ? {} : { jsonataExpr }),
      ...(logicJson === null ? {} : { logicJson }),
    },
  };
}

const question = closed(
  {
    match_id: uuid({ description: 'To review with POST /v1/matches/{id}/review' }),
    left_record_id: uuid(),
    right_record_id: uuid(),
    score: Type.Number(),
    decision: textEnum(['MATCH', 'POSSIBLE'] as const),
    left: ofRecords(nullable(freeForm(), { description: 'The left record as expressions see it; null once deleted' })),
    right: ofRecords(nullable(freeForm())),
    stratum: closed(
      { from: Type.Number(), to: Type.Number(), pairs: count(), reviewed: count() },
      { description: 'The range of scores for which the answer speaks' },
    ),
  },
  { $id: 'Question' },
);

export const questionsSchema = closed({
  items: Type.Array(question, { description: 'The first ones teach most' }),
  reason: nullable(Type.String(), { description: 'Says why there are no questions before a job has run' }),
  labels: closed(labels, { description: 'Pairs reviewed so far' }),
  needed: closed(
    { labels: count(), of_each_kind: count('Always 0: answers of one kind are enough') },
    { description: 'Reviewed pairs from which training is possible, or fewer where there are no more questions' },
  ),
});

export function presentQuestions(
  { items, reason, labels: counts, needed }: Questions,
  showsRecords: boolean,
): Static<typeof questionsSchema> {
  return {
    items: items.map(({ pair, stratum, left, right }) => ({
      match_id: pair.id,
      left_record_id: pair.leftId,
      right_record_id: pair.rightId,
      score: pair.score,
      decision: pair.decision,
      ...(showsRecords ? { left, right } : {}),
      stratum,
    })),
    reason,
    labels: counts,
    needed: { labels: needed.labels, of_each_kind: 0 },
  };
}
