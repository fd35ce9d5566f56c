export { eventTypes, testEventType, type EventType } from './types';
export { eventBody, type EventHead } from './event';
export { deliverEvents, emitEvent, emitTestEvent, webhooksWanting } from './outbox';
export {
  busyEndpoints,
  enqueueDeliveries,
  hasClaimable,
  mostInFlight,
  waits,
  wakeDeliveries,
  type WakeScope,
} from './wake';
