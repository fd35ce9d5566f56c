export {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  mostWebhooks,
  updateWebhook,
  type Webhook,
  type WebhookInput,
  type WebhookMeans,
} from './webhooks';
export {
  getDelivery,
  listDeliveries,
  retryDelivery,
  testWebhook,
  type Attempt,
  type Delivery,
  type DeliveryDetail,
  type DeliveryFilter,
} from './deliveries';
export { bodyStates, deliveryStatuses, outcomes, type DeliveryStatus, type Outcome, type Trigger } from './outcomes';
export { defaultDeliveryPolicy, delaysPattern, parseDelays, type DeliveryPolicy } from './schedule';
export { createDeliverer, type Deliverer, type DelivererOptions } from './deliverer';
export { createDeliveryHandlers } from './handlers';
export { deliveryBacklog, type DeliveryBacklog } from './backlog';
export { deleteOldDeliveries } from './retention';
export { startDeliverySweeps, sweepDeliveries } from './sweep';
