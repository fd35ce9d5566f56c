import { createConsumer, newId, type Consumer } from '@tieout/infra';
import { createTestService, queueDrained, type TestService } from '@tieout/testing';
import { createMaintenanceHandlers, inMaintenanceTurns, jobCatalog, maintenanceAtOnce } from '..';

let service: TestService;
const consumers: Consumer[] = [];

beforeAll(async () => {
  service = await createTestService();
});

afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.close()));
});

afterAll(() => service.close());

/** What began, in order, and how many clean-ups there were at most at a time: of all, and of one tenant. */
interface Seen {
  names: string[];
  most: number;
  mostOfTenant: number;
}

/** Runs what waits in the queue. What has the name does not go on before `until` allows it. */
async function serve(until: Promise<void>, onBegin: (name: string) => void = () => undefined, held = 'matching.cleanup'): Promise<Seen> {
  const { deps, queueSettings: settings } = service;
  const handlers = createMaintenanceHandlers(deps, { keyIds: [] });
  const seen: Seen = { names: [], most: 0, mostOfTenant: 0 };
  const inHand: string[] = [];
  const begin = async (name: string): Promise<void> => {
    seen.names.push(name);
    onBegin(name);
    if (name === held) await until;
  };
  const watched: typeof handlers = {
    'matching.cleanup': async (payload) => {
      inHand.push(payload.tenantId);
      seen.most = Math.max(seen.most, inHand.length);
      seen.mostOfTenant = Math.max(seen.mostOfTenant, inHand.filter((tenantId) => tenantId === payload.tenantId).length);
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
  const { logger } = deps;
  consumers.push(await createConsumer({ catalog: jobCatalog, queue: 'maintenance', settings, logger, concurrency: maintenanceAtOnce, ...inMaintenanceTurns(watched) }));
  return seen;
}

const enqueueCleanUps = (tenantIds: readonly string[], ofEach: number): Promise<void> =>
  service.deps.queue.enqueueMany('matching.cleanup', tenantIds.flatMap((tenantId) => Array.from({ length: ofEach }, () => ({ payload: { tenantId, jobId: newId() } }))));

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

test.each(['maintenance.retention', 'maintenance.sweep'] as const)('%s runs once at a time: another one that comes meanwhile takes no slot', async (name) => {
  const held = gate();
  const cleanedUp = gate();
  const seen = await serve(held.opened, (begun) => begun === 'matching.cleanup' && cleanedUp.open(), name);
  await service.deps.queue.enqueueMany(name, Array.from({ length: 2 * maintenanceAtOnce }, () => ({ payload: {} })));
  await enqueueCleanUps([newId()], 1);
  await cleanedUp.opened;
  held.open();
  await queueDrained(service.queueSettings, 'maintenance');
  expect(seen.names).toEqual([name, 'matching.cleanup']);
});
