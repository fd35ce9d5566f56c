/** The servers that `npm test` or `node scripts/test-server.mjs` started. */
export interface TestServers {
  /** A database server with the template that every test file copies. */
  databaseUrl: string;
  /** The Redis of the queues. Unset: queues live in the test's own database. */
  redisUrl: string | undefined;
  logLevel: string;
}

export function testServers(): TestServers {
  const { TEST_DATABASE_URL: databaseUrl, QUEUE_BACKEND: backend, TEST_REDIS_URL: redisUrl } = process.env;
  if (!databaseUrl) {
    throw new Error('Set TEST_DATABASE_URL to what `node scripts/test-server.mjs` prints, or run `npm test`');
  }
  if (backend === 'redis' && !redisUrl) throw new Error('QUEUE_BACKEND=redis needs TEST_REDIS_URL');
  return {
    databaseUrl,
    redisUrl: backend === 'redis' ? redisUrl : undefined,
    logLevel: process.env.TEST_LOG_LEVEL ?? 'silent',
  };
}
