export * from './catalog';
export * from './producer';
export * from './consumer';
export type { QueueDepth } from './depth';
export { connectionLog } from './connection-log';
export { queueClasses, type QueueSettings } from './connection';
export { requireQueueSchema } from './require-schema';
export { createFairSlots, TurnEndedError, type FairSlots } from './fair-slots';
export { type JobHandlers } from './processor';
