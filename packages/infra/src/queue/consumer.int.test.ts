import { Type } from '@sinclair/typebox';
import { createTestDatabase, testServers, type TestDatabase } from '@tieout/testing';
import { createLogger } from '../kernel/logger';
import { createMetricRegistry } from '../metrics';
import { defineJobs, type JobCatalog } from './catalog';
import { queueClasses, type QueueSettings } from './connection';
import { createConsumer, type Consumer, type ConsumerOptions } from './consumer';
import { createProducer, type Producer } from './producer';

const logger = createLogger('test', 'silent');
const options = { attempts: 1, backoffMs: 10 };

/** Two versions of a service that share a queue. */
const past = defineJobs({ known: { queue: 'work', payload: Type.Object({ id: Type.Integer() }), ...options } });
const future = defineJobs({
  known: {
    queue: 'work',
    payload: Type.Object({ id: Type.Integer(), note: Type.Optional(Type.String()) }),
    ...options,
  },
  added: { queue: 'work', payload: Type.Object({ id: Type.Integer() }), ...options },
});
const changed = defineJobs({ known: { queue: 'work', payload: Type.Object({ key: Type.String() }), ...options } });

let database: TestDatabase;
let settings: QueueSettings;
const opened: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  settings = { url: testServers().redisUrl ?? database.url, prefix: `{${database.name}}` };
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
  await withQueue((queue) => queue.obliterate({ force: true }));
});

afterAll(() => database.close());

function producer<C extends JobCatalog>(catalog: C): Producer<C> {
  const made = createProducer(catalog, settings, logger);
  opened.push(made);
  return made;
}

async function consumer<C extends JobCatalog>(
  catalog: C,
  handlers: ConsumerOptions<C, 'work'>['handlers'],
  more: Partial<ConsumerOptions<C, 'work'>> = {},
): Promise<Consumer> {
  const made = await createConsumer({ catalog, queue: 'work', settings, logger, concurrency: 2, handlers, ...more });
  opened.push(made);
  return made;
}

/** Resolves with the first payload that a handler gets. */
function taken<T>() {
  let handler = (_payload: T): Promise<void> => Promise.resolve();
  const payload = new Promise<T>((resolve) => {
    handler = (given) => Promise.resolve(resolve(given));
  });
  return { payload, handler };
}

/** A handler that never returns on its own. */
function hanging() {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ends: ((error: Error) => void)[] = [];
  const handler = (): Promise<void> => new Promise((_, reject) => (ends.push(reject), begin()));
  return { handler, begun, end: (error: Error) => ends.splice(0).forEach((reject) => reject(error)) };
}

type OpenQueue = ReturnType<ReturnType<typeof queueClasses>['openQueue']>;

async function withQueue<T>(use: (queue: OpenQueue) => Promise<T>): Promise<T> {
  const queue = queueClasses(settings, { role: 'producer' }).openQueue('work');
  try {
    await queue.waitUntilReady();
    return await use(queue);
  } finally {
    await queue.close();
  }
}

const jobOf = (jobId: string) =>
  withQueue(async (queue) => {
    const job = await queue.getJob(jobId);
    return job && { state: await job.getState(), attemptsMade: job.attemptsMade, attemptsStarted: job.attemptsStarted };
  });

/** Less than a lock lasts: a job that arrives within it has not waited for a lock to expire. */
const beforeLocksExpire = 9_000;

test(
  'a job that is interrupted because its consumer closes runs in another one at once, and uses up no attempt',
  async () => {
    const work = hanging();
    const first = await consumer(
      past,
      { known: work.handler },
      { interrupt: () => Promise.resolve(work.end(new Error('stopped'))) },
    );
    await producer(past).enqueue('known', { id: 1 }, { jobId: 'job' });
    await work.begun;
    await first.close(0);
    expect(await jobOf('job')).toMatchObject({ state: 'waiting', attemptsMade: 0 });
    const second = taken<{ id: number }>();
    await consumer(past, { known: second.handler });
    expect(await second.payload).toEqual({ id: 1 });
  },
  beforeLocksExpire,
);

test(
  'a job whose work does not end when it is interrupted is handed back nevertheless',
  async () => {
    const work = hanging();
    const first = await consumer(past, { known: work.handler });
    await producer(past).enqueue('known', { id: 1 }, { jobId: 'job' });
    await work.begun;
    await first.close(0);
    expect(await jobOf('job')).toMatchObject({ state: 'waiting', attemptsMade: 0 });
  },
  beforeLocksExpire,
);

test('a job that ends while its consumer closes is done, and a waiting one is left to others', async () => {
  let end = (): void => undefined;
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const first = await consumer(
    past,
    { known: () => new Promise<void>((resolve) => ((end = resolve), begin())) },
    { concurrency: 1 },
  );
  const jobs = producer(past);
  await jobs.enqueue('known', { id: 1 }, { jobId: 'first' });
  await begun;
  await jobs.enqueue('known', { id: 2 }, { jobId: 'second' });
  const closed = first.close();
  end();
  await closed;
  expect([await jobOf('first'), await jobOf('second')]).toMatchObject([
    undefined,
    { state: 'waiting', attemptsStarted: 0 },
  ]);
});

