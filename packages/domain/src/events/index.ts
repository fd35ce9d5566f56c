export { eventTypes, testEventType, type EventType } from './types';
export { eventBody, type EventHead } from './event';
export { deliverEvents, emitEvent, emitTestEvent, isWanted } from './outbox';
export { enqueueDeliveries, hasDueDeliveries, waits, wakeDeliveries, type WakeScope } from './wake';
