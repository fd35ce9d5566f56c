import { Type } from '@sinclair/typebox';
import {
  approveMatchGroup,
  createMatchGroup,
  getMatchGroup,
  listMatchGroups,
  rejectMatchGroup,
  releaseMatchGroup,
  releaseMatchGroups,
  withMemberRecords,
  type MatchGroupFilter,
} from '@tieout/domain';
import { invalid } from '@tieout/infra';
import {
  assertSeesRecords,
  closed,
  defineRoute,
  mayApprove,
  nullable,
  reply,
  tenantAccess,
  uuid,
  type Route,
} from '../../http';
import { bulkSchema } from '../bulk';
import {
  createMatchGroupBody,
  matchGroupFilter,
  matchGroupSchema,
  matchGroupSort,
  membersOf,
  note,
  presentMatchGroup,
  recordsAsked,
  releaseBody,
} from './schemas';

const tag = 'Match groups';

const create = defineRoute({
  method: 'post',
  path: '/v1/match-groups',
  operationId: 'createMatchGroup',
  tag,
  summary: 'Tie records by hand',
  description: 'Any number of open items of either side whose amounts and adjustments add up to 0.',
  access: tenantAccess('matches:write', 'whole'),
  body: createMatchGroupBody,
  bodyLimitBytes: 1024 * 1024,
  idempotent: true,
  responses: { 201: { description: 'The match group', schema: matchGroupSchema } },
  handler: async ({ scope, body }) =>
    reply(
      201,
      presentMatchGroup(
        await createMatchGroup(scope, { ...body, left: membersOf(body.left), right: membersOf(body.right) }),
      ),
    ),
});

type SentFilter = Omit<MatchGroupFilter, 'from' | 'to' | 'asOf'> & { from?: string; to?: string; asOf?: string };

const filterOf = ({ from, to, asOf, ...filter }: SentFilter): MatchGroupFilter => ({
  ...filter,
  asOf: asOf === undefined ? undefined : new Date(asOf),
  from: from === undefined ? undefined : new Date(from),
  to: to === undefined ? undefined : new Date(to),
});

const list = defineRoute({
  method: 'get',
  path: '/v1/match-groups',
  operationId: 'listMatchGroups',
  tag,
  summary: 'List match groups, newest first',
  access: tenantAccess('matches:read', 'whole'),
  readsReplica: true,
  query: closed({
    ...matchGroupFilter,
    sort: matchGroupSort,
    records: recordsAsked,
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 400 })),
  }),
  responses: {
    200: {
      description: 'A page of match groups',
      schema: closed({
        items: Type.Array(matchGroupSchema),
        total: Type.Integer(),
        limit: Type.Integer(),
        next_cursor: nullable(Type.String()),
      }),
    },
  },
  handler: async ({ scope, query }) => {
    const { sort, limit, cursor, records, ...filter } = query;
    const page = await listMatchGroups(scope, filterOf(filter), { sort, limit, cursor });
    return reply(200, {
      items: (records ? await withMemberRecords(scope, page.items) : page.items).map(presentMatchGroup),
      total: page.total,
      limit,
      next_cursor: page.nextCursor,
    });
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/match-groups/:id',
  operationId: 'getMatchGroup',
  tag,
  summary: 'Read a match group',
  access: tenantAccess('matches:read', 'whole'),
  params: { id: 'match_group' },
  query: closed({ records: recordsAsked }),
  responses: { 200: { description: 'The match group', schema: matchGroupSchema } },
  handler: async ({ scope, params, query: { records } }) => {
    const group = await getMatchGroup(scope, params.id);
    const [shown = group] = records ? await withMemberRecords(scope, [group]) : [group];
    return reply(200, presentMatchGroup(shown));
  },
});

const release = defineRoute({
  method: 'post',
  path: '/v1/match-groups/:id/release',
  operationId: 'releaseMatchGroup',
  tag,
  summary: 'Release a match group',
  description: 'Its records are open again. A run does not tie the same records again, unless allowAgain.',
  access: tenantAccess('matches:write', 'whole'),
  params: { id: 'match_group' },
  body: closed(releaseBody),
  idempotent: true,
  responses: { 200: { description: 'The match group', schema: matchGroupSchema } },
  handler: async ({ scope, params, body, principal }) => {
    const input = { ...body, mayApprove: mayApprove(principal) };
    return reply(200, presentMatchGroup(await releaseMatchGroup(scope, params.id, input)));
  },
});

const decided = { 200: { description: 'The match group', schema: matchGroupSchema } };

const approve = defineRoute({
  method: 'post',
  path: '/v1/match-groups/:id/approve',
  operationId: 'approveMatchGroup',
  tag,
  summary: 'Approve a match group that waits for it',
  description:
    'For a person other than its maker: a user, or one whom a key names in x-actor. Its maker is refused with 403, ' +
    'and a group that does not wait with 409.',
  access: tenantAccess('matches:approve', 'whole'),
  params: { id: 'match_group' },
  body: closed({ note: Type.Optional(note) }),
  lenientBody: true,
  idempotent: true,
  responses: decided,
  handler: async ({ scope, params, body }) =>
    reply(200, presentMatchGroup(await approveMatchGroup(scope, params.id, body.note ?? null))),
});

const reject = defineRoute({
  method: 'post',
  path: '/v1/match-groups/:id/reject',
  operationId: 'rejectMatchGroup',
  tag,
  summary: 'Reject a match group that waits for approval',
  description: 'It is released: its records are open again, and no run ties them again by the same rules.',
  access: tenantAccess('matches:approve', 'whole'),
  params: { id: 'match_group' },
  body: closed({ reasonCode: releaseBody.reasonCode, note: Type.Optional(note) }),
  idempotent: true,
  responses: decided,
  handler: async ({ scope, params, body: { reasonCode, note: why = null } }) =>
    reply(200, presentMatchGroup(await rejectMatchGroup(scope, params.id, { reasonCode, note: why }))),
});

const releaseMany = defineRoute({
  method: 'post',
  path: '/v1/match-groups/release',
  operationId: 'releaseMatchGroups',
  tag,
  summary: 'Release many match groups',
  description: 'In steps of 200, each of which is done or not.',
  access: tenantAccess('matches:write', 'chosen'),
  body: closed({
    ids: Type.Optional(Type.Array(uuid(), { minItems: 1, maxItems: 1_000 })),
    filter: Type.Optional(closed(matchGroupFilter, { minProperties: 1 })),
    ...releaseBody,
  }),
  responses: { 200: { description: 'What was done', schema: bulkSchema } },
  handler: async ({ scope, body: { ids, filter, ...input }, principal }) => {
    if (filter) assertSeesRecords(principal, 'a filter');
    if ((ids === undefined) === (filter === undefined)) {
      throw invalid([{ path: '/ids', code: 'one_of', message: 'and filter: give one of them' }]);
    }
    const sent = { ...input, mayApprove: mayApprove(principal) };
    return reply(200, await releaseMatchGroups(scope, ids ? { ids } : { filter: filterOf(filter ?? {}) }, sent));
  },
});

export const matchGroupRoutes: readonly Route[] = [create, list, releaseMany, get, release, approve, reject];
