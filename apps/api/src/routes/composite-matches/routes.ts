import { Type } from '@sinclair/typebox';
import { compositeDirections, getCompositeMatch, listCompositeMatches, reviewCompositeOfRun } from '@tieout/domain';
import {
  closed,
  cursorQuery,
  defineRoute,
  pageRequest,
  presentCamelCursorPage,
  reply,
  seesRecords,
  tenantAccess,
  textEnum,
  uuid,
  type Route,
} from '../../http';
import { reviewBody, reviewInput, staleSchema } from '../matches/schemas';
import { compositeDetailSchema, compositePageSchema, presentCompositeDetail, presentCompositeMatch } from './schemas';

const tag = 'Composite matches';

const list = defineRoute({
  method: 'get',
  path: '/v1/composite-matches',
  operationId: 'listCompositeMatches',
  tag,
  summary: 'List composite matches, newest first',
  description:
    'The live ones, those of each rule set’s latest completed job, and all reviewed ones. With jobId, those of ' +
    'that job.',
  access: tenantAccess('matches:read', 'parts'),
  readsReplica: true,
  query: closed({
    ruleSetId: Type.Optional(uuid()),
    jobId: Type.Optional(uuid({ description: 'The job that made them; there are none before it is completed' })),
    decision: Type.Optional(textEnum(['MATCH', 'POSSIBLE'])),
    direction: Type.Optional(textEnum(compositeDirections)),
    stale: Type.Optional(staleSchema),
    ...cursorQuery,
  }),
  responses: { 200: { description: 'A page of composite matches', schema: compositePageSchema } },
  handler: async ({ scope, query, principal }) => {
    const page = await listCompositeMatches(scope, query, pageRequest(query));
    return reply(
      200,
      presentCamelCursorPage(page, (composite) => presentCompositeMatch(composite, seesRecords(principal))),
    );
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/composite-matches/:id',
  operationId: 'getCompositeMatch',
  tag,
  summary: 'Read a composite match with its target and members',
  access: tenantAccess('matches:read', 'parts'),
  params: { id: 'composite_match' },
  responses: { 200: { description: 'The composite match', schema: compositeDetailSchema } },
  handler: async ({ scope, params, principal }) =>
    reply(200, presentCompositeDetail(await getCompositeMatch(scope, params.id), seesRecords(principal))),
});

const review = defineRoute({
  method: 'post',
  path: '/v1/composite-matches/:id/review',
  operationId: 'reviewCompositeMatch',
  tag,
  summary: 'Confirm or reject a composite match, or withdraw its review',
  description:
    'Replaces an earlier review. Later jobs keep the records of a confirmed one together, and use them in no other ' +
    'pair or group; a confirmed PARTIAL one leaves the rest of its target open. They do not propose a rejected one ' +
    'again while the datasets, expressions and params are the same. 409 conflict when a later job has replaced it, ' +
    'or when one of the records to confirm is in another MATCH of the rule set.',
  access: tenantAccess('matches:write', 'parts'),
  params: { id: 'composite_match' },
  body: reviewBody,
  idempotent: true,
  responses: { 200: { description: 'The composite match with its review', schema: compositeDetailSchema } },
  handler: async ({ scope, params, body, principal }) =>
    reply(
      200,
      presentCompositeDetail(
        await reviewCompositeOfRun(scope, params.id, reviewInput(body, principal)),
        seesRecords(principal),
      ),
    ),
});

export const compositeMatchRoutes: readonly Route[] = [list, get, review];
