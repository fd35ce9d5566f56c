export { createDb, type Db } from './db';
export { copyBetween, openDirect, type DirectConnection } from './direct';
export {
  hasDatabaseCode,
  isDatabaseUnavailable,
  isForeignKeyViolation,
  isLockTimeout,
  isTenantMoving,
  isUniqueViolation,
} from './errors';
export { onlyShortReads } from './handles';
export { isoTimestamp } from './iso-timestamp';
export { destroyConnection, LostConnections } from './lost-connections';
export { requireMigrations } from './migrations';
export { idleTimeoutMs } from './session-settings';
export { queriesOn } from './statements';
export { maxConnectionsPerTenant } from './tenant-share';
export { asOwner, restrictTable, sessionLockClass, shareTable } from './tenant-role';
export {
  NotShortReadError,
  type DatabaseUsage,
  type DbHandle,
  type Orm,
  type Queries,
  type SqlParameter,
  type SystemDb,
  type TenantDb,
} from './types';
export { copyIn, copyInto, type BinaryCopyWriter } from './wire/copy-in';
export { type BinaryRows } from './wire/row-messages';
export { streamRows } from './wire/row-stream';
