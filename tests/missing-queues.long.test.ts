import { createDb, createLogger } from '@tieout/infra';
import { createTestDatabase, type TestDatabase } from '@tieout/testing';
import { startStack, type AppName, type Stack } from './support/stack';

let elsewhere: TestDatabase;
let stack: Stack;

const apps: AppName[] = ['api', 'ingest-worker', 'matching-worker', 'webhook-worker', 'background-worker', 'dashboard'];

/** Each app with what its start came to; the apps start at the same time. */
const starts = new Map<AppName, Promise<unknown>>();

/** The state after queues move from Redis: the database of the records is migrated, that of the queues is not. */
beforeAll(async () => {
  elsewhere = await createTestDatabase();
  const db = createDb({
    url: elsewhere.url,
    poolSize: 1,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
  });
  await db.system.execute('drop schema bullmq cascade');
  await db.close();
  stack = await startStack({ QUEUE_URL: elsewhere.url }, undefined, []);
  for (const app of apps) starts.set(app, stack.start(app));
  await Promise.allSettled(starts.values());
});

afterAll(async () => {
  await stack?.close();
  await elsewhere?.close();
});

test.each(apps)('%s ends where its queues have no tables, and says how to make them', async (app) => {
  const reason = 'The database of the queues .* lacks their tables\\. Run `npm run db:deploy`';
  await expect(starts.get(app)).rejects.toThrow(
    new RegExp(`ended with 1:[^]*"level":"fatal".*${reason}.*"msg":"could not start"`),
  );
});
