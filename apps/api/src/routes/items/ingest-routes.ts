import { createIngest, deleteIngest, listIngests } from '@tieout/domain';
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
import { ingestBody, ingestSchema, presentIngest } from './schemas';

const tag = 'Items';

const create = defineRoute({
  method: 'post',
  path: '/v1/items/:id/ingest',
  operationId: 'ingestItem',
  tag,
  summary: 'Import the transactions of an item into a dataset',
  description:
    'The present transactions and those of each later sync become records, with the id of the transaction as ' +
    'external id. Calling it again for the same dataset replaces its accounts.',
  rateClass: 'sync',
  access: tenantAccess('items:write', 'none'),
  params: { id: 'item' },
  body: ingestBody,
  idempotent: true,
  responses: { 202: { description: 'The import has started', schema: ingestSchema } },
  handler: async ({ scope, params, body }) => reply(202, presentIngest(await createIngest(scope, params.id, body))),
});

const list = defineRoute({
  method: 'get',
  path: '/v1/items/:id/ingests',
  operationId: 'listItemIngests',
  tag,
  summary: 'List the imports of an item into datasets, newest first',
  access: tenantAccess('items:read', 'none'),
  readsReplica: true,
  params: { id: 'item' },
  query: closed(pageQuery),
  responses: { 200: { description: 'A page of imports with their progress', schema: pageOf(ingestSchema) } },
  handler: async ({ scope, params, query }) =>
    reply(200, presentPage(await listIngests(scope, params.id, pageRequest(query)), presentIngest)),
});

const remove = defineRoute({
  method: 'delete',
  path: '/v1/items/:id/ingests/:ingestId',
  operationId: 'deleteItemIngest',
  tag,
  summary: 'End the import of an item into a dataset',
  description: 'The records remain.',
  access: tenantAccess('items:write', 'none'),
  params: { id: 'item', ingestId: 'item_ingest' },
  responses: { 204: { description: 'The import has ended' } },
  handler: async ({ scope, params }) => {
    await deleteIngest(scope, params.id, params.ingestId);
    return reply(204);
  },
});

export const itemIngestRoutes: readonly Route[] = [create, list, remove];
