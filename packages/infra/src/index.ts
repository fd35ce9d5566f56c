export * from './kernel/errors';
export * from './kernel/ids';
export * from './json/schema';
export * from './json/storable-json';
export { JsonText, stringifyJson } from './json/json-text';
export { openBrace, bytesPerWeight, countByte, jsonWeight, countNestedValues } from './json/json-weight';
export * from './kernel/config';
export * from './kernel/logger';
export { mapEach } from './concurrency/map-each';
export * from './metrics';
export * from './process/service';
export {
  createHttpServer,
  defaultHttpServerLimits,
  maxHeaderBytes,
  type HttpServerLimits,
} from './http-server/http-server';
export * from './process/child-pool';
export { withDeadline } from './concurrency/deadline';
export * from './metrics/gauges';
export { createCoalescer, type Coalesce } from './concurrency/coalescer';
export * from './storage';
export { SlotSet } from './concurrency/slot-set';
export { runningTimeout } from './process/running-timeout';
export { createWatchdog, overdueSignal, type Watchdog } from './process/watchdog';
export * from './outbound';
export * from './kernel/cipher';
export * from './queue';
export {
  createDb,
  isForeignKeyViolation,
  isLockTimeout,
  isUniqueViolation,
  NotShortReadError,
  queriesOn,
  type DatabaseUsage,
  type Db,
  type DbHandle,
  type Orm,
  type Queries,
  type SqlParameter,
  type SystemDb,
  type TenantDb,
} from './db/db';
export { isoTimestamp } from './db/iso-timestamp';
export { isDatabaseUnavailable } from './db/unavailable';
export { requireMigrations } from './db/migrations';
export { type BinaryRows } from './db/wire/row-messages';
export { streamRows } from './db/wire/row-stream';
export { copyIn, type BinaryCopyWriter } from './db/wire/copy-in';
export { asOwner, restrictTable, shareTable } from './db/tenant-role';
export type { PoolClient } from 'pg';
export { Prisma } from './generated/prisma/client';
