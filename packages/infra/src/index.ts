export * from './errors';
export * from './ids';
export * from './schema';
export * from './storable-json';
export { JsonText, stringifyJson } from './json-text';
export { brace, bytesPerWeight, countOf, jsonWeight, nestedValuesIn } from './json-weight';
export * from './config';
export * from './logger';
export { mapEach } from './map-each';
export * from './metrics';
export * from './service';
export { createHttpServer, defaultHttpServerLimits, maxHeaderBytes, type HttpServerLimits } from './http-server';
export * from './child-pool';
export { withDeadline } from './deadline';
export * from './gauges';
export { createGroups, type AddToGroup } from './groups';
export * from './storage';
export { Roster } from './roster';
export { runningTimeout } from './running-timeout';
export { createWatchdog, overdueSignal, type Watchdog } from './watchdog';
export * from './outbound';
export * from './cipher';
export * from './queue';
export {
  createDb,
  isForeignKeyViolation,
  isLockTimeout,
  isUniqueViolation,
  NotBrief,
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
export { type BinaryRows } from './db/row-messages';
export { streamRows } from './db/row-stream';
export { copyIn, type BinaryCopyWriter } from './db/copy-in';
export { asOwner, restrictTable, shareTable } from './db/tenant-role';
export type { PoolClient } from 'pg';
export { Prisma } from './generated/prisma/client';
