import { Type } from '@sinclair/typebox';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSigningSecret,
  updateWebhook,
} from '@tieout/domain';
import { alsoSuspended, closed, defineRoute, reply, tenantAccess, type Route } from '../../http';
import {
  createdWebhookSchema,
  newWebhookBody,
  presentWebhook,
  rotatedSchema,
  rotationBody,
  success,
  successOf,
  webhookBody,
  webhookSchema,
} from './schemas';

const tag = 'Webhooks';

const create = defineRoute({
  method: 'post',
  path: '/v1/webhooks',
  operationId: 'createWebhook',
  tag,
  summary: 'Register a webhook',
  description:
    'It receives events from now on. Events, headers, retries and how to verify them: docs/how-to/webhooks.md. ' +
    '413 quota_exceeded when the tenant has as many as it may.',
  access: tenantAccess('webhooks:write', 'none'),
  body: newWebhookBody,
  idempotent: true,
  secretAnswer: true,
  responses: { 201: { description: 'The webhook, with its secrets', schema: successOf(createdWebhookSchema) } },
  prepare: ({ body, deps }) => deps.outbound.checkResolved(body.url),
  handler: async ({ scope, body, prepared, deps }) => {
    const { webhook, signingSecret } = await createWebhook(scope, body, { cipher: deps.cipher, verdict: prepared });
    return reply(201, success({ ...presentWebhook(webhook), secret: body.secret, signingSecret }));
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/webhooks',
  operationId: 'listWebhooks',
  tag,
  summary: 'List webhooks, newest first',
  access: tenantAccess('webhooks:read', 'none'),
  responses: {
    200: { description: 'All webhooks', schema: successOf(closed({ webhooks: Type.Array(webhookSchema) })) },
  },
  handler: async ({ scope }) => reply(200, success({ webhooks: (await listWebhooks(scope)).map(presentWebhook) })),
});

const get = defineRoute({
  method: 'get',
  path: '/v1/webhooks/:id',
  operationId: 'getWebhook',
  tag,
  summary: 'Read a webhook',
  access: tenantAccess('webhooks:read', 'none'),
  params: { id: 'webhook' },
  responses: { 200: { description: 'The webhook', schema: successOf(webhookSchema) } },
  handler: async ({ scope, params }) => reply(200, success(presentWebhook(await getWebhook(scope, params.id)))),
});

const update = defineRoute({
  method: 'put',
  path: '/v1/webhooks/:id',
  operationId: 'updateWebhook',
  tag,
  summary: 'Replace url, secret and events of a webhook',
  description:
    'Takes effect with the next attempt, also for deliveries that wait for a retry. The signing secret stays.',
  access: tenantAccess('webhooks:write', 'none'),
  params: { id: 'webhook' },
  body: webhookBody,
  responses: { 200: { description: 'The webhook', schema: successOf(webhookSchema) } },
  prepare: ({ body, deps }) => deps.outbound.checkResolved(body.url),
  handler: async ({ scope, params, body, prepared, deps }) =>
    reply(
      200,
      success(presentWebhook(await updateWebhook(scope, params.id, body, { cipher: deps.cipher, verdict: prepared }))),
    ),
});

const rotate = defineRoute({
  method: 'post',
  path: '/v1/webhooks/:id/rotate-signing-secret',
  operationId: 'rotateWebhookSigningSecret',
  tag,
  summary: 'Give a webhook another signing secret',
  description:
    'From the next attempt on, deliveries are signed with both until the overlap ends, then with the new one. ' +
    'A rotation during an overlap ends that.',
  access: alsoSuspended(tenantAccess('webhooks:write', 'none')),
  params: { id: 'webhook' },
  body: rotationBody,
  lenientBody: true,
  idempotent: true,
  secretAnswer: true,
  responses: { 200: { description: 'The webhook, with the new secret', schema: successOf(rotatedSchema) } },
  handler: async ({ scope, params, body, deps }) => {
    const signingSecret = await rotateSigningSecret(scope, params.id, body, deps.cipher);
    return reply(200, success({ ...presentWebhook(await getWebhook(scope, params.id)), signingSecret }));
  },
});

const remove = defineRoute({
  method: 'delete',
  path: '/v1/webhooks/:id',
  operationId: 'deleteWebhook',
  tag,
  summary: 'Remove a webhook',
  description: 'Nothing more is sent to it. Waiting deliveries are cancelled; all deliveries remain readable.',
  access: alsoSuspended(tenantAccess('webhooks:write', 'none')),
  params: { id: 'webhook' },
  responses: {
    200: {
      description: 'The webhook is removed',
      schema: closed({ status: Type.Literal('success'), message: Type.String() }),
    },
  },
  handler: async ({ scope, params }) => {
    await deleteWebhook(scope, params.id);
    return reply(200, { status: 'success', message: 'Webhook removed' });
  },
});

export const webhookRoutes: readonly Route[] = [list, get, create, update, rotate, remove];
