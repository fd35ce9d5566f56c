import { Type } from '@sinclair/typebox';
import { createDataSource, getDataSource, listDataSources, type DataSource } from '@tieout/domain';
import {
  closed,
  defineRoute,
  pageOf,
  pageQuery,
  pageRequest,
  presentPage,
  reply,
  tenantAccess,
  timestamp,
  uuid,
  type Route,
} from '../../http';

const dataSourceSchema = closed(
  {
    id: uuid(),
    name: Type.String(),
    kind: Type.String({ description: 'Free text; `api` is the source of datasets that records created' }),
    created_at: timestamp(),
  },
  {
    $id: 'DataSource',
    examples: [
      { id: '01994e6c-3c20-7e55-8d13-7c2e4f6a8b32', name: 'ERP', kind: 'erp', created_at: '2026-09-15T08:32:00.000Z' },
    ],
  },
);

const createDataSourceBody = closed(
  { name: Type.String({ minLength: 1 }), kind: Type.String({ minLength: 1 }) },
  { examples: [{ name: 'ERP', kind: 'erp' }] },
);

const presentDataSource = (source: DataSource) => ({
  id: source.id,
  name: source.name,
  kind: source.kind,
  created_at: source.createdAt.toISOString(),
});

const create = defineRoute({
  method: 'post',
  path: '/v1/data-sources',
  operationId: 'createDataSource',
  tag: 'Data sources',
  summary: 'Create a data source',
  access: tenantAccess('datasets:write', 'none'),
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
  access: tenantAccess('datasets:read', 'none'),
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
  access: tenantAccess('datasets:read', 'none'),
  params: { id: 'data_source' },
  responses: { 200: { description: 'The data source', schema: dataSourceSchema } },
  handler: async ({ scope, params }) => reply(200, presentDataSource(await getDataSource(scope, params.id))),
});

export const dataSourceRoutes: readonly Route[] = [create, list, get];
