import { createTestDatabase, startNetwork, testServers, type TestDatabase, type TestNetwork } from '@tieout/testing';
import type { Redis } from 'ioredis';
import { newId } from '../kernel/ids';
import { queueClasses, type QueueSettings } from './connection';

const { redisUrl } = testServers();
const onRedis = redisUrl === undefined ? test.skip : test;
const onPostgres = redisUrl === undefined ? describe : describe.skip;
const silentMs = 500;

let network: TestNetwork;
let database: TestDatabase | undefined;
let settings: QueueSettings;
const opened: { close(): Promise<unknown> }[] = [];

beforeEach(async () => {
  if (redisUrl === undefined) return;
  network = await startNetwork(redisUrl);
  settings = { url: network.url, prefix: `{lost-${newId()}}` };
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
  await network?.close();
  await database?.close();
  database = undefined;
});

type Role = Parameters<typeof queueClasses>[1]['role'];

function openQueue(role: Role = 'producer', more: { silentMs?: number } = { silentMs }) {
  const queue = queueClasses(settings, { role, ...more }).openQueue('work');
  queue.on('error', () => undefined);
  opened.push(queue);
  return queue;
}

/** A worker that does nothing else but say what it gets. */
function openWorker(more: { silentMs?: number } = {}) {
  let take = (_name: string): void => undefined;
  const next = (): Promise<string> => new Promise((resolve) => (take = resolve));
  const worker = queueClasses(settings, { role: 'consumer', ...more }).openWorker(
    'work',
    (job) => Promise.resolve(take(job.name)),
    {},
  );
  const errors: Error[] = [];
  worker.on('error', (error) => errors.push(error));
  opened.push(worker);
  return { worker, next, errors };
}

const clientOf = async (queue: ReturnType<typeof openQueue>): Promise<Redis> =>
  (await queue.getBackend().client) as unknown as Redis;

/** Keeps Redis from everything else for a second, and says how often it has run. */
const longScript = `
  local runs = redis.call('incr', KEYS[1])
  local from = redis.call('time')
  repeat local now = redis.call('time') until (now[1] - from[1]) * 1e6 + now[2] - from[2] > 1e6
  return runs`;

onRedis.each<[Role]>([['producer'], ['consumer']])(
  'a command of a %s on a dead connection is answered on another one',
  async (role) => {
    const queue = openQueue(role);
    await queue.getJobCounts('waiting');
    network.forget();
    expect(await queue.getJobCounts('waiting')).toEqual({ waiting: 0 });
  },
);

onRedis('all pipelined commands on such a connection are answered', async () => {
  const queue = openQueue('consumer');
  await queue.getJobCounts('waiting');
  network.forget();
  expect(await Promise.all([1, 2, 3].map(() => queue.getJobCounts('waiting')))).toHaveLength(3);
});

onRedis(
  'a worker whose connections are dead takes jobs again within half a minute',
  async () => {
    const { worker, next } = openWorker();
    await worker.waitUntilReady();
    network.forget();
    const job = next();
    await openQueue().add('after', {});
    expect(await job).toBe('after');
  },
  30_000,
);

onRedis(
  'a worker that waits for work keeps its connections',
  async () => {
    const { worker, next, errors } = openWorker();
    const queue = openQueue();
    // Longer than one wait, and than a connection may be silent.
    await queue.add('late', {}, { delay: 15_000 });
    await worker.waitUntilReady();
    expect({ name: await next(), errors }).toEqual({ name: 'late', errors: [] });
  },
  30_000,
);

onRedis('a script that keeps Redis from everything else keeps its connection, and runs once', async () => {
  const queue = openQueue('consumer');
  const [script, other] = await Promise.all([clientOf(queue), clientOf(openQueue('consumer'))]);
  const before = await Promise.all([script.client('ID'), other.client('ID')]);
  expect(await Promise.all([script.eval(longScript, 1, `${settings.prefix}:runs`), other.ping()])).toEqual([1, 'PONG']);
  expect(await Promise.all([script.client('ID'), other.client('ID')])).toEqual(before);
});

onRedis('a connection that has its answer a little later than the one that asks in between is kept', async () => {
  const client = await clientOf(openQueue());
  const before = await client.client('ID');
  network.forget();
  const answer = client.ping();
  await network.heard('PONG');
  network.remember();
  expect(await answer).toBe('PONG');
  expect(await client.client('ID')).toBe(before);
});

onRedis('time in which this process did not run counts for no connection', async () => {
  const client = await clientOf(openQueue());
  const before = await client.client('ID');
  const answer = client.ping();
  const untilMs = performance.now() + 2 * silentMs;
  while (performance.now() < untilMs);
  expect(await answer).toBe('PONG');
  expect(await client.client('ID')).toBe(before);
});

onPostgres('queues in PostgreSQL', () => {
  beforeEach(async () => {
    await network?.close();
    database = await createTestDatabase();
    network = await startNetwork(database.url);
    settings = { url: network.url, prefix: 'lost' };
  });

  // A connection that was forgotten while it was being set up would keep its queue, and the server, for long.
  afterEach(() => network.cut());

  test.each<[Role]>([['producer'], ['consumer']])(
    'commands of a %s on connections that lead nowhere fail, and the next one has an answer',
    async (role) => {
      const queue = openQueue(role);
      await queue.getJobCounts('waiting');
      network.forget();
      // The number of connections that the worker may open.
      const asked = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => queue.getJobCounts('waiting')));
      expect(asked.map(({ status }) => status)).toContain('rejected');
      expect(await queue.getJobCounts('waiting')).toEqual({ waiting: 0 });
    },
  );

  test('a worker whose connections are dead takes jobs again, and can be closed', async () => {
    const { worker, next, errors } = openWorker({ silentMs });
    await worker.waitUntilReady();
    const first = next();
    await openQueue().add('first', {});
    await first;
    network.forget();
    const second = next();
    await openQueue().add('second', {});
    expect(await second).toBe('second');
    expect(errors.map(({ message }) => message)).toContain('Connection terminated unexpectedly');
    await worker.close();
  });

  test('a worker whose connection is forgotten while it subscribes takes jobs nevertheless', async () => {
    const forgotten = network.forgetWhoSays('LISTEN');
    const { next } = openWorker({ silentMs });
    await forgotten;
    const job = next();
    await openQueue().add('one', {});
    expect(await job).toBe('one');
  });
});
