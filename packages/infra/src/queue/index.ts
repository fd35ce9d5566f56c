export * from './catalog';
export * from './producer';
export * from './consumer';
export { gaugeQueues } from './gauges';
export { readQueueDepth, type QueueDepth } from './depth';
export { connectionLog, queueClasses, type QueueSettings } from './connection';
export { requireQueueSchema } from './require-schema';
export { type JobHandlers } from './processor';