test('a job that fails while its consumer closes, before it is interrupted, has failed', async () => {
  const work = hanging();
  const first = await consumer(past, { known: work.handler });
  await producer(past).enqueue('known', { id: 1 }, { jobId: 'job' });
  await work.begun;
  const closed = first.close();
  work.end(new Error('its own fault'));
  await closed;
  expect(await jobOf('job')).toMatchObject({ state: 'failed', attemptsMade: 1 });
});

test.each([
  ['a name', (jobs: Producer<typeof future>) => jobs.enqueue('added', { id: 1 }, { jobId: 'job' })],
  ['a payload', () => producer(changed).enqueue('known', { key: 'a' }, { jobId: 'job' })],
])(
  'a job with %s that this version cannot read waits, for longer each time, without using up an attempt',
  async (_what, enqueue) => {
    await consumer(past, { known: () => Promise.reject(new Error('not for this version')) });
    await enqueue(producer(future));
    let started = 0;
    while (started < 3) {
      started = (await jobOf('job'))?.attemptsStarted ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await jobOf('job')).toMatchObject({ attemptsMade: 0 });
  },
);

test('a job that only the newer version can read is done by it, however often the older one takes it', async () => {
  await consumer(past, { known: () => Promise.resolve() });
  const jobs = producer(future);
  for (let id = 0; id < 3; id++) await jobs.enqueue('added', { id }, { jobId: `job${id}` });
  const ids = new Set<number>();
  await new Promise<void>((resolve, reject) => {
    const added = ({ id }: { id: number }): Promise<void> =>
      Promise.resolve(void (ids.add(id).size === 3 && resolve()));
    consumer(future, { known: () => Promise.resolve(), added }).catch(reject);
  });
  expect(ids.size).toBe(3);
});

test('an older version does a job whose payload has gained keys', async () => {
  const old = taken<{ id: number }>();
  await consumer(past, { known: old.handler });
  await producer(future).enqueue('known', { id: 1, note: 'new' });
  expect(await old.payload).toMatchObject({ id: 1 });
});

test('a newer version does a job whose payload lacks the keys that it has gained', async () => {
  const recent = taken<{ id: number }>();
  await consumer(future, { known: recent.handler, added: () => Promise.resolve() });
  await producer(past).enqueue('known', { id: 1 });
  expect(await recent.payload).toEqual({ id: 1 });
});

test.each(['its handler', 'its delay', 'its priority'])(
  'a job waits for an unavailable database that %s needs, however often, and uses up no attempt',
  async (asked) => {
    const patient = defineJobs({
      known: { queue: 'work', payload: Type.Object({ id: Type.Integer() }), attempts: 2, backoffMs: 10 },
    });
    const { payload, handler } = taken<{ id: number }>();
    let away = 4;
    const unlessAway = (what: string): Promise<void> =>
      what === asked && away-- > 0
        ? Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))
        : Promise.resolve();
    await consumer(
      patient,
      { known: async (given) => (await unlessAway('its handler'), handler(given)) },
      {
        deferMs: async () => (await unlessAway('its delay'), 0),
        priorityOf: async (_payload, _name, priority) => (await unlessAway('its priority'), priority),
      },
    );
    await producer(patient).enqueue('known', { id: 7 }, { priority: 1 });
    expect(await payload).toEqual({ id: 7 });
    expect(away).toBe(-1);
  },
);

test('a job goes back once with the priority that it is given, and uses up no attempt', async () => {
  const made = producer(past);
  await made.enqueueMany(
    'known',
    [1, 2, 3].map((id) => ({ payload: { id }, priority: id, jobId: `job${id}` })),
  );
  const asked: unknown[] = [];
  const begun: number[] = [];
  let attempts: unknown;
  await new Promise<void>((resolve, reject) => {
    const known = async ({ id }: { id: number }): Promise<void> => {
      if (id === 1) attempts = await jobOf('job1');
      if (begun.push(id) === 3) resolve();
    };
    const priorityOf = (payload: unknown, name: string, priority: number): Promise<number> =>
      Promise.resolve((asked.push([name, payload, priority]), priority === 1 ? 3 : priority));
    consumer(past, { known }, { concurrency: 1, priorityOf }).catch(reject);
  });
  expect(begun).toEqual([2, 1, 3]);
  expect(asked).toEqual([
    ['known', { id: 1 }, 1],
    ['known', { id: 2 }, 2],
    ['known', { id: 3 }, 3],
  ]);
  expect(attempts).toMatchObject({ state: 'active', attemptsMade: 0, attemptsStarted: 2 });
});

