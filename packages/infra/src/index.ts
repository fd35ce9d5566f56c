export * from './kernel/cipher';
export * from './kernel/errors';
export * from './kernel/ids';
export * from './kernel/logger';
export { canonicalJson } from './json/canonical-json';
export * from './json/schema';
export * from './json/storable-json';
export { JsonText, stringifyJson } from './json/json-text';
export { bytesPerWeight, countByte, countNestedValues, jsonWeight, openBrace } from './json/json-weight';
export { createCoalescer } from './concurrency/coalescer';
export { mapEach } from './concurrency/map-each';
export { throttleLog } from './concurrency/throttle-log';
export { runningTimeout, withDeadline } from './concurrency/timeouts';
export { createFairSlots, PreemptedError } from './fairness/fair-slots';
export { FairPriorities } from './fairness/fair-priorities';
export { OwnerSlots } from './fairness/owner-slots';
export * from './metrics';
export * from './process/child-pool';
export { ChildDiedError } from './process/child-process';
export * from './process/config';
export { mainDatabase, readDatabases, type NamedDatabase } from './process/databases';
export { readStoreUrl } from './process/store-url';
export * from './process/gauges';
export * from './process/readiness';
export * from './process/serve-child';
export * from './process/service';
export { createWatchdog } from './process/watchdog';
export {
  createHttpServer,
  defaultHttpServerLimits,
  maxHeaderBytes,
  type HttpServerLimits,
} from './http-server/http-server';
export { dropForwardedPorts, proxySettings, trustedProxiesOf } from './http-server/trusted-proxies';
export * from './outbound';
export * from './queue';
export * from './storage';
export * from './db';
export type { PoolClient } from 'pg';
export { Prisma } from './generated/prisma/client';
