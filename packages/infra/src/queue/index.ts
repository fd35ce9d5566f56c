export * from './catalog';
export * from './producer';
export * from './consumer';
export { queueBackend, queueClasses, queueSchema, type QueueBackend, type QueueSettings } from './connection';
