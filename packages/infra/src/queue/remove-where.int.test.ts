import { Type } from '@sinclair/typebox';
import { createTestDatabase, testServers, type TestDatabase } from '@tieout/testing';
import { createLogger } from '../kernel/logger';
import { defineJobs } from './catalog';
import { postgresOf, queueClasses, type QueueSettings } from './connection';
import { createConsumer } from './consumer';
import { createProducer, type Producer } from './producer';

const payload = Type.Object({ owner: Type.String() });
const job = (queue: string) => ({ queue, payload, attempts: 1, backoffMs: 1 });
const catalog = defineJobs({ work: job('one'), other: job('two') });
const logger = createLogger('test', 'silent');

let database: TestDatabase;
let settings: QueueSettings;
let producer: Producer<typeof catalog>;

beforeAll(async () => {
  database = await createTestDatabase();
  settings = { url: testServers().redisUrl ?? database.url, prefix: `{${database.name}}` };
  producer = createProducer(catalog, settings, logger);
});

afterAll(async () => {
  await producer.close();
  await database.close();
});

const removeOf = (owner: string): Promise<number> =>
  producer.removeWhere((data) => (data as { owner?: string } | undefined)?.owner === owner);

async function counts(): Promise<number[]> {
  const { openQueue } = queueClasses(settings, { role: 'producer' });
  const found = [];
  for (const name of ['one', 'two']) {
    const queue = openQueue(name);
    await queue.waitUntilReady();
    found.push(await queue.getJobCountByTypes('waiting', 'prioritized', 'delayed', 'failed', 'active'));
    await queue.close();
  }
  return found;
}

/** A client of Redis, as far as it is used here. */
interface Stream {
  xlen(key: string): Promise<number>;
}

/** The number of events that the queues keep. */
async function eventsCount(): Promise<number> {
  const { openQueue } = queueClasses(settings, { role: 'producer' });
  let found = 0;
  for (const name of ['one', 'two']) {
    const queue = openQueue(name);
    const postgres = postgresOf(queue);
    if (postgres) found += (await postgres.query('select 1 from event where queue = $1', [name])).rowCount ?? 0;
    else found += await ((await queue.getBackend().client) as unknown as Stream).xlen(queue.keys['events'] ?? '');
    await queue.close();
  }
  return found;
}

test('removes the jobs of one owner from all queues and states, and no others, however many there are', async () => {
  const failing = await createConsumer({
    catalog,
    settings,
    logger,
    queue: 'two',
    concurrency: 2,
    handlers: { other: () => Promise.reject(new Error('fails')) },
  });
  for (const owner of ['a', 'b']) await producer.enqueue('other', { owner });
  const hasFailed = async (): Promise<boolean> => (await counts())[1] === 2;
  while (!(await hasFailed()));
  await failing.close();
  const items = Array.from({ length: 1_200 }, (_, i) => ({ payload: { owner: i % 3 === 0 ? 'a' : 'b' } }));
  await producer.enqueueMany('work', items);
  await producer.enqueueMany('work', [
    { payload: { owner: 'a' }, delayMs: 3_600_000 },
    { payload: { owner: 'b' }, delayMs: 3_600_000 },
    { payload: { owner: 'a' }, priority: 5 },
    { payload: { owner: 'b' }, priority: 5 },
  ]);
  expect(await removeOf('a')).toBe(403);
  expect([await counts(), await removeOf('a')]).toEqual([[802, 1], 0]);
  expect(await eventsCount()).toBe(0);
  expect(await removeOf('b')).toBe(803);
});

test('leaves a running job, and ends', async () => {
  let finish = (): void => undefined;
  let begun = (): void => undefined;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const running = new Promise<void>((resolve) => (finish = resolve));
  const consumer = await createConsumer({
    catalog,
    settings,
    logger,
    queue: 'one',
    concurrency: 1,
    handlers: { work: () => (begun(), running) },
  });
  await producer.enqueue('work', { owner: 'a' });
  await hasBegun;
  expect(await removeOf('a')).toBe(0);
  finish();
  await consumer.close();
  expect(await counts()).toEqual([0, 0]);
});
