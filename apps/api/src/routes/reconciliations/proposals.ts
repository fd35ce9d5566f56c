import { Type, type Static } from '@sinclair/typebox';
import { listProposals, proposalKinds, wireDecimal, type OpenProposal } from '@tieout/domain';
import { closed, defineRoute, freeForm, nullable, reply, tenantAccess, textEnum, uuid, type Route } from '../../http';
import { itemOfRecord, presentItemOfRecord } from './candidates';
import { amount } from './schemas';

const optional = Type.Optional;
const decision = textEnum(['MATCH', 'POSSIBLE'] as const);

const proposalSchema = closed(
  {
    id: uuid({ description: 'Of the match or composite match, by which it is reviewed' }),
    kind: textEnum(proposalKinds),
    decision,
    score: Type.Number({ description: 'On the scale of the rule set: 0..1 or 0..100' }),
    rule_set_id: uuid(),
    rule_set_name: Type.String(),
    explanation: freeForm(),
    difference: nullable(amount('Of what remains: left less right; plus with amountSign opposite')),
    records: Type.Array(itemOfRecord, { description: 'Left and right; of a composite the target, then the members' }),
  },
  { $id: 'Proposal' },
);

const present = (of: OpenProposal): Static<typeof proposalSchema> => ({
  id: of.id,
  kind: of.kind,
  decision: of.decision,
  score: of.score,
  rule_set_id: of.ruleSetId,
  rule_set_name: of.ruleSetName,
  explanation: of.explanation,
  difference: wireDecimal(of.difference),
  records: of.records.map(presentItemOfRecord),
});

export const listProposalsRoute: Route = defineRoute({
  method: 'get',
  path: '/v1/reconciliations/:id/proposals',
  operationId: 'listProposals',
  tag: 'Reconciliations',
  summary: 'List what the latest run proposes, the best first',
  description: 'Pairs and composites whose records are all open, without those that people have decided about.',
  access: tenantAccess('matches:read', 'whole'),
  readsReplica: true,
  params: { id: 'reconciliation' },
  query: closed({
    kind: optional(textEnum(proposalKinds)),
    decision: optional(decision),
    ruleSetId: optional(uuid()),
    recordId: optional(uuid({ description: 'A record that it names' })),
    minScore: optional(Type.Number()),
    maxScore: optional(Type.Number()),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
    cursor: optional(Type.String({ minLength: 1, maxLength: 400 })),
  }),
  responses: {
    200: {
      description: 'A page of proposals',
      schema: closed({
        items: Type.Array(proposalSchema),
        total: nullable(Type.Integer(), { description: 'On the first page; null above 20,000' }),
        limit: Type.Integer(),
        next_cursor: nullable(Type.String()),
      }),
    },
  },
  handler: async ({ scope, params, query: { limit, cursor, ...filter } }) => {
    const page = await listProposals(scope, params.id, { filter, page: { limit, cursor } });
    return reply(200, {
      items: page.items.map(present),
      total: page.total,
      limit,
      next_cursor: page.nextCursor,
    });
  },
});
