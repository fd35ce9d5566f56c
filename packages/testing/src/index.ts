export { createTestDatabase, testServers, type TestDatabase, type TestServers } from './database';
export {
  createTestService,
  queueDrained,
  testSecretsKey,
  watchQueues,
  type TestService,
  type TestServiceOptions,
} from './service';
export * from './https-receiver';
export { startS3Server, type S3Server } from './s3-server';
export { startHttpServer, type PlainRequest as ReceivedRequest, type TestHttpServer } from './http-server';
export { collectGarbage } from './garbage';
export { startNetwork, type TestNetwork } from './network';
export { sampleInsert, type TableOfTenants } from './sample-rows';
export { lockWaiters, tableWaiter, waitersFor } from './lock-waiters';
export { startStandby, type TestStandby } from './standby';
