import { Type } from '@sinclair/typebox';
import { getMatch, listMatches, reviewMatches, reviewMatchOfRun, reviewStatuses } from '@tieout/domain';
import { invalid } from '@tieout/infra';
import {
  closed,
  cursorPageOf,
  cursorQuery,
  defineRoute,
  pageRequest,
  reply,
  replyCursorPage,
  seesRecords,
  tenantAccess,
  textEnum,
  uuid,
  type Route,
} from '../../http';
import { bulkSchema } from '../bulk';
import { matchSchema, presentMatch, reviewBody, reviewInput, staleSchema } from './schemas';

const tag = 'Matches';

const list = defineRoute({
  method: 'get',
  path: '/v1/matches',
  operationId: 'listMatches',
  tag,
  summary: 'List matches, newest first',
  description:
    'The live ones, those of each rule set’s latest completed job, and all reviewed ones. With matchingJobId, ' +
    'those of that job.',
  access: tenantAccess('matches:read', 'parts'),
  readsReplica: true,
  query: closed({
    matchingJobId: Type.Optional(uuid({ description: 'Also a running job, whose matches appear batch by batch' })),
    ruleSetId: Type.Optional(uuid()),
    decision: Type.Optional(textEnum(['MATCH', 'POSSIBLE'])),
    recordId: Type.Optional(uuid({ description: 'On either side' })),
    minScore: Type.Optional(Type.Number()),
    review: Type.Optional(textEnum([...reviewStatuses, 'none'], { description: 'none: not reviewed' })),
    stale: Type.Optional(staleSchema),
    ...cursorQuery,
  }),
  sharesConnection: 'read',
  responses: { 200: { description: 'A page of matches', schema: cursorPageOf(matchSchema) } },
  handler: async ({ scope, query, principal }) =>
    replyCursorPage(await listMatches(scope, query, pageRequest(query)), (match) =>
      presentMatch(match, seesRecords(principal)),
    ),
});

const get = defineRoute({
  method: 'get',
  path: '/v1/matches/:id',
  operationId: 'getMatch',
  tag,
  summary: 'Read a match with its explanation',
  access: tenantAccess('matches:read', 'parts'),
  params: { id: 'match' },
  sharesConnection: 'read',
  responses: { 200: { description: 'The match', schema: matchSchema } },
  handler: async ({ scope, params, principal }) =>
    reply(200, presentMatch(await getMatch(scope, params.id), seesRecords(principal))),
});

const review = defineRoute({
  method: 'post',
  path: '/v1/matches/:id/review',
  operationId: 'reviewMatch',
  tag,
  summary: 'Confirm or reject a match, or withdraw its review',
  description:
    'Replaces an earlier review. No later job changes or removes a reviewed match. Later jobs of the rule set keep ' +
    'a confirmed match for its pair, and with assignment one_to_one other pairs with one of its records are no ' +
    'MATCH. They do not propose the pair of a rejected match again while the datasets, expressions and params are ' +
    'the same. A confirmed match whose records change in what the rule set reads is stale until it is reviewed ' +
    'again. 409 conflict when a later job has replaced it, or when another match or composite match of the rule ' +
    'set holds the pair or one of the records to confirm; a match of a group is withdrawn by releasing that.',
  access: tenantAccess('matches:write', 'parts'),
  params: { id: 'match' },
  body: reviewBody,
  idempotent: true,
  responses: { 200: { description: 'The match with its review', schema: matchSchema } },
  handler: async ({ scope, params, body, principal }) =>
    reply(
      200,
      presentMatch(await reviewMatchOfRun(scope, params.id, reviewInput(body, principal)), seesRecords(principal)),
    ),
});

const filter = {
  matchingJobId: Type.Optional(uuid()),
  ruleSetId: Type.Optional(uuid()),
  decision: Type.Optional(textEnum(['MATCH', 'POSSIBLE'] as const)),
  recordId: Type.Optional(uuid()),
  minScore: Type.Optional(Type.Number()),
};

const reviewMany = defineRoute({
  method: 'post',
  path: '/v1/matches/review',
  operationId: 'reviewMatches',
  tag,
  summary: 'Confirm or reject many matches, or withdraw their reviews',
  description: 'Each is done or not, as by the review of one match.',
  access: tenantAccess('matches:write', 'none'),
  body: closed({
    ids: Type.Optional(Type.Array(uuid(), { minItems: 1, maxItems: 1_000 })),
    filter: Type.Optional(closed(filter, { minProperties: 1 })),
    ...reviewBody.properties,
  }),
  responses: { 200: { description: 'The outcome', schema: bulkSchema } },
  handler: async ({ scope, body: { ids, filter: chosen, ...body }, principal }) => {
    if ((ids === undefined) === (chosen === undefined)) {
      throw invalid([{ path: '/ids', code: 'one_of', message: 'and filter: give one of them' }]);
    }
    const input = reviewInput(body, principal);
    return reply(200, await reviewMatches(scope, ids ? { ids } : { filter: chosen ?? {} }, input));
  },
});

export const matchRoutes: readonly Route[] = [list, reviewMany, get, review];
