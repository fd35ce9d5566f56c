import { Type } from '@sinclair/typebox';
import { getMatch, listMatches } from '@tieout/domain';
import {
  closed, cursorPageOf, cursorQuery, defineRoute, pageRequest, presentCursorPage, reply, tenantAccess, textEnum, uuid, type Route,
} from '../../http';
import { presentMatch } from './present';
import { matchSchema } from './schemas';

const tag = 'Matches';

const list = defineRoute({
  method: 'get',
  path: '/v1/matches',
  operationId: 'listMatches',
  tag,
  summary: 'List matches, newest first',
  description: 'The live ones, those of each rule set’s latest completed job, unless matchingJobId names a job.',
  access: tenantAccess('matches:read'),
  query: closed({
    matchingJobId: Type.Optional(uuid({ description: 'Also a running job, whose matches appear batch by batch' })),
    ruleSetId: Type.Optional(uuid()),
    decision: Type.Optional(textEnum(['MATCH', 'POSSIBLE'])),
    recordId: Type.Optional(uuid({ description: 'On either side' })),
    minScore: Type.Optional(Type.Number()),
    ...cursorQuery,
  }),
  responses: { 200: { description: 'A page of matches', schema: cursorPageOf(matchSchema) } },
  handler: async ({ scope, query }) => reply(200, presentCursorPage(await listMatches(scope, query, pageRequest(query)), presentMatch)),
});

const get = defineRoute({
  method: 'get',
  path: '/v1/matches/:id',
  operationId: 'getMatch',
  tag,
  summary: 'Read a match with its explanation',
  access: tenantAccess('matches:read'),
  params: { id: 'match' },
  responses: { 200: { description: 'The match', schema: matchSchema } },
  handler: async ({ scope, params }) => reply(200, presentMatch(await getMatch(scope, params.id))),
});

export const matchRoutes: readonly Route[] = [list, get];
