import { Type, type Static } from '@sinclair/typebox';
import { createApiKey, getApiKey, listApiKeys, revokeApiKey, rotateApiKey, type TenantScope } from '@tieout/domain';
import {
  alsoSuspended,
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
import {
  apiKeySchema,
  createApiKeyBody,
  createdApiKeySchema,
  overlapOf,
  presentApiKey,
  presentIssued,
  readCreatedBy,
  readLimits,
  rotateApiKeyBody,
} from './schemas';

/** Says of a key that was issued before whether its text is still accepted. */
const renewIssued = async (scope: TenantScope, answer: unknown): Promise<object> => {
  const issued = answer as Static<typeof createdApiKeySchema>;
  const now = presentApiKey(await getApiKey(scope, issued.id));
  const isAccepted = [now.prefix, now.previous?.prefix].includes(issued.prefix);
  return { ...issued, active: now.active && isAccepted };
};

const create = defineRoute({
  method: 'post',
  path: '/v1/api-keys',
  operationId: 'createApiKey',
  tag: 'API keys',
  summary: 'Create an API key',
  description:
    'No key creates one that may do more than itself: its scopes, expiresAt and allowedCidrs limit those of the new ' +
    'key.',
  access: tenantAccess('keys:write', 'none'),
  body: createApiKeyBody,
  idempotent: true,
  secretAnswer: true,
  renew: renewIssued,
  responses: { 201: { description: 'The key, with its text', schema: createdApiKeySchema } },
  handler: async ({ scope, body }) => {
    const { label, scopes = [] } = body;
    return reply(201, presentIssued(await createApiKey(scope, { label, scopes, ...readLimits(body) })));
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/api-keys',
  operationId: 'listApiKeys',
  tag: 'API keys',
  summary: 'List API keys, newest first',
  access: tenantAccess('keys:read', 'none'),
  query: closed({
    createdBy: Type.Optional(
      Type.String({ description: 'Only keys that this key or user has created, by its id; or platform' }),
    ),
    ...pageQuery,
  }),
  responses: { 200: { description: 'A page of keys', schema: pageOf(apiKeySchema) } },
  handler: async ({ scope, query }) =>
    reply(200, presentPage(await listApiKeys(scope, readCreatedBy(query), pageRequest(query)), presentApiKey)),
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
    'It stops working within a second and remains readable with active false. Revoking it again changes nothing. A ' +
    'key with scopes cannot revoke one with scopes that it lacks.',
  access: alsoSuspended(tenantAccess('keys:write', 'none')),
  params: { id: 'api_key' },
  query: closed({
    descendants: Type.Boolean({
      default: false,
      description:
        'Also revokes every key that it has created, or whose secret it has rotated, and makes inactive the users ' +
        'that it has invited, and theirs in turn',
    }),
  }),
  responses: { 204: { description: 'The key is revoked' } },
  handler: async ({ scope, params, query }) => {
    await revokeApiKey(scope, { id: params.id, withDescendants: query.descendants });
    return reply(204);
  },
});

const rotate = defineRoute({
  method: 'post',
  path: '/v1/api-keys/:id/rotate',
  operationId: 'rotateApiKey',
  tag: 'API keys',
  summary: 'Give an API key another secret',
  description:
    'The present secret is accepted for overlapSeconds more, an older one no longer. Id, scopes and limits stay. No ' +
    'key rotates one that may do more than itself; 409 conflict for a key that is not active.',
  access: alsoSuspended(tenantAccess('keys:write', 'none')),
  params: { id: 'api_key' },
  body: rotateApiKeyBody,
  lenientBody: true,
  idempotent: true,
  secretAnswer: true,
  renew: renewIssued,
  responses: { 200: { description: 'The key, with its new text', schema: createdApiKeySchema } },
  handler: async ({ scope, params, body }) =>
    reply(200, presentIssued(await rotateApiKey(scope, params.id, overlapOf(body)))),
});

export const apiKeyRoutes: readonly Route[] = [create, list, get, revoke, rotate];
