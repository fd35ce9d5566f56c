import { createDataSource, getDataSource, listDataSources } from '@tieout/domain';
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
import { presentDataSource } from './present';
import { createDataSourceBody, dataSourceSchema } from './schemas';

const create = defineRoute({
  method: 'post',
  path: '/v1/data-sources',
  operationId: 'createDataSource',
  tag: 'Data sources',
  summary: 'Create a data source',
  access: tenantAccess('datasets:write'),
  body: createDataSourceBody,
  idempotent: true,
  responses: { 201: { description: 'The data source', schema: dataSourceSchema } },
  handler: async ({ scope, body }) => reply(201, presentDataSource(await createDataSource(scope, body))),
});

const list = defineRoute({
  method: 'get',
  path: '/v1/data-sources',
  operationId: 'listDataSources',
  tag: 'Data sources',
  summary: 'List data sources, newest first',
  access: tenantAccess('datasets:read'),
  query: closed(pageQuery),
  responses: { 200: { description: 'A page of data sources', schema: pageOf(dataSourceSchema) } },
  handler: async ({ scope, query }) =>
    reply(200, presentPage(await listDataSources(scope, pageRequest(query)), presentDataSource)),
});

const get = defineRoute({
  method: 'get',
  path: '/v1/data-sources/:id',
  operationId: 'getDataSource',
  tag: 'Data sources',
  summary: 'Read a data source',
  access: tenantAccess('datasets:read'),
  params: { id: 'data_source' },
  responses: { 200: { description: 'The data source', schema: dataSourceSchema } },
  handler: async ({ scope, params }) => reply(200, presentDataSource(await getDataSource(scope, params.id))),
});

export const dataSourceRoutes: readonly Route[] = [create, list, get];
