import { Type } from '@sinclair/typebox';
import {
  cancelMatchingJob,
  changeKinds,
  getMatchingJob,
  jobStatuses,
  jobViews,
  listClusters,
  listMatchingJobs,
  listRunChanges,
  listUnmatched,
  startMatchingJobs,
  undoRun,
  type JobRequest,
} from '@tieout/domain';
import { invalid } from '@tieout/infra';
import {
  closed,
  cursorPageOf,
  mayApprove,
  cursorQuery,
  defineRoute,
  nullable,
  pageOf,
  pageQuery,
  pageRequest,
  reply,
  replyPageGroups,
  seesRecords,
  tenantAccess,
  textEnum,
  type Route,
} from '../../http';
import { bulkSchema } from '../bulk';
import { replyRecords } from '../records/reply-records';
import { clusterSchema, presentCluster } from './clusters';
import {
  cancelledSchema,
  matchingJobGroupSchema,
  matchingJobSchema,
  presentMatchingJob,
  presentRunChange,
  runChangeSchema,
  startJobBody,
} from './schemas';
import { presentUnmatched, unmatchedSchema } from './unmatched-schemas';

const tag = 'Matching jobs';

interface StartBody {
  dataset?: string;
  datasetId?: string;
  datasets?: string[];
}

/** Reads the datasets from exactly one of the three keys. */
function jobRequests(body: StartBody): JobRequest[] {
  const { dataset, datasetId, datasets } = body;
  const requests = [
    ...(dataset === undefined ? [] : [{ dataset, path: '/dataset' }]),
    ...(datasetId === undefined ? [] : [{ datasetId, path: '/datasetId' }]),
  ];
  if (requests.length + (datasets === undefined ? 0 : 1) !== 1) {
    throw invalid([{ path: '', code: 'one_of', message: 'give exactly one of dataset, datasetId and datasets' }]);
  }
  return requests.length > 0
    ? requests
    : (datasets ?? []).map((name, i) => ({ dataset: name, path: `/datasets/${i}` }));
}

