import { hasRedis } from './redis';
import { startRedisCluster, type OwnCluster } from './redis-cluster';

/** Gives each test file of the cluster project a Redis Cluster of its own, with the queues of its tests in it. */
let cluster: OwnCluster | undefined;

beforeAll(async () => {
  if (!hasRedis()) return;
  cluster = await startRedisCluster();
  process.env.QUEUE_BACKEND = 'redis';
  process.env.TEST_REDIS_URL = cluster.url;
});

afterAll(() => cluster?.close());
