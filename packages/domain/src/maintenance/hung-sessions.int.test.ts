import { createDb, type Db } from '@tieout/infra';
import { createTestService, lockWaiters, type TestService } from '@tieout/testing';
import { holdLock, type LockHolder } from '../testing/lock-holder';
import { endHungSessions } from './hung-sessions';

let service: TestService;
let processes: Db;
const lock = 'select pg_advisory_xact_lock(7)::text';

beforeAll(async () => {
  service = await createTestService();
  processes = createDb({ url: service.database.url, poolSize: 4, applicationName: 'tieout test', logger: service.deps.logger });
});

afterAll(async () => {
  await processes.close();
  await service.close();
});

const holder = (): Promise<LockHolder> => holdLock(processes, lock);

/** Begun at once, and not only when somebody asks for the answer. */
const waiter = (): Promise<number> => processes.system.query(lock).then((rows) => rows.length);

test('a process that hangs while another one waits for it loses its connection, and the other one goes on', async () => {
  const hung = await holder();
  const waiting = waiter();
  await lockWaiters(service.deps.db.system, 1);
  await endHungSessions(service.deps.db.system, service.deps.logger, 0);
  expect(await waiting).toBe(1);
  hung.end();
  expect(await hung.over).toBe('ended');
});

test('a process that others have waited for no longer than usual is left alone', async () => {
  const busy = await holder();
  const waiting = waiter();
  await lockWaiters(service.deps.db.system, 1);
  await endHungSessions(service.deps.db.system, service.deps.logger);
  busy.end();
  expect(await busy.over).toBe('committed');
  expect(await waiting).toBe(1);
});

test('a process that nobody waits for is left alone', async () => {
  const idle = await holder();
  await endHungSessions(service.deps.db.system, service.deps.logger, 0);
  idle.end();
  expect(await idle.over).toBe('committed');
});
