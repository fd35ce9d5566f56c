import { createTenant, listTenants } from '@tieout/domain';
import {
  closed,
  defineRoute,
  pageOf,
  pageQuery,
  pageRequest,
  platformAccess,
  presentPage,
  reply,
  type Route,
} from '../../http';
import { presentTenant } from './present';
import { createTenantBody, tenantSchema } from './schemas';

const create = defineRoute({
  method: 'post',
  path: '/v1/tenants',
  operationId: 'createTenant',
  tag: 'Tenants',
  summary: 'Create a tenant',
  description: 'Its first key is then made with POST /v1/api-keys, the platform key and the header x-tenant-id.',
  access: platformAccess(),
  body: createTenantBody,
  idempotent: true,
  responses: { 201: { description: 'The tenant', schema: tenantSchema } },
  handler: async ({ system, body }) => reply(201, presentTenant(await createTenant(system, body))),
});

const list = defineRoute({
  method: 'get',
  path: '/v1/tenants',
  operationId: 'listTenants',
  tag: 'Tenants',
  summary: 'List tenants, newest first',
  access: platformAccess(),
  query: closed(pageQuery),
  responses: { 200: { description: 'A page of tenants', schema: pageOf(tenantSchema) } },
  handler: async ({ system, query }) =>
    reply(200, presentPage(await listTenants(system, pageRequest(query)), presentTenant)),
});

export const tenantRoutes: readonly Route[] = [create, list];
