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

/** Runs what waits in the queue. No clean-up ends before `until` allows it. */
async function serve(until: Promise<void>, onBegin: (name: string) => void = () => undefined): Promise<Seen> {
  const { deps, queueSettings: settings } = service;
  const handlers = createMaintenanceHandlers(deps, { keyIds: [] });
  const seen: Seen = { names: [], most: 0, mostOfTenant: 0 };
  const inHand: string[] = [];
  const begin = (name: string): void => {
    seen.names.push(name);
    onBegin(name);
  };
  const watched: typeof handlers = {
    'matching.cleanup': async (payload) => {
      inHand.push(payload.tenantId);
      seen.most = Math.max(seen.most, inHand.length);
      seen.mostOfTenant = Math.max(seen.mostOfTenant, inHand.filter((tenantId) => tenantId === payload.tenantId).length);
      begin('matching.cleanup');
      await until;
      await handlers['matching.cleanup'](payload);
      inHand.splice(inHand.indexOf(payload.tenantId), 1);
    },
    'maintenance.sweep': () => {
      begin('maintenance.sweep');
      return handlers['maintenance.sweep']();
    },
    'maintenance.retention': async () => {
      begin('maintenance.retention');
      await until;
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

test('what removes what is old runs once at a time: another one that comes meanwhile takes no slot', async () => {
  const held = gate();
  const swept = gate();
  const seen = await serve(held.opened, (name) => name === 'maintenance.sweep' && swept.open());
  await service.deps.queue.enqueueMany('maintenance.retention', Array.from({ length: 2 * maintenanceAtOnce }, () => ({ payload: {} })));
  await service.deps.queue.enqueue('maintenance.sweep', {});
  await swept.opened;
  held.open();
  await queueDrained(service.queueSettings, 'maintenance');
  expect(seen.names).toEqual(['maintenance.retention', 'maintenance.sweep']);
});
