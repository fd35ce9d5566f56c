import { Type } from '@sinclair/typebox';
import {
  annotateItem,
  annotateItems,
  createReconciliation,
  deleteReconciliation,
  getMatchingJob,
  getReconciliation,
  jobViews,
  listMatchingJobs,
  listOpenItems,
  listReconciliations,
  runModes,
  startRun,
  updateReconciliation,
} from '@tieout/domain';
import { invalid } from '@tieout/infra';
import {
  assertMayApprove,
  assertSeesRecords,
  closed,
  cursorPageOf,
  cursorQuery,
  defineRoute,
  nullable,
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
import { matchingJobSchema, presentMatchingJob } from '../matching-jobs/schemas';
import { periodRoutes } from './periods';
import { listCandidates } from './candidates';
import { listProposalsRoute } from './proposals';
import {
  annotation,
  createReconciliationBody,
  openItemFilter,
  openItemSchema,
  openItemSort,
  presentOpenItem,
  presentReconciliation,
  presentTotals,
  reconciliationSchema,
  totalsSchema,
  updateReconciliationBody,
} from './schemas';

const tag = 'Reconciliations';

const create = defineRoute({
  method: 'post',
  path: '/v1/reconciliations',
  operationId: 'createReconciliation',
  tag,
  summary: 'Create a reconciliation',
  description: 'Its records are open items from now on, until a match group holds them.',
  access: tenantAccess('reconciliations:write', 'none'),
  body: createReconciliationBody,
  idempotent: true,
  responses: { 201: { description: 'The reconciliation', schema: reconciliationSchema } },
  handler: async ({ scope, body }) => reply(201, presentReconciliation(await createReconciliation(scope, body))),
});

const list = defineRoute({
  method: 'get',
  path: '/v1/reconciliations',
  operationId: 'listReconciliations',
  tag,
  summary: 'List reconciliations, newest first',
  access: tenantAccess('reconciliations:read', 'none'),
  query: closed({ archived: Type.Optional(Type.Boolean()), ...cursorQuery }),
  responses: { 200: { description: 'A page of reconciliations', schema: cursorPageOf(reconciliationSchema) } },
  handler: async ({ scope, query }) =>
    replyCursorPage(await listReconciliations(scope, query, pageRequest(query)), presentReconciliation),
});

const get = defineRoute({
  method: 'get',
  path: '/v1/reconciliations/:id',
  operationId: 'getReconciliation',
  tag,
  summary: 'Read a reconciliation',
  access: tenantAccess('reconciliations:read', 'none'),
  params: { id: 'reconciliation' },
  responses: { 200: { description: 'The reconciliation', schema: reconciliationSchema } },
  handler: async ({ scope, params }) => reply(200, presentReconciliation(await getReconciliation(scope, params.id))),
});

const update = defineRoute({
  method: 'patch',
  path: '/v1/reconciliations/:id',
  operationId: 'updateReconciliation',
  tag,
  summary: 'Change a reconciliation',
  description: 'Once a group has held, keys, sign and time zone are fixed, and datasets can only be added.',
  access: tenantAccess('reconciliations:write', 'none'),
  params: { id: 'reconciliation' },
  body: updateReconciliationBody,
  responses: { 200: { description: 'The reconciliation', schema: reconciliationSchema } },
  handler: async ({ scope, params, body, principal }) => {
    if (body.approvalAbove !== undefined) assertMayApprove(principal, 'approvalAbove');
    return reply(200, presentReconciliation(await updateReconciliation(scope, params.id, body)));
  },
});

const remove = defineRoute({
  method: 'delete',
  path: '/v1/reconciliations/:id',
  operationId: 'deleteReconciliation',
  tag,
  summary: 'Delete a reconciliation that has never held a group',
  access: tenantAccess('reconciliations:write', 'none'),
  params: { id: 'reconciliation' },
  responses: { 204: { description: 'The reconciliation is deleted' } },
  handler: async ({ scope, params }) => {
    await deleteReconciliation(scope, params.id);
    return reply(204);
  },
});

const openItems = defineRoute({
  method: 'get',
  path: '/v1/reconciliations/:id/open-items',
  operationId: 'listOpenItems',
  tag,
  summary: 'List open items',
  description: 'Records that no group holds wholly, with what remains of their amount.',
  access: tenantAccess('reconciliations:read', 'whole'),
  readsReplica: true,
  params: { id: 'reconciliation' },
  query: closed({
    ...openItemFilter,
    totals: Type.Boolean({ default: true, description: 'false: total and totals are null, and the list is faster' }),
    sort: openItemSort,
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 400 })),
  }),
  responses: {
    200: {
      description: 'A page of open items',
      schema: closed({
        items: Type.Array(openItemSchema),
        total: nullable(Type.Integer()),
        totals: nullable(closed({ left: totalsSchema, right: totalsSchema })),
        limit: Type.Integer(),
        next_cursor: nullable(Type.String()),
      }),
    },
  },
  handler: async ({ scope, params, query }) => {
    const { sort, limit, cursor, totals: withTotals, ...filter } = query;
    const page = { sort, limit, cursor };
    const { items, totals, nextCursor } = await listOpenItems(scope, params.id, { filter, page, withTotals });
    return reply(200, {
      items: items.map(presentOpenItem),
      total: totals && totals.count,
      totals: totals && { left: presentTotals(totals.sides.left), right: presentTotals(totals.sides.right) },
      limit,
      next_cursor: nextCursor,
    });
  },
});

