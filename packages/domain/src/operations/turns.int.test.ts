import { createConsumer, createDb, newId, type Consumer, type Db } from '@tieout/infra';
import { createTestService, lockWaiters, queueDrained, type TestService } from '@tieout/testing';
import { createMaintenanceHandlers, inMaintenanceTurns, jobCatalog, maintenanceAtOnce } from '..';
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

/** What began, in order, and how many clean-ups there were at most at a time: of all, and of one tenant. */
interface Seen {
  names: string[];
  most: number;
  mostOfTenant: number;
}

/** Runs what waits in the queue. Clean-ups do not go on before `until` allows it; what hangs is ended when somebody waits for it. */
async function serve(until: Promise<void>, onBegin: (name: string) => void = () => undefined): Promise<Seen> {
  const handlers = createMaintenanceHandlers(service.deps, { keyIds: [] }, defaultRetention, 0);
  const seen: Seen = { names: [], most: 0, mostOfTenant: 0 };
  const inHand: string[] = [];
  const begin = async (name: string): Promise<void> => {
    seen.names.push(name);
    onBegin(name);
    if (name === 'matching.cleanup') await until;
  };
  const watched: typeof handlers = {
    'matching.cleanup': async (payload) => {
      inHand.push(payload.tenantId);
      seen.most = Math.max(seen.most, inHand.length);
      seen.mostOfTenant = Math.max(
        seen.mostOfTenant,
        inHand.filter((tenantId) => tenantId === payload.tenantId).length,
      );
      await begin('matching.cleanup');
      await handlers['matching.cleanup'](payload);
      inHand.splice(inHand.indexOf(payload.tenantId), 1);
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
      concurrency: maintenanceAtOnce,
      ...inMaintenanceTurns(watched),
    }),
  );
  return seen;
}

const enqueueCleanUps = (tenantIds: readonly string[], ofEach: number): Promise<void> =>
  service.deps.queue.enqueueMany(
    'matching.cleanup',
    tenantIds.flatMap((tenantId) => Array.from({ length: ofEach }, () => ({ payload: { tenantId, jobId: newId() } }))),
  );

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

test('a sweep runs while clean-ups of many tenants take long, and many more wait in front of it', async () => {
  await enqueueCleanUps(Array.from({ length: 6 }, newId), 4);
  const held = gate();
  const swept = gate();
  const seen = await serve(held.opened, (name) => name === 'maintenance.sweep' && swept.open());
  await service.deps.queue.enqueue('maintenance.sweep', {});
  await swept.opened;
  expect(seen.most).toBeLessThanOrEqual(2);
  held.open();
  await queueDrained(service.queueSettings, 'maintenance');
  expect(seen.names.filter((name) => name === 'matching.cleanup')).toHaveLength(24);
});

test('a tenant has one clean-up at a time', async () => {
  await enqueueCleanUps([newId()], 5);
  const seen = await serve(Promise.resolve());
  await queueDrained(service.queueSettings, 'maintenance');
  expect(seen).toMatchObject({ mostOfTenant: 1, names: Array.from({ length: 5 }, () => 'matching.cleanup') });
});

/** Another process, which has locked a table. */
function hold(table: string, applicationName: string): Promise<LockHolder> {
  const db = createDb({ url: service.database.url, poolSize: 1, applicationName, logger: service.deps.logger });
  others.push(db);
  return holdLock(db, `lock table ${table}`);
}

test.each([
  ['maintenance.retention', 'idempotency_keys'],
  ['maintenance.sweep', 'records'],
] as const)('%s runs once at a time: another one that comes meanwhile takes no slot', async (name, table) => {
  const cleanedUp = gate();
  const holder = await hold(table, 'somebody else');
  const seen = await serve(Promise.resolve(), (begun) => begun === 'matching.cleanup' && cleanedUp.open());
  await service.deps.queue.enqueueMany(
    name,
    Array.from({ length: 2 * maintenanceAtOnce }, () => ({ payload: {} })),
  );
  await enqueueCleanUps([newId()], 1);
  await cleanedUp.opened;
  await lockWaiters(service.deps.db.system, 1);
  holder.end();
  expect(await holder.over).toBe('committed');
  await queueDrained(service.queueSettings, 'maintenance');
  expect(seen.names.filter((begun) => begun === 'matching.cleanup')).toHaveLength(1);
});

test('a sweep that waits for a process that hangs is freed by the next one', async () => {
  const hung = await hold('records', 'tieout test');
  await serve(Promise.resolve());
  await service.deps.queue.enqueue('maintenance.sweep', {});
  await lockWaiters(service.deps.db.system, 1);
  await service.deps.queue.enqueue('maintenance.sweep', {});
  await queueDrained(service.queueSettings, 'maintenance');
  hung.end();
  expect(await hung.over).toBe('ended');
});
