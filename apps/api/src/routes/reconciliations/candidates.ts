import { Type, type Static } from '@sinclair/typebox';
import {
  candidatesOf,
  refusals,
  wireDecimal,
  type ItemCandidate,
  type PassVerdict,
  type RefusalReason,
} from '@tieout/domain';
import { closed, defineRoute, freeForm, nullable, reply, tenantAccess, textEnum, uuid, type Route } from '../../http';
import { amount, day } from './schemas';

const why = closed(
  { code: textEnum(Object.keys(refusals) as RefusalReason[]), message: Type.String() },
  { $id: 'Refusal', description: 'Why the pass has not tied it' },
);

const verdict = closed(
  {
    rule_set_id: uuid(),
    rule_set_name: Type.String(),
    decision: textEnum(['MATCH', 'POSSIBLE', 'NO_MATCH', 'ERROR'] as const),
    score: nullable(Type.Number()),
    explanation: nullable(freeForm()),
    why,
  },
  { $id: 'PassVerdict' },
);

/** An open item with its record, as candidates and proposals show it. */
export const itemOfRecord = closed(
  {
    record_id: uuid(),
    side: textEnum(['left', 'right'] as const),
    dataset_id: uuid(),
    external_id: nullable(Type.String()),
    amount: nullable(amount()),
    remaining_amount: nullable(amount()),
    date: nullable(day()),
    currency: nullable(Type.String()),
    record: freeForm({ description: 'Data overlaid with the normalised fields' }),
  },
  { $id: 'ItemWithRecord' },
);

export const presentItemOfRecord = (one: ItemCandidate['records'][number]): Static<typeof itemOfRecord> => ({
  record_id: one.recordId,
  side: one.side,
  dataset_id: one.datasetId,
  external_id: one.externalId,
  amount: wireDecimal(one.amount),
  remaining_amount: wireDecimal(one.remaining),
  date: one.date,
  currency: one.currency,
  record: one.record,
});

const candidateSchema = closed(
  {
    kind: textEnum(['pair', 'group'] as const),
    likeness: Type.Number({ minimum: 0, maximum: 1, description: 'By score, amount, days and shared words' }),
    records: Type.Array(itemOfRecord),
    difference: nullable(amount('What remains of the item less what remains of the records')),
    days: nullable(Type.Integer({ description: 'To the record that is furthest from the item' })),
    shared_words: Type.Array(Type.String(), { description: 'Rare words that the item and a record have' }),
    score: nullable(Type.Number({ description: 'Of the best pass' })),
    explanation: nullable(freeForm()),
    why,
    passes: Type.Array(verdict, { description: 'What each pass says, the best first' }),
  },
  { $id: 'Candidate' },
);

const presentWhy = (code: RefusalReason): Static<typeof why> => ({ code, message: refusals[code] });

const presentVerdict = (of: PassVerdict): Static<typeof verdict> => ({
  rule_set_id: of.ruleSetId,
  rule_set_name: of.ruleSetName,
  decision: of.decision,
  score: of.score,
  explanation: of.explanation,
  why: presentWhy(of.refusal),
});

function presentCandidate({ kind, likeness, records, verdicts, ...of }: ItemCandidate): Static<typeof candidateSchema> {
  const [best] = verdicts;
  return {
    kind,
    likeness,
    records: records.map(presentItemOfRecord),
    difference: wireDecimal(of.difference),
    days: of.days,
    shared_words: of.sharedWords,
    score: best?.score ?? null,
    explanation: best?.explanation ?? null,
    why: presentWhy(best?.refusal ?? 'no_pass'),
    passes: verdicts.map(presentVerdict),
  };
}

export const listCandidates: Route = defineRoute({
  method: 'get',
  path: '/v1/reconciliations/:id/open-items/:recordId/candidates',
  operationId: 'listOpenItemCandidates',
  tag: 'Reconciliations',
  summary: 'List what most likely belongs to an open item',
  description:
    'Open items of the other side and groups that add up to the item, outside of the windows of the passes too, ' +
    'each with what the passes say of it and why none has tied it.',
  access: tenantAccess('reconciliations:read', 'whole'),
  readsReplica: true,
  params: { id: 'reconciliation', recordId: 'record' },
  query: closed({ limit: Type.Integer({ minimum: 1, maximum: 50, default: 10 }) }),
  responses: {
    200: { description: 'The likeliest first', schema: closed({ items: Type.Array(candidateSchema) }) },
  },
  handler: async ({ scope, params, query: { limit } }) => {
    const candidates = await candidatesOf(scope, params.id, { recordId: params.recordId, limit });
    return reply(200, { items: candidates.map(presentCandidate) });
  },
});
