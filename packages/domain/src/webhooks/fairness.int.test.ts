import { createCipher, createConsumer, type Consumer, type Queries } from '@tieout/infra';
import { behaviours, testSecretsKey } from '@tieout/testing';
import { enqueueDeliveries, wakeDeliveries } from '../events';
import { jobCatalog } from '../kernel/jobs';
import { useDeliveryBench } from '../../testing/delivery-bench';
import { claimAttempts } from './claim';
import { createDeliveryHandlers, type Deliverer } from './deliverer';
import { listDeliveries, type DeliveryFilter } from './deliveries';
import { defaultDeliveryPolicy } from './retry-schedule';

const { answer } = behaviours;

const bench = useDeliveryBench({ firstTimeoutMs: 20_000 });
let consumer: Consumer | undefined;

afterEach(async () => {
  await consumer?.close();
  consumer = undefined;
});

/** Runs the jobs of the queue, `maxConcurrent` tenants at a time. */
async function startWorker(
  maxConcurrent: number,
  deliverer: Pick<Deliverer, 'deliverDue'> = bench.deliverer,
): Promise<void> {
  const { service } = bench;
  const { db, queue, logger } = service.deps;
  consumer = await createConsumer({
    catalog: jobCatalog,
    queue: 'webhook-delivery',
    settings: service.queueSettings,
    logger,
    concurrency: maxConcurrent,
    handlers: createDeliveryHandlers(deliverer),
    onDone: (_name, payload) => wakeDeliveries({ ...(payload as { tenantId: string }), db: db.system, queue }),
  });
}

test('while 2,000 events of a tenant wait for a receiver that hangs, another tenant’s 100 arrive', async () => {
  const [stuck, other] = [await bench.newSubscriber(), await bench.newSubscriber()];
  bench.receiver.on(stuck.path, behaviours.hang());
  await stuck.insertMany(2_000);
  await startWorker(1);
  await enqueueDeliveries(bench.service.deps.queue, [stuck.scope.tenantId]);
  await bench.receiver.received(5, stuck.path);
  await other.emitMany(100);
  await wakeDeliveries(other.scope);
  await bench.receiver.received(100, other.path);
  expect(bench.receiver.requests(stuck.path).length).toBe(5);
  await stuck.remove();
  await bench.receiver.stop();
  await bench.receiver.restart();
});

test('tenants with the maximum in flight hold no job; the end of an attempt enqueues the next one', async () => {
  const { queue } = bench.service.deps;
  const stuck = await Promise.all(Array.from({ length: 8 }, () => bench.newSubscriber()));
  const held: (() => void)[] = [];
  for (const { path, insertMany } of stuck) {
    bench.receiver.on(path, (exchange) => void held.push(() => answer()(exchange)));
    await insertMany(10);
  }
  await startWorker(2);
  await enqueueDeliveries(
    queue,
    stuck.map(({ scope }) => scope.tenantId),
  );
  for (const { path } of stuck) await bench.receiver.received(5, path);
  const openJobs = async (): Promise<number> =>
    (await Promise.all(stuck.map(({ scope }) => queue.stateOf('webhook.deliver', `deliver-${scope.tenantId}`)))).filter(
      (state) => state !== 'absent',
    ).length;
  while ((await openJobs()) > 0);
  for (const finish of held.splice(0)) finish();
  for (const { path } of stuck) await bench.receiver.received(10, path);
  for (const finish of held) finish();
});

test('a job that fails, as all do while the database is away, does not block its tenant', async () => {
  const { queue } = bench.service.deps;
  const { scope, path, emit } = await bench.newSubscriber();
  let failed = 0;
  await startWorker(1, {
    deliverDue: (tenantId) =>
      failed < 5 ? Promise.reject(new Error(`failure ${++failed}`)) : bench.deliverer.deliverDue(tenantId),
  });
  await emit();
  for (let job = 1; job <= 6; job++) {
    await wakeDeliveries(scope);
    while (
      (await queue.stateOf('webhook.deliver', `deliver-${scope.tenantId}`)) !== 'absent' ||
      failed < Math.min(job, 5)
    );
  }
  await bench.receiver.received(1, path);
});

test('a delivery that becomes due while a job of its tenant ends is not lost', async () => {
  const subscriber = await bench.newSubscriber();
  await startWorker(4);
  for (let i = 1; i <= 40; i++) {
    await subscriber.emit();
    await wakeDeliveries(subscriber.scope);
    // The next delivery follows as soon as the job before has nothing left to do.
    await bench.receiver.received(i, subscriber.path);
  }
});

/** Runs statements, and adds how many pages each one reads to `pages`. */
function countingPages(db: Queries, pages: number[]): Queries {
  return {
    query: async (sql, parameters) => {
      const [row] = await bench.service.deps.db.system.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `explain (analyze, buffers, format json) ${sql}`,
        parameters,
      );
      const { 'Shared Hit Blocks': hit = NaN, 'Shared Read Blocks': read = NaN } = row?.['QUERY PLAN'][0].Plan ?? {};
      pages.push(hit + read);
      return db.query(sql, parameters);
    },
    execute: db.execute,
  };
}

test.each([1_000, 50_000])(
  'a claim reads a few pages while %i deliveries wait, whatever the statistics say',
  async (count) => {
    const subscriber = await bench.newSubscriber();
    await subscriber.insertMany(count);
    const { prepared, system } = bench.service.deps.db;
    const pages: number[] = [];
    const { keyIds } = createCipher(testSecretsKey);
    const claim = () =>
      claimAttempts(
        countingPages({ ...prepared, query: () => Promise.resolve([]) }, pages),
        subscriber.scope.tenantId,
        { policy: defaultDeliveryPolicy, keyIds, finished: [], at: null },
      );
    await claim();
    await system.execute('analyze webhooks, webhook_deliveries, events');
    await claim();
    expect(Math.min(...pages)).toBeGreaterThan(0);
    expect(Math.max(...pages)).toBeLessThan(250);
  },
);

test.each<[string, DeliveryFilter, number]>([
  ['few of many', { status: 'abandoned' }, 3],
  ['few of an event', { status: 'abandoned', event: 'ITEM_UPDATED' }, 3],
  ['none', { status: 'cancelled' }, 0],
])('a list of %s reads a few pages, its total included', async (_what, filter, total) => {
  const { scope, webhookId, insertMany } = await bench.newSubscriber();
  await insertMany(5_000);
  await scope.db.execute(
    `update webhook_deliveries set status = 'delivered', next_attempt_at = null where tenant_id = $1::uuid`,
    [scope.tenantId],
  );
  await scope.db.execute(
    `update webhook_deliveries set status = 'abandoned' where tenant_id = $1::uuid and id = any(array(
       select id from webhook_deliveries where tenant_id = $1::uuid limit 3))`,
    [scope.tenantId],
  );
  await bench.service.deps.db.system.execute('analyze webhook_deliveries');
  const pages: number[] = [];
  const list = await listDeliveries(
    { ...scope, db: { ...scope.db, orm: scope.db.orm, ...countingPages(scope.db, pages) } },
    webhookId,
    filter,
    { page: 1, limit: 25 },
  );
  expect([list.items.length, list.total]).toEqual([total, total]);
  expect(Math.max(...pages)).toBeLessThan(50);
});
