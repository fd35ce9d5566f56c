import { createConsumer, createLogger, createProducer, defineJobs, type Consumer } from '@tieout/infra';
import { hasRedis } from './support/redis';
import { startRedisCluster, type OwnCluster } from './support/redis-cluster';

const onCluster = hasRedis() ? describe : describe.skip;
const logger = createLogger('test', 'silent');
const names = ['ingest', 'matching', 'items', 'webhooks', 'maintenance', 'other'];

type Catalog = Parameters<typeof defineJobs>[0];
const payload = { type: 'object' } as unknown as Catalog[string]['payload'];
const catalog = defineJobs<Catalog>(
  Object.fromEntries(names.map((queue) => [queue, { queue, payload, attempts: 5, backoffMs: 50 }])),
);

onCluster('queues in a Redis Cluster', () => {
  let cluster: OwnCluster;
  let prefix: string;
  /** Counts the prefixes. From 2 on, each spreads the queues over all three nodes. */
  let tests = 1;
  const opened: { close(waitMs?: number): Promise<unknown> }[] = [];

  beforeAll(async () => {
    cluster = await startRedisCluster();
  });

  beforeEach(() => {
    prefix = `test${(tests += 1)}`;
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });

  afterAll(() => cluster?.close());

  const settings = () => ({ url: cluster.url, prefix });
  const producer = () => {
    const made = createProducer(catalog, settings(), logger);
    opened.push(made);
    return made;
  };

  /** Consumes a queue; `all` resolves with the ids of its jobs, once that many different ones were handled. */
  async function consume(queue: string) {
    const seen = new Set<number>();
    let check = (): void => undefined;
    const consumer: Consumer = await createConsumer({
      catalog,
      queue,
      settings: settings(),
      logger,
      concurrency: 4,
      handlers: Object.fromEntries(
        names.map((name) => [
          name,
          (job: unknown) => {
            const { id } = job as { id: number };
            seen.add(id);
            check();
            return Promise.resolve();
          },
        ]),
      ),
    });
    opened.push(consumer);
    const all = (count: number): Promise<number[]> =>
      new Promise((resolve) => {
        check = () => seen.size === count && resolve([...seen].sort((a, b) => a - b));
        check();
      });
    return { all };
  }

  const ids = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
  const keyOf = (queue: string): string => `{${prefix}-${queue}}:${queue}:wait`;

  test('are spread over its nodes, and hand out every job', async () => {
    const sending = producer();
    for (const name of names)
      await sending.enqueueMany(
        name,
        ids(20).map((id) => ({ payload: { id } })),
      );
    expect((await sending.depths()).map(({ queue, jobs }) => [queue, jobs['waiting']])).toEqual(
      names.map((name) => [name, 20]),
    );
    expect(new Set(names.map((name) => cluster.nodeOf(keyOf(name)).url)).size).toBeGreaterThan(1);
    for (const name of names) expect(await (await consume(name)).all(20)).toEqual(ids(20));
  });

  test('go on while slots move to another node', async () => {
    const sending = producer();
    const work = await consume('matching');
    const from = cluster.nodeOf(keyOf('matching'));
    const to = cluster.nodes.find((node) => node !== from) as OwnCluster['nodes'][number];
    await sending.enqueueMany(
      'matching',
      ids(500).map((id) => ({ payload: { id } })),
    );
    cluster.moveSlots(from, to);
    expect(cluster.nodeOf(keyOf('matching'))).toBe(to);
    await sending.enqueue('matching', { id: 500 });
    expect(await work.all(501)).toEqual(ids(501));
  });

  test('of a node that is killed wait until it is back, and those of the others go on', async () => {
    const sending = producer();
    const [first] = names as [string];
    const node = cluster.nodeOf(keyOf(first));
    const other = names.find((name) => cluster.nodeOf(keyOf(name)) !== node) as string;
    const otherWork = await consume(other);
    cluster.keepAtOnce(node);
    await sending.enqueue(first, { id: 0 });
    await node.stop();
    await expect(sending.enqueue(first, { id: 1 })).rejects.toThrow();
    await sending.enqueue(other, { id: 7 });
    expect(await otherWork.all(1)).toEqual([7]);
    await node.start();
    const work = await consume(first);
    expect(await work.all(1)).toEqual([0]);
    await sending.enqueue(first, { id: 2 });
    expect(await work.all(2)).toEqual([0, 2]);
  });
});
