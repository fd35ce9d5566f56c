import { getDelivery, listDeliveries, retryDelivery, testWebhook } from '@tieout/domain';
import { closed, defineRoute, pageQuery, pageRequest, reply, tenantAccess, type Route } from '../../http';
import {
  deliveriesSchema,
  deliveryDetailSchema,
  deliveryFilter,
  deliverySchema,
  presentDeliveries,
  presentDelivery,
  presentDeliveryDetail,
  success,
  successOf,
} from './schemas';

const tag = 'Webhooks';

const list = defineRoute({
  method: 'get',
  path: '/v1/webhooks/:id/deliveries',
  operationId: 'listWebhookDeliveries',
  tag,
  summary: 'List the deliveries of a webhook, newest first',
  description: 'Also lists those of a removed webhook.',
  access: tenantAccess('webhooks:read', 'none'),
  readsReplica: true,
  params: { id: 'webhook' },
  query: closed({ ...deliveryFilter, ...pageQuery }),
  responses: { 200: { description: 'A page of deliveries', schema: successOf(deliveriesSchema) } },
  handler: async ({ scope, params, query }) =>
    reply(200, presentDeliveries(await listDeliveries(scope, params.id, query, pageRequest(query)))),
});

const get = defineRoute({
  method: 'get',
  path: '/v1/webhooks/:id/deliveries/:deliveryId',
  operationId: 'getWebhookDelivery',
  tag,
  summary: 'Read a delivery with the log of its attempts',
  access: tenantAccess('webhooks:read', 'none'),
  params: { id: 'webhook', deliveryId: 'webhook_delivery' },
  responses: { 200: { description: 'The delivery', schema: successOf(deliveryDetailSchema) } },
  handler: async ({ scope, params }) =>
    reply(200, success(presentDeliveryDetail(await getDelivery(scope, params.id, params.deliveryId)))),
});

const retry = defineRoute({
  method: 'post',
  path: '/v1/webhooks/:id/deliveries/:deliveryId/retry',
  operationId: 'retryWebhookDelivery',
  tag,
  summary: 'Retry a delivery once, now',
  description:
    'In any state, also delivered or abandoned. Success ends the delivery; failure changes neither it nor its ' +
    'schedule. 409 conflict while an attempt is running.',
  rateClass: 'costly',
  access: tenantAccess('webhooks:write', 'none'),
  params: { id: 'webhook', deliveryId: 'webhook_delivery' },
  responses: { 202: { description: 'The attempt is due', schema: successOf(deliverySchema) } },
  handler: async ({ scope, params }) =>
    reply(202, success(presentDelivery(await retryDelivery(scope, params.id, params.deliveryId)))),
});

const test = defineRoute({
  method: 'post',
  path: '/v1/webhooks/:id/test',
  operationId: 'testWebhook',
  tag,
  summary: 'Send a test event',
  description:
    'Sends WEBHOOK_TEST, whichever events the webhook subscribes to. It is delivered and retried like any other event.',
  rateClass: 'costly',
  access: tenantAccess('webhooks:write', 'none'),
  params: { id: 'webhook' },
  idempotent: true,
  responses: { 202: { description: 'Its delivery', schema: successOf(deliverySchema) } },
  handler: async ({ scope, params }) => reply(202, success(presentDelivery(await testWebhook(scope, params.id)))),
});

export const webhookDeliveryRoutes: readonly Route[] = [list, get, retry, test];
