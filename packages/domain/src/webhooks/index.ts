export {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  updateWebhook,
  type Webhook,
  type WebhookInput,
  type WebhookMeans,
} from './webhooks';
export { forgetOldSigningSecrets, rotateSigningSecret, type SigningRotation } from './secrets';
export {
  getDelivery,
  listDeliveries,
  retryDelivery,
  testWebhook,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryDetail,
  type DeliveryFilter,
} from './deliveries';
export {
  bodyStates,
  deliveryStatuses,
  type AttemptOutcome,
  type AttemptTrigger,
  type DeliveryStatus,
} from './outcomes';
export { defaultDeliveryPolicy, delaysPattern, parseDelays, type DeliveryPolicy } from './retry-schedule';
export { createDeliverer, createDeliveryHandlers, type Deliverer, type DelivererOptions } from './deliverer';
export { deliveryBacklog, type DeliveryBacklog } from './backlog';
export { deleteOldDeliveries } from './retention';
export { startDeliverySweeps, sweepDeliveries } from './sweep';
