import { Type } from '@sinclair/typebox';
import {
  createTenant,
  deleteTenant,
  getTenant,
  listTenants,
  readQuotas,
  tenantStatuses,
  updateTenant,
  type Tenant,
} from '@tieout/domain';
import {
  closed,
  count,
  defineRoute,
  label,
  originOf,
  pageOf,
  pageQuery,
  pageRequest,
  platformAccess,
  presentPage,
  reply,
  textEnum,
  timestamp,
  uuid,
  type ApiDeps,
  type Route,
} from '../../http';
import { createInCell, listOfAll } from '../../cells';
import { quotasBody, quotaUsageSchema } from './quotas';

const tenant = {
  id: uuid(),
  name: Type.String(),
  status: textEnum(tenantStatuses, {
    description:
      'suspended: its requests are refused, and its jobs, files, syncs and deliveries wait; ' +
      'moving: the same, while it moves to another database; ' +
      'deleting: everything that it has is being erased',
  }),
  created_at: timestamp(),
  deletion: Type.Optional(
    closed(
      {
        requested_at: timestamp(),
        erased: Type.Record(Type.String(), count(), { description: 'Rows by table, stored files and queue jobs' }),
      },
      { $id: 'TenantDeletion', description: 'Only while it is deleted: how far that is' },
    ),
  ),
};

const example = {
  id: '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10',
  name: 'Acme',
  status: 'active',
  created_at: '2026-09-15T08:30:00.000Z',
};

const tenantSchema = closed(tenant, {
  $id: 'Tenant',
  description: 'The owner of data sources, datasets, records, rule sets, jobs and keys',
  examples: [example],
});

const tenantDetailSchema = closed({ ...tenant, quotas: quotaUsageSchema }, { $id: 'TenantDetail' });

const name = label(1_000);

const createTenantBody = closed(
  {
    name,
    id: Type.Optional(uuid({ description: 'Generated when absent' })),
  },
  { examples: [{ name: 'Acme' }] },
);

const updateTenantBody = closed(
  {
    name: Type.Optional(name),
    status: Type.Optional(textEnum(['active', 'suspended'])),
    quotas: Type.Optional(quotasBody),
  },
  { examples: [{ status: 'suspended' }, { quotas: { records: 1_000_000 } }] },
);

const presentTenant = ({ id, name, status, createdAt, deletingSince, erased }: Tenant) => ({
  id,
  name,
  status,
  created_at: createdAt.toISOString(),
  ...(deletingSince ? { deletion: { requested_at: deletingSince.toISOString(), erased } } : {}),
});

const presentDetail = async (tenant: Tenant, { db, settings }: ApiDeps) => ({
  ...presentTenant(tenant),
  quotas: await readQuotas(db.system, tenant.id, settings.quotas),
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
  handler: async ({ system, body, deps: { cells }, ...caller }) => {
    const origin = originOf(caller);
    const made = cells
      ? await createInCell(cells, system, { tenant: body, origin })
      : await createTenant(system, body, origin);
    return reply(201, presentTenant(made));
  },
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
  handler: async ({ system, query, deps: { cells } }) => {
    const request = pageRequest(query);
    const page = cells ? await listOfAll(cells, request) : await listTenants(system, request);
    return reply(200, presentPage(page, presentTenant));
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/tenants/:id',
  operationId: 'getTenant',
  tag: 'Tenants',
  summary: 'Read a tenant, what it uses and its limits',
  access: platformAccess(),
  params: { id: 'tenant' },
  responses: { 200: { description: 'The tenant', schema: tenantDetailSchema } },
  handler: async ({ params, deps }) =>
    reply(200, await presentDetail(await getTenant(deps.db.system, params.id), deps)),
});

const update = defineRoute({
  method: 'patch',
  path: '/v1/tenants/:id',
  operationId: 'updateTenant',
  tag: 'Tenants',
  summary: 'Rename, suspend or resume a tenant, or change its limits',
  description:
    'A suspended tenant is refused with 403 tenant_suspended within a second; the platform key may still read its ' +
    'data, revoke and rotate its keys and delete its webhooks. Its work waits, nothing of it is lost, and it goes on ' +
    'within two minutes once the tenant is active. A limit may be lower than what is used: then nothing is added.',
  access: platformAccess(),
  params: { id: 'tenant' },
  body: updateTenantBody,
  responses: { 200: { description: 'The tenant', schema: tenantDetailSchema } },
  handler: async ({ params: { id }, body, deps, ...caller }) => {
    const changed = await updateTenant(deps.db.system, { id, change: body, origin: originOf(caller) });
    return reply(200, await presentDetail(changed, deps));
  },
});

const remove = defineRoute({
  method: 'delete',
  path: '/v1/tenants/:id',
  operationId: 'deleteTenant',
  tag: 'Tenants',
  summary: 'Delete a tenant and erase everything that it has',
  description:
    'Its keys stop working within a second. Then all of its data is erased, bills included: GET shows how far that ' +
    'is, and answers 404 once it is done. Repeating the call changes nothing; 204 says that there is no such tenant. ' +
    'It cannot be undone.',
  access: platformAccess(),
  params: { id: 'tenant' },
  responses: {
    202: { description: 'The tenant is being deleted', schema: tenantSchema },
    204: { description: 'There is no such tenant, or none any more' },
  },
  handler: async ({ params, deps }) => {
    const deleted = await deleteTenant(deps.db.system, deps.queue, params.id);
    return deleted ? reply(202, presentTenant(deleted)) : reply(204);
  },
});

export const tenantRoutes: readonly Route[] = [create, list, get, update, remove];
