import { createTestDatabase, testServers, type TestDatabase } from '@tieout/testing';
import type { Queue } from 'bullmq';
import { queueClasses, type QueueSettings } from './connection';
import { readQueueDepth } from './depth';

let database: TestDatabase;
let settings: QueueSettings;
let queue: Queue;

beforeAll(async () => {
  database = await createTestDatabase();
  settings = { url: testServers().redisUrl ?? database.url, prefix: `{${database.name}}` };
  queue = queueClasses(settings, { role: 'producer' }).openQueue('work');
  await queue.waitUntilReady();
});

afterEach(() => queue.obliterate({ force: true }));

afterAll(async () => {
  await queue.close();
  await database.close();
});

interface Waiting {
  sinceSeconds: number;
  priority?: number;
  delaySeconds?: number;
}

/** Jobs, in the order in which they were added. */
async function add(jobs: readonly Waiting[]): Promise<void> {
  for (const { sinceSeconds, priority, delaySeconds } of jobs) {
    await queue.add(
      'job',
      {},
      {
        timestamp: Date.now() - sinceSeconds * 1000,
        ...(priority === undefined ? {} : { priority }),
        ...(delaySeconds === undefined ? {} : { delay: delaySeconds * 1000 }),
      },
    );
  }
}

const oldestSeconds = async (): Promise<number> =>
  Math.floor((await readQueueDepth(queue)).oldestWaitingSeconds / 10) * 10;

describe('the age of the oldest job', () => {
  test('is that of the first waiting job, however many have come since', async () => {
    await add([{ sinceSeconds: 120 }, { sinceSeconds: 60 }, { sinceSeconds: 0 }]);
    expect(await oldestSeconds()).toBe(120);
  });

  test('is that of the last job with a priority, when others overtake it', async () => {
    await add([
      { sinceSeconds: 120, priority: 9 },
      { sinceSeconds: 60, priority: 5 },
      { sinceSeconds: 0, priority: 1 },
    ]);
    expect(await oldestSeconds()).toBe(120);
  });

  test('is that of the first job with a priority, when no worker serves it', async () => {
    await add([
      { sinceSeconds: 120, priority: 1 },
      { sinceSeconds: 0, priority: 1 },
      { sinceSeconds: 0, priority: 2 },
    ]);
    expect(await oldestSeconds()).toBe(120);
  });

  test('counts from when a job that is delayed may run', async () => {
    await add([
      { sinceSeconds: 120, delaySeconds: 90 },
      { sinceSeconds: 0, delaySeconds: 600 },
    ]);
    expect(await oldestSeconds()).toBe(30);
  });

  test('counts for a paused queue, too', async () => {
    await queue.pause();
    await add([{ sinceSeconds: 120 }, { sinceSeconds: 0 }]);
    expect(await oldestSeconds()).toBe(120);
    await queue.resume();
  });

  test('is 0 when no job waits', async () => {
    expect((await readQueueDepth(queue)).oldestWaitingSeconds).toBe(0);
  });
});
