import { createApiKey, getApiKey, listApiKeys, revokeApiKey } from '@tieout/domain';
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
import { presentApiKey } from './present';
import { apiKeySchema, createApiKeyBody, createdApiKeySchema } from './schemas';

const create = defineRoute({
  method: 'post',
  path: '/v1/api-keys',
  operationId: 'createApiKey',
  tag: 'API keys',
  summary: 'Create an API key',
  description: 'A key with scopes can only make keys with scopes that it has itself.',
  access: tenantAccess('keys:write'),
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
  access: tenantAccess('keys:read'),
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
  access: tenantAccess('keys:read'),
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
    'It stops working within a second and stays readable with active false. Revoking it again changes nothing.',
  access: tenantAccess('keys:write'),
  params: { id: 'api_key' },
  responses: { 204: { description: 'The key is revoked' } },
  handler: async ({ scope, params }) => {
    await revokeApiKey(scope, params.id);
    return reply(204);
  },
});

export const apiKeyRoutes: readonly Route[] = [create, list, get, revoke];