const start = defineRoute({
  method: 'post',
  path: '/v1/matching-jobs',
  operationId: 'startMatchingJob',
  tag,
  summary: 'Run the rule sets of a dataset',
  description: 'The job reads the records as they are when it starts. With datasets, the answer is a group of jobs.',
  rateClass: 'job',
  access: tenantAccess('jobs:write', 'parts'),
  body: startJobBody,
  idempotent: true,
  responses: {
    202: { description: 'The job, or the group', schema: Type.Union([matchingJobSchema, matchingJobGroupSchema]) },
  },
  handler: async ({ scope, body, principal }) => {
    const withRecords = seesRecords(principal);
    const requests = jobRequests(body);
    if (body.datasets && body.ruleSetIds) {
      throw invalid([{ path: '/ruleSetIds', code: 'one_of', message: 'cannot be combined with datasets' }]);
    }
    const { jobGroupId, jobIds } = await startMatchingJobs(scope, requests, body.ruleSetIds);
    const jobs = (await jobViews(scope, jobIds)).map((job) => presentMatchingJob(job, withRecords));
    const inOrder = jobIds.map((id) => jobs.find((job) => job.id === id));
    return reply(202, body.datasets ? { job_group_id: jobGroupId, items: inOrder } : inOrder[0]);
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/matching-jobs',
  operationId: 'listMatchingJobs',
  tag,
  summary: 'List jobs, newest first',
  access: tenantAccess('jobs:read', 'parts'),
  readsReplica: true,
  query: closed({
    status: Type.Optional(textEnum(jobStatuses)),
    dataset: Type.Optional(Type.String({ description: 'Name of the left dataset' })),
    ...pageQuery,
  }),
  responses: { 200: { description: 'A page of jobs', schema: pageOf(matchingJobSchema) } },
  handler: async ({ scope, query, principal }) => {
    const withRecords = seesRecords(principal);
    const page = await listMatchingJobs(scope, query, pageRequest(query));
    return replyPageGroups(page, async (group) =>
      (
        await jobViews(
          scope,
          group.map(({ id }) => id),
        )
      ).map((job) => presentMatchingJob(job, withRecords)),
    );
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/matching-jobs/:id',
  operationId: 'getMatchingJob',
  tag,
  summary: 'Read a job with its progress',
  access: tenantAccess('jobs:read', 'parts'),
  params: { id: 'matching_job' },
  responses: { 200: { description: 'The job', schema: matchingJobSchema } },
  handler: async ({ scope, params, principal }) =>
    reply(200, presentMatchingJob(await getMatchingJob(scope, params.id), seesRecords(principal))),
});

const cancel = defineRoute({
  method: 'post',
  path: '/v1/matching-jobs/:id/cancel',
  operationId: 'cancelMatchingJob',
  tag,
  summary: 'Cancel a running job, or a run that waits',
  description:
    'Batches that are not yet processed are skipped; 409 job_not_running when the job is neither running nor a ' +
    'queued run of a reconciliation.',
  access: tenantAccess('jobs:write', 'none'),
  params: { id: 'matching_job' },
  responses: { 200: { description: 'The job is cancelled', schema: cancelledSchema } },
  handler: async ({ scope, params }) => {
    await cancelMatchingJob(scope, params.id);
    return reply(200, { status: 'cancelled', id: params.id });
  },
});

const unmatched = defineRoute({
  method: 'get',
  path: '/v1/matching-jobs/:id/unmatched',
  operationId: 'listUnmatchedRecords',
  tag,
  summary: 'List the records of one side that got no MATCH',
  description:
    'Records that are neither in a MATCH pair nor in a composite MATCH, each with the reason and its best POSSIBLE ' +
    'of both kinds. Empty until the job is completed.',
  access: tenantAccess('jobs:read', 'whole'),
  readsReplica: true,
  params: { id: 'matching_job' },
  query: closed({
    side: textEnum(['left', 'right'], { default: 'left' }),
    include: Type.Optional(
      Type.String({
        pattern: '^(filtered|failed)(,(filtered|failed))?$',
        description: 'Also list these: filtered, failed or filtered,failed',
      }),
    ),
    ...cursorQuery,
  }),
  responses: { 200: { description: 'A page of records', schema: cursorPageOf(unmatchedSchema) } },
  handler: async ({ scope, params, query }) => {
    const include = (query.include?.split(',') ?? []) as ('filtered' | 'failed')[];
    const page = await listUnmatched(scope, params.id, { side: query.side, include }, pageRequest(query));
    return replyRecords(scope, page, { recordOf: ({ record }) => record, present: presentUnmatched });
  },
});

const clusters = defineRoute({
  method: 'get',
  path: '/v1/matching-jobs/:id/clusters',
  operationId: 'listClusters',
  tag,
  summary: 'List the records of a dataset that belong together',
  description:
    'Where a rule set compares a dataset with itself: the records that MATCH pairs of the job connect, and those ' +
    'that people had confirmed, the largest cluster first. Clusters are as the job found them; later reviews show ' +
    'in `review`. Empty until the job is completed; 409 conflict for rule sets of two datasets, and for runs.',
  access: tenantAccess('jobs:read', 'whole'),
  readsReplica: true,
  mayConflict: true,
  params: { id: 'matching_job' },
  query: closed(pageQuery),
  responses: { 200: { description: 'A page of clusters', schema: pageOf(clusterSchema) } },
  handler: async ({ scope, params, query }) => {
    const found = await listClusters(scope, params.id, pageRequest(query));
    return reply(200, { ...found, items: found.items.map(presentCluster) });
  },
});

const changes = defineRoute({
  method: 'get',
  path: '/v1/matching-jobs/:id/changes',
  operationId: 'listRunChanges',
  tag,
  summary: 'List what a dry run would change, or a full run has changed',
  access: tenantAccess('jobs:read', 'whole'),
  readsReplica: true,
  params: { id: 'matching_job' },
  query: closed({
    kind: Type.Optional(textEnum(changeKinds)),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 400 })),
  }),
  responses: {
    200: {
      description: 'A page of changes',
      schema: closed({
        items: Type.Array(runChangeSchema),
        total: Type.Integer(),
        limit: Type.Integer(),
        next_cursor: nullable(Type.String()),
      }),
    },
  },
  handler: async ({ scope, params, query: { kind, ...page } }) => {
    const found = await listRunChanges(scope, params.id, { kind, page });
    return reply(200, {
      items: found.items.map(presentRunChange),
      total: found.total,
      limit: found.limit,
      next_cursor: found.nextCursor,
    });
  },
});

const undo = defineRoute({
  method: 'post',
  path: '/v1/matching-jobs/:id/undo',
  operationId: 'undoMatchingJob',
  tag,
  summary: 'Release all match groups that a run has held',
  description: 'In steps, each of which is done or not. Counts as released by people.',
  access: tenantAccess('matches:write', 'none'),
  params: { id: 'matching_job' },
  body: closed({
    reasonCode: Type.Optional(
      Type.String({ minLength: 1, maxLength: 50, description: 'Default other; needed with force' }),
    ),
    note: Type.Optional(Type.String({ maxLength: 2_000 })),
    allowAgain: Type.Optional(Type.Boolean()),
    force: Type.Optional(
      Type.Boolean({ description: 'Releases groups of closed months too, which open again for the reason given' }),
    ),
  }),
  lenientBody: true,
  responses: { 200: { description: 'The outcome', schema: bulkSchema } },
  handler: async ({ scope, params, body, principal }) => {
    await getMatchingJob(scope, params.id);
    if (body.force === true && body.reasonCode === undefined) {
      const message = 'is needed with force: closed months open again for a reason';
      throw invalid([{ path: '/reasonCode', code: 'required', message }]);
    }
    const { reasonCode = 'other' } = body;
    return reply(200, await undoRun(scope, params.id, { ...body, reasonCode, mayApprove: mayApprove(principal) }));
  },
});

export const matchingJobRoutes: readonly Route[] = [start, list, get, cancel, undo, unmatched, clusters, changes];
