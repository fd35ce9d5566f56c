import {
  createDataset,
  datasetProgress,
  deleteDataset,
  getDataset,
  listDatasets,
  sampleOf,
  updateDataset,
} from '@tieout/domain';
import {
  closed,
  defineRoute,
  pageOf,
  pageQuery,
  pageRequest,
  presentPage,
  reply,
  tenantAccess,
  type Route,
} from '../../http';
import { fieldRoutes } from './field-routes';
import {
  createDatasetBody,
  datasetSchema,
  presentDataset,
  presentProgress,
  progressSchema,
  sampleSchema,
  updateDatasetBody,
} from './schemas';

const create = defineRoute({
  method: 'post',
  path: '/v1/datasets',
  operationId: 'createDataset',
  tag: 'Datasets',
  summary: 'Create a dataset',
  description: 'POST /v1/records also creates one when it names a dataset that does not exist.',
  access: tenantAccess('datasets:write', 'none'),
  body: createDatasetBody,
  idempotent: true,
  responses: { 201: { description: 'The dataset', schema: datasetSchema } },
  handler: async ({ scope, body }) => reply(201, presentDataset(await createDataset(scope, body))),
});

const list = defineRoute({
  method: 'get',
  path: '/v1/datasets',
  operationId: 'listDatasets',
  tag: 'Datasets',
  summary: 'List datasets, newest first',
  access: tenantAccess('datasets:read', 'none'),
  query: closed(pageQuery),
  responses: { 200: { description: 'A page of datasets', schema: pageOf(datasetSchema) } },
  handler: async ({ scope, query }) =>
    reply(200, presentPage(await listDatasets(scope, pageRequest(query)), presentDataset)),
});

const get = defineRoute({
  method: 'get',
  path: '/v1/datasets/:id',
  operationId: 'getDataset',
  tag: 'Datasets',
  summary: 'Read a dataset',
  access: tenantAccess('datasets:read', 'none'),
  params: { id: 'dataset' },
  responses: { 200: { description: 'The dataset', schema: datasetSchema } },
  handler: async ({ scope, params }) => reply(200, presentDataset(await getDataset(scope, params.id))),
});

const update = defineRoute({
  method: 'patch',
  path: '/v1/datasets/:id',
  operationId: 'updateDataset',
  tag: 'Datasets',
  summary: 'Change a dataset',
  access: tenantAccess('datasets:write', 'none'),
  params: { id: 'dataset' },
  body: updateDatasetBody,
  responses: { 200: { description: 'The dataset', schema: datasetSchema } },
  handler: async ({ scope, params, body }) => reply(200, presentDataset(await updateDataset(scope, params.id, body))),
});

const remove = defineRoute({
  method: 'delete',
  path: '/v1/datasets/:id',
  operationId: 'deleteDataset',
  tag: 'Datasets',
  summary: 'Delete a dataset with its fields and records',
  description:
    'Refused with 409 while a rule set uses it. The matches of its records are deleted as well. With the answer, ' +
    'the dataset and its records can no longer be read; the records of a large dataset and their matches are ' +
    'removed within minutes.',
  access: tenantAccess('datasets:write', 'none'),
  params: { id: 'dataset' },
  responses: { 204: { description: 'The dataset is gone' } },
  handler: async ({ scope, params }) => {
    await deleteDataset(scope, params.id);
    return reply(204);
  },
});

const sample = defineRoute({
  method: 'get',
  path: '/v1/datasets/:id/sample',
  operationId: 'getDatasetSample',
  tag: 'Datasets',
  summary: 'Read the data of the record last created',
  access: tenantAccess('datasets:read', 'whole'),
  params: { id: 'dataset' },
  responses: { 200: { description: 'The sample, null when there are no records', schema: sampleSchema } },
  handler: async ({ scope, params }) => reply(200, { sample: await sampleOf(scope, params.id) }),
});

const progress = defineRoute({
  method: 'get',
  path: '/v1/datasets/:id/progress',
  operationId: 'getDatasetProgress',
  tag: 'Datasets',
  summary: 'Read how far the records are normalised',
  description:
    'After a change of fields all records are normalised again in the background. Until then they are read with ' +
    'their previous values.',
  access: tenantAccess('datasets:read', 'none'),
  params: { id: 'dataset' },
  responses: { 200: { description: 'The progress', schema: progressSchema } },
  handler: async ({ scope, params }) => reply(200, presentProgress(await datasetProgress(scope, params.id))),
});

export const datasetRoutes: readonly Route[] = [create, list, get, update, remove, sample, progress, ...fieldRoutes];