const annotate = defineRoute({
  method: 'patch',
  path: '/v1/reconciliations/:id/open-items/:recordId',
  operationId: 'annotateOpenItem',
  tag,
  summary: 'Annotate, snooze or exclude an item',
  access: tenantAccess('reconciliations:write', 'none'),
  params: { id: 'reconciliation', recordId: 'record' },
  body: annotation,
  responses: { 204: { description: 'The item is changed' } },
  handler: async ({ scope, params, body }) => {
    await annotateItem(scope, params.id, { recordId: params.recordId, set: body });
    return reply(204);
  },
});

const annotateMany = defineRoute({
  method: 'post',
  path: '/v1/reconciliations/:id/open-items/annotate',
  operationId: 'annotateOpenItems',
  tag,
  summary: 'Annotate, snooze or exclude many items',
  description: 'In steps of 500, each of which is done or not.',
  access: tenantAccess('reconciliations:write', 'chosen'),
  params: { id: 'reconciliation' },
  body: closed({
    recordIds: Type.Optional(Type.Array(uuid(), { minItems: 1, maxItems: 1_000 })),
    filter: Type.Optional(closed(openItemFilter, { minProperties: 1 })),
    set: annotation,
  }),
  responses: { 200: { description: 'What was done', schema: bulkSchema } },
  handler: async ({ scope, params, body: { recordIds, filter, set }, principal }) => {
    if (filter) assertSeesRecords(principal, 'a filter');
    if ((recordIds === undefined) === (filter === undefined)) {
      const message = 'and filter: give one of them';
      throw invalid([{ path: '/recordIds', code: 'one_of', message }]);
    }
    const selection = recordIds ? { recordIds } : { filter: filter ?? {} };
    return reply(200, await annotateItems(scope, params.id, { selection, set }));
  },
});

const startRunRoute = defineRoute({
  method: 'post',
  path: '/v1/reconciliations/:id/runs',
  operationId: 'startReconciliationRun',
  tag,
  summary: 'Match the open items',
  description:
    'Pass after pass; each sees what the ones before have left. A MATCH becomes a held group, unless accept is ' +
    'review. A full run also takes apart what runs have held and it ties differently. ' +
    'One run works at a time; one that is asked for meanwhile waits, and is the answer to further requests.',
  rateClass: 'job',
  access: tenantAccess('reconciliations:write', 'parts'),
  params: { id: 'reconciliation' },
  body: closed({
    mode: Type.Optional(textEnum(runModes)),
    dryRun: Type.Optional(
      Type.Boolean({ description: 'Nothing changes: the job says what would, GET /v1/matching-jobs/{id}/changes' }),
    ),
  }),
  lenientBody: true,
  idempotent: true,
  responses: { 202: { description: 'The matching job', schema: matchingJobSchema } },
  handler: async ({ scope, params, body, principal }) => {
    const jobId = await startRun(scope, params.id, {
      mode: body.mode ?? 'incremental',
      trigger: 'manual',
      dryRun: body.dryRun ?? false,
    });
    return reply(202, presentMatchingJob(await getMatchingJob(scope, jobId), seesRecords(principal)));
  },
});

const listRuns = defineRoute({
  method: 'get',
  path: '/v1/reconciliations/:id/runs',
  operationId: 'listReconciliationRuns',
  tag,
  summary: 'List the runs of a reconciliation, newest first',
  access: tenantAccess('reconciliations:read', 'parts'),
  readsReplica: true,
  params: { id: 'reconciliation' },
  query: closed({ ...cursorQuery }),
  responses: { 200: { description: 'A page of matching jobs', schema: cursorPageOf(matchingJobSchema) } },
  handler: async ({ scope, params, query, principal }) => {
    await getReconciliation(scope, params.id);
    const page = await listMatchingJobs(scope, { reconciliationId: params.id }, pageRequest(query));
    const views = await jobViews(
      scope,
      page.items.map(({ id }) => id),
    );
    const withRecords = seesRecords(principal);
    return replyCursorPage({ ...page, items: views }, (job) => presentMatchingJob(job, withRecords));
  },
});

export const reconciliationRoutes: readonly Route[] = [
  create,
  list,
  get,
  update,
  remove,
  annotateMany,
  openItems,
  annotate,
  listCandidates,
  listProposalsRoute,
  startRunRoute,
  listRuns,
  ...periodRoutes,
];
