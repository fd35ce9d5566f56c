import { createConsumer, newId, queueClasses, type Consumer } from '@tieout/infra';
import { createTestService, queueDrained, type TestService } from '@tieout/testing';
import { createInquiryHandlers, jobCatalog, tenantScope, type createMatchingHandlers, type TenantScope } from '../src';

type Handlers = ReturnType<typeof createMatchingHandlers>;
type ConsumerOptions = Partial<Pick<Parameters<typeof createConsumer>[0], 'concurrency' | 'deferMs'>>;

/** A service that runs the steps of jobs through the queue. */
export interface MatchingBench {
  service: TestService;
  newTenant(): Promise<TenantScope>;
  /** Runs the jobs of the queue, and the jobs that they enqueue, until it is empty; by default two at a time. */
  runQueue(handlers: Handlers, options?: ConsumerOptions): Promise<void>;
  /** Empties a queue, by default the matching queue. */
  emptyQueue(name?: string): Promise<void>;
}

/** Creates a dataset of ready records whose `a` is 1, 2 and so on; returns its id. */
export async function numberedDataset({ tenantId, db }: TenantScope, name: string, count: number): Promise<string> {
  const id = newId();
  await db.execute(`insert into datasets (id, tenant_id, name, kind) values ($1::uuid, $2::uuid, $3, 'records')`, [
    id,
    tenantId,
    name,
  ]);
  await db.execute(
    `insert into records (id, tenant_id, dataset_id, data, fields, status)
     select gen_random_uuid(), $1::uuid, $2::uuid, jsonb_build_object('a', a), '{}', 'ready'
       from generate_series(1, $3::int) a`,
    [tenantId, id, count],
  );
  return id;
}

/** Sets up a bench for a test file, whose queue is emptied after each test. */
export function useMatchingBench(): MatchingBench {
  let consumer: Consumer | undefined;
  const openQueue = (name: string) => queueClasses(bench.service.queueSettings, { role: 'producer' }).openQueue(name);
  const bench = {
    newTenant: async () => {
      const tenantId = newId();
      await bench.service.deps.db.system.execute('insert into tenants (id, name) values ($1::uuid, $2)', [
        tenantId,
        'Acme',
      ]);
      return tenantScope(bench.service.deps, tenantId);
    },
    runQueue: async (handlers, options) => {
      const {
        queueSettings: settings,
        deps: { logger },
      } = bench.service;
      consumer = await createConsumer({
        catalog: jobCatalog,
        queue: 'matching',
        settings,
        logger,
        concurrency: 2,
        ...options,
        handlers: {
          ...handlers,
          ...createInquiryHandlers(bench.service.deps),
        },
      });
      await queueDrained(settings, 'matching');
    },
    emptyQueue: async (name = 'matching') => {
      const queue = openQueue(name);
      await queue.waitUntilReady();
      await queue.drain(true);
      await queue.close();
    },
  } as MatchingBench;
  beforeAll(async () => {
    bench.service = await createTestService();
  });
  afterAll(() => bench.service.close());
  afterEach(async () => {
    await consumer?.close();
    consumer = undefined;
    const queue = openQueue('matching');
    await queue.waitUntilReady();
    await queue.obliterate({ force: true });
    await queue.close();
  });
  return bench;
}
