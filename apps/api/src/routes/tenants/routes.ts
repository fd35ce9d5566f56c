import { Type } from '@sinclair/typebox';
import { createTenant, listTenants, type Tenant } from '@tieout/domain';
import {
  closed,
  defineRoute,
  pageOf,
  pageQuery,
  pageRequest,
  platformAccess,
  presentPage,
  reply,
  timestamp,
  uuid,
  type Route,
} from '../../http';

const tenantSchema = closed(
  { id: uuid(), name: Type.String(), created_at: timestamp() },
  {
    $id: 'Tenant',
    description: 'The owner of data sources, datasets, records, rule sets, jobs and keys',
    examples: [{ id: '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10', name: 'Acme', created_at: '2026-09-15T08:30:00.000Z' }],
  },
);

const createTenantBody = closed(
  {
    name: Type.String({ minLength: 1 }),
    id: Type.Optional(uuid({ description: 'Generated when absent' })),
  },
  { examples: [{ name: 'Acme' }] },
);

const presentTenant = (tenant: Tenant) => ({
  id: tenant.id,
  name: tenant.name,
  created_at: tenant.createdAt.toISOString(),
});

const create = defineRoute({
  method: 'post',
  path: '/v1/tenants',
  operationId: 'createTenant',
  tag: 'Tenants',
  summary: 'Create a tenant',
  description: 'Create its first key with POST /v1/api-keys, the platform key and the header x-tenant-id.',
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
