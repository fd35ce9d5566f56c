import { createConsumer, createDb, newId, type Consumer, type Db } from '@tieout/infra';
import { createTestService, lockWaiters, queueDrained, type TestService } from '@tieout/testing';
import { createMaintenanceHandlers, withMaintenancePermit, jobCatalog, maxConcurrentMaintenance } from '..';
import { defaultRetention } from '../kernel/retention';
import { holdLock, type LockHolder } from '../../testing/lock-holder';

let service: TestService;
const consumers: Consumer[] = [];
const others: Db[] = [];

beforeAll(async () => {
  service = await createTestService();
});

afterEach(async () => {
  await Promise.all([...consumers.splice(0), ...others.splice(0)].map((opened) => opened.close()));
});

afterAll(() => service.close());

/** Jobs in the order of their start, and the max number of concurrent clean-ups: of all tenants, and of one. */
interface Observed {
  names: string[];
  maxConcurrent: number;
  maxConcurrentOfTenant: number;
}

/** Serves the queue. Clean-ups wait for `until`; a hung session is ended as soon as it blocks another one. */
async function serve(until: Promise<void>, onBegin: (name: string) => void = () => undefined): Promise<Observed> {
  const handlers = createMaintenanceHandlers(service.deps, { keyIds: [] }, defaultRetention, 0);
  const observed: Observed = { names: [], maxConcurrent: 0, maxConcurrentOfTenant: 0 };
  const running: string[] = [];
  const begin = async (name: string): Promise<void> => {
    observed.names.push(name);
    onBegin(name);
    if (name === 'matching.cleanup') await until;
  };
  const watched: typeof handlers = {
    ...handlers,
    'matching.cleanup': async (payload) => {
      running.push(payload.tenantId);
      observed.maxConcurrent = Math.max(observed.maxConcurrent, running.length);
      observed.maxConcurrentOfTenant = Math.max(
        observed.maxConcurrentOfTenant,
        running.filter((tenantId) => tenantId === payload.tenantId).length,
      );
      await begin('matching.cleanup');
      await handlers['matching.cleanup'](payload);
      running.splice(running.indexOf(payload.tenantId), 1);
    },
    'maintenance.sweep': async () => {
      await begin('maintenance.sweep');
      await handlers['maintenance.sweep']();
    },
    'maintenance.retention': async () => {
      await begin('maintenance.retention');
      await handlers['maintenance.retention']();
    },
  };
  const { deps, queueSettings: settings } = service;
  consumers.push(
    await createConsumer({
      catalog: jobCatalog,
      queue: 'maintenance',
      settings,
      logger: deps.logger,
      concurrency: maxConcurrentMaintenance,
      ...withMaintenancePermit(watched),
    }),
  );
  return observed;
}

const enqueueCleanUps = (tenantIds: readonly string[], ofEach: number): Promise<void> =>
  service.deps.queue.enqueueMany(
    'matching.cleanup',
    tenantIds.flatMap((tenantId) => Array.from({ length: ofEach }, () => ({ payload: { tenantId, jobId: newId() } }))),
  );

function latch() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

test('a sweep runs while clean-ups of many tenants take long, and many more wait before it', async () => {
  await enqueueCleanUps(Array.from({ length: 6 }, newId), 4);
  const held = latch();
  const swept = latch();
  const observed = await serve(held.opened, (name) => name === 'maintenance.sweep' && swept.open());
  await service.deps.queue.enqueue('maintenance.sweep', {});
  await swept.opened;
  expect(observed.maxConcurrent).toBeLessThanOrEqual(2);
  held.open();
  await queueDrained(service.queueSettings, 'maintenance');
  expect(observed.names.filter((name) => name === 'matching.cleanup')).toHaveLength(24);
});

test('a tenant has one clean-up at a time', async () => {
  await enqueueCleanUps([newId()], 5);
  const observed = await serve(Promise.resolve());
  await queueDrained(service.queueSettings, 'maintenance');
  expect(observed).toMatchObject({
    maxConcurrentOfTenant: 1,
    names: Array.from({ length: 5 }, () => 'matching.cleanup'),
  });
});

/** Locks a table in another process. */
function hold(table: string, applicationName: string): Promise<LockHolder> {
  const db = createDb({ url: service.database.url, poolSize: 1, applicationName, logger: service.deps.logger });
  others.push(db);
  return holdLock(db, `lock table ${table}`);
}

test.each([
  ['maintenance.retention', 'idempotency_keys'],
  ['maintenance.sweep', 'records'],
] as const)('%s runs once at a time: another one occupies no slot meanwhile', async (name, table) => {
  const cleanedUp = latch();
  const holder = await hold(table, 'another process');
  const observed = await serve(Promise.resolve(), (begun) => begun === 'matching.cleanup' && cleanedUp.open());
  await service.deps.queue.enqueueMany(
    name,
    Array.from({ length: 2 * maxConcurrentMaintenance }, () => ({ payload: {} })),
  );
  await enqueueCleanUps([newId()], 1);
  await cleanedUp.opened;
  await lockWaiters(service.deps.db.system, 1);
  holder.end();
  expect(await holder.over).toBe('committed');
  await queueDrained(service.queueSettings, 'maintenance');
  expect(observed.names.filter((begun) => begun === 'matching.cleanup')).toHaveLength(1);
});

test('a sweep that waits for a hung process is freed by the next sweep', async () => {
  const hung = await hold('records', 'tieout test');
  await serve(Promise.resolve());
  await service.deps.queue.enqueue('maintenance.sweep', {});
  await lockWaiters(service.deps.db.system, 1);
  await service.deps.queue.enqueue('maintenance.sweep', {});
  await queueDrained(service.queueSettings, 'maintenance');
  hung.end();
  expect(await hung.over).toBe('ended');
});
