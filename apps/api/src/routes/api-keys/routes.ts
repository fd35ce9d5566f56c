import { Type } from '@sinclair/typebox';
import { createApiKey, getApiKey, listApiKeys, revokeApiKey, scopes, type ApiKey } from '@tieout/domain';
import {
  closed,
  defineRoute,
  nullable,
  pageOf,
  pageQuery,
  pageRequest,
  presentPage,
  reply,
  tenantAccess,
  textEnum,
  timestamp,
  uuid,
  type Route,
} from '../../http';

const apiKey = {
  id: uuid(),
  label: Type.String(),
  scopes: Type.Array(textEnum(scopes), { description: '[] = everything that the tenant may do; write implies read' }),
  active: Type.Boolean({ description: 'false once the key is revoked' }),
  created_at: timestamp(),
  prefix: Type.String({ description: 'The beginning of the key' }),
  last4: Type.String({ description: 'The last four characters of the key' }),
  last_used_at: nullable(timestamp(), { description: 'Accurate to a minute' }),
};

const example = {
  id: '01994e6c-2a10-7c44-9f02-6b1d3e5f7a21',
  label: 'ERP import',
  scopes: ['records:write'],
  active: true,
  created_at: '2026-09-15T08:31:00.000Z',
  prefix: 'rk_0D3xWq8ZpLk2mN7aB',
  last4: 'q7Zx',
  last_used_at: null,
};

const apiKeySchema = closed(apiKey, {
  $id: 'ApiKey',
  description: 'A key as it can be shown at any time',
  examples: [example],
});

const createdApiKeySchema = closed(
  { ...apiKey, key: Type.String({ description: 'The key itself: shown in this answer only' }) },
  {
    $id: 'CreatedApiKey',
    examples: [{ ...example, key: 'rk_0D3xWq8ZpLk2mN7aB_5hV0cT9yR2uJ6eK1sG4fA8bX3dM7nQ0wZ5pL2tY9vC6iq7Zx' }],
  },
);

const createApiKeyBody = closed(
  {
    label: Type.String({ minLength: 1 }),
    scopes: Type.Array(textEnum(scopes), { default: [], maxItems: 100 }),
  },
  { examples: [{ label: 'ERP import', scopes: ['records:write'] }] },
);

const presentApiKey = (apiKey: ApiKey) => ({
  id: apiKey.id,
  label: apiKey.label,
  scopes: apiKey.scopes,
  active: apiKey.active,
  created_at: apiKey.createdAt.toISOString(),
  prefix: apiKey.prefix,
  last4: apiKey.last4,
  last_used_at: apiKey.lastUsedAt?.toISOString() ?? null,
});

const create = defineRoute({
  method: 'post',
  path: '/v1/api-keys',
  operationId: 'createApiKey',
  tag: 'API keys',
  summary: 'Create an API key',
  description: 'A key with scopes can only create keys with scopes that it has itself.',
  access: tenantAccess('keys:write', 'none'),
  body: createApiKeyBody,
  idempotent: true,
  secretAnswer: true,
  responses: { 201: { description: 'The key, with its text', schema: createdApiKeySchema } },
  handler: async ({ scope, body, principal }) => {
    const { apiKey, text } = await createApiKey(scope, { ...body, mintedBy: principal.scopes });
    return reply(201, { ...presentApiKey(apiKey), key: text });
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/api-keys',
  operationId: 'listApiKeys',
  tag: 'API keys',
  summary: 'List API keys, newest first',
  access: tenantAccess('keys:read', 'none'),
  query: closed(pageQuery),
  responses: { 200: { description: 'A page of keys', schema: pageOf(apiKeySchema) } },
  handler: async ({ scope, query }) =>
    reply(200, presentPage(await listApiKeys(scope, pageRequest(query)), presentApiKey)),
});

const get = defineRoute({
  method: 'get',
  path: '/v1/api-keys/:id',
  operationId: 'getApiKey',
  tag: 'API keys',
  summary: 'Read an API key',
  access: tenantAccess('keys:read', 'none'),
  params: { id: 'api_key' },
  responses: { 200: { description: 'The key', schema: apiKeySchema } },
  handler: async ({ scope, params }) => reply(200, presentApiKey(await getApiKey(scope, params.id))),
});

const revoke = defineRoute({
  method: 'delete',
  path: '/v1/api-keys/:id',
  operationId: 'revokeApiKey',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description:
    'It stops working within a second and remains readable with active false. Revoking it again changes nothing.',
  access: tenantAccess('keys:write', 'none'),
  params: { id: 'api_key' },
  responses: { 204: { description: 'The key is revoked' } },
  handler: async ({ scope, params }) => {
    await revokeApiKey(scope, params.id);
    return reply(204);
  },
});

export const apiKeyRoutes: readonly Route[] = [create, list, get, revoke];
