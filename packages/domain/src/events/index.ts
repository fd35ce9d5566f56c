export { eventBody, eventTypes, testEventType, type EventHead, type EventType } from './event';
export { deliverEvents, emitEvent, emitTestEvent, subscribedTypes, subscribedWebhooks } from './outbox';
export {
  busyEndpointsSql,
  enqueueDeliveries,
  hasClaimable,
  isPendingSql,
  maxInFlight,
  wakeDeliveries,
  type WakeScope,
} from './wake';
export { oldSigningSql, webhookKeyIdsSql } from './webhook-secrets';