test('a job that is sent back for another tenant is counted', async () => {
  const registry = createMetricRegistry({ app: 'test', logger });
  const { payload, handler } = taken<{ id: number }>();
  const waits = [1, 0];
  await consumer(past, { known: handler }, { deferMs: () => Promise.resolve(waits.shift() ?? 0) });
  await producer(past).enqueue('known', { id: 1 });
  await payload;
  expect(await registry.text()).toMatch(/^tieout_queue_jobs_sent_back_total\{.*queue="work",reason="turn".*\} 1$/m);
});

test('the queue head is the lowest waiting priority', async () => {
  const made = producer(past);
  expect(await made.headPriority('known')).toBeUndefined();
  await made.enqueueMany('known', [
    { payload: { id: 1 } },
    { payload: { id: 2 }, priority: 9 },
    { payload: { id: 3 }, priority: 4 },
  ]);
  expect(await made.headPriority('known')).toBe(4);
});

/** Leaves a job that has failed for good. */
async function fail(made: Producer<typeof past>, jobId: string): Promise<void> {
  const failed = taken<void>();
  const working = await consumer(
    past,
    { known: () => Promise.reject(new Error('for good')) },
    { onExhausted: () => failed.handler() },
  );
  await made.enqueue('known', { id: 1 }, { jobId });
  await failed.payload;
  await working.close();
}

test('a job that was enqueued for one attempt of several has not failed for good after it and is removed', async () => {
  const catalog = defineJobs({
    known: { queue: 'work', payload: Type.Object({ id: Type.Integer() }), attempts: 3, backoffMs: 10 },
  });
  const exhausted: unknown[] = [];
  const attempted = taken<{ id: number }>();
  const working = await consumer(
    catalog,
    { known: async (payload) => (await attempted.handler(payload), Promise.reject(new Error('a fault'))) },
    {
      onExhausted: (_name, payload) => Promise.resolve(void exhausted.push(payload)),
    },
  );
  const made = producer(catalog);
  await made.enqueue('known', { id: 1 }, { jobId: 'one', once: true });
  await attempted.payload;
  await working.close();
  expect([exhausted, await made.stateOf('known', 'one')]).toEqual([[], 'absent']);
});

test('a scheduled job that fails has failed for good, and is counted', async () => {
  const registry = createMetricRegistry({ app: 'test', logger });
  await producer(past).schedule('known', { id: 1 }, 60_000);
  const failed = taken<unknown>();
  await consumer(
    past,
    { known: () => Promise.reject(new Error('a fault')) },
    { onExhausted: (_name, payload) => failed.handler(payload) },
  );
  expect(await failed.payload).toEqual({ id: 1 });
  expect(await registry.text()).toMatch(/^tieout_queue_jobs_failed_total\{.*queue_job="known".*\} 1$/m);
});

test('jobs that have failed for good are removed once they are older than asked for, and no others', async () => {
  const made = producer(past);
  await fail(made, 'one');
  await made.enqueue('known', { id: 2 }, { jobId: 'two' });
  await made.removeFailed(60_000);
  expect(await made.stateOf('known', 'one')).toBe('failed');
  await made.removeFailed(0);
  expect([await made.stateOf('known', 'one'), await made.stateOf('known', 'two')]).toEqual(['absent', 'waiting']);
});

test('a paused queue reports it, and its waiting jobs are waiting and pending as in any other', async () => {
  const made = producer(past);
  await made.enqueue('known', { id: 1 }, { jobId: 'one' });
  const seen = async () => ({ depths: await made.depths(), pending: [...(await made.pendingIds('known'))] });
  const waits = { queue: 'work', jobs: { waiting: 1, active: 0 } };
  expect(await seen()).toMatchObject({ depths: [{ ...waits, paused: false }], pending: ['one'] });
  await withQueue((queue) => queue.pause());
  expect(await seen()).toMatchObject({ depths: [{ ...waits, paused: true }], pending: ['one'] });
  await withQueue((queue) => queue.resume());
});

test('pending are waiting jobs, with a priority or without, running and delayed ones, and no failed ones', async () => {
  const made = producer(past);
  await fail(made, 'one');
  await made.enqueue('known', { id: 2 }, { jobId: 'two' });
  const inHand = taken<{ id: number }>();
  let done = (): void => undefined;
  const held = new Promise<void>((resolve) => (done = resolve));
  const working = await consumer(past, { known: async (payload) => (await inHand.handler(payload), held) });
  await inHand.payload;
  await withQueue((queue) => queue.pause());
  await made.enqueueMany('known', [
    { payload: { id: 3 }, jobId: 'three' },
    { payload: { id: 4 }, jobId: 'four', priority: 5 },
    { payload: { id: 5 }, jobId: 'five', delayMs: 60_000 },
  ]);
  expect([...(await made.pendingIds('known'))].sort()).toEqual(['five', 'four', 'three', 'two']);
  done();
  await working.close();
  await withQueue((queue) => queue.resume());
});
