import { copyIn, createDb, newId, streamRows, type Db } from '@tieout/infra';
import { createTestService, lockWaiters, type TestService } from '@tieout/testing';
import { holdLock, type LockHolder } from '../../testing/lock-holder';
import { createHungSessionCheck } from './hung-sessions';

let service: TestService;
let processes: Db;
const lock = 'select pg_advisory_xact_lock(7)::text';

beforeAll(async () => {
  service = await createTestService();
  processes = createDb({
    url: service.database.url,
    poolSize: 4,
    applicationName: 'tieout test',
    logger: service.deps.logger,
  });
});

afterAll(async () => {
  await processes.close();
  await service.close();
});

const holder = (): Promise<LockHolder> => holdLock(processes, lock);

/** Starts a statement that waits for the lock. */
const waiter = (): Promise<number> => processes.system.query(lock).then((rows) => rows.length);

/** Runs the check `times` times. */
async function check(times: number, hungAfterSeconds?: number): Promise<void> {
  const checkOnce = createHungSessionCheck(service.deps.db.system, service.deps.logger, hungAfterSeconds);
  for (let i = 0; i < times; i++) await checkOnce();
}

test('a hung process that blocks another one loses its connection, and the other one continues', async () => {
  const hung = await holder();
  const waiting = waiter();
  await lockWaiters(service.deps.db.system, 1);
  await check(1, 0);
  expect(await waiting).toBe(1);
  hung.end();
  expect(await hung.over).toBe('ended');
});

test('a process that blocks others no longer than usual is left alone', async () => {
  const busy = await holder();
  const waiting = waiter();
  await lockWaiters(service.deps.db.system, 1);
  await check(2);
  busy.end();
  expect(await busy.over).toBe('committed');
  expect(await waiting).toBe(1);
});

test('a process that blocks no other is left alone', async () => {
  const idle = await holder();
  await check(1, 0);
  idle.end();
  expect(await idle.over).toBe('committed');
});

describe('in the middle of a COPY, a process that blocks others', () => {
  /** Holds the lock in a transaction and copies into a table; a row is larger than the client's buffer. */
  const copier = async (
    work: (copy: { row: () => Promise<void>; end: () => Promise<void> }) => Promise<void>,
  ): Promise<void> =>
    processes.forTenant(newId()).session(async (client) => {
      await client.query('begin');
      await client.query(lock);
      await client.query('create temporary table copied (text text)');
      const rows = copyIn(client, 'pg_temp.copied');
      const row = async (): Promise<void> => {
        rows.beginRow(1);
        rows.text('x'.repeat(300_000));
        await rows.endRow();
      };
      await work({ row, end: () => rows.end() });
      await client.query('commit');
    });

  /** Resolves when the server has received `bytes` and waits for more. */
  const isRead = async (bytes: number): Promise<void> => {
    const enough = `select exists (select 1 from pg_stat_progress_copy c join pg_stat_activity a using (pid)
      where c.datname = current_database() and c.bytes_processed >= $1 and a.wait_event = 'ClientRead') as enough`;
    while ((await service.deps.db.system.query<{ enough: boolean }>(enough, [bytes]))[0]?.enough !== true);
  };

  test('loses its connection when it sends nothing between two checks', async () => {
    let waiting: Promise<number> | undefined;
    const copying = copier(async ({ row, end }) => {
      waiting = waiter();
      await lockWaiters(service.deps.db.system, 1);
      await row();
      await isRead(300_000);
      await check(2, 0);
      await end();
    });
    await expect(copying).rejects.toThrow();
    expect(await waiting).toBe(1);
  });

  test('is left alone when it has sent something since the last check', async () => {
    let waiting: Promise<number> | undefined;
    await copier(async ({ row, end }) => {
      waiting = waiter();
      await lockWaiters(service.deps.db.system, 1);
      const checkOnce = createHungSessionCheck(service.deps.db.system, service.deps.logger, 0);
      for (let rows = 1; rows <= 3; rows++) {
        await row();
        await isRead(rows * 300_000);
        await checkOnce();
      }
      await end();
    });
    expect(await waiting).toBe(1);
  });
});

describe('in the middle of rows that it reads, a process that blocks others', () => {
  /** Holds the lock in a transaction and reads: the server has sent a portion and waits as long as `work` takes. */
  const reader = async (work: (next: () => Promise<void>) => Promise<void>): Promise<void> =>
    processes.forTenant(newId()).session(async (client) => {
      await client.query('begin');
      await client.query(lock);
      const rows = streamRows(client, `select repeat('x', 1000) from generate_series(1, 40000)`, 1);
      await work(async () => void (await rows.next()));
      await rows.return();
      await client.query('commit');
    });

  const isWaiting = async (): Promise<void> => {
    const waits = `select exists (
      select 1 from pg_stat_activity where datname = current_database() and query like 'select repeat%'
         and wait_event = 'ClientRead') as waits`;
    while ((await service.deps.db.system.query<{ waits: boolean }>(waits))[0]?.waits !== true);
  };

  test('loses its connection when it asks for nothing between two checks', async () => {
    let waiting: Promise<number> | undefined;
    const reading = reader(async (next) => {
      waiting = waiter();
      await lockWaiters(service.deps.db.system, 1);
      await next();
      await isWaiting();
      await check(2, 0);
    });
    await expect(reading).rejects.toThrow();
    expect(await waiting).toBe(1);
  });

  test('is left alone when it has asked for more since the last check', async () => {
    let waiting: Promise<number> | undefined;
    await reader(async (next) => {
      waiting = waiter();
      await lockWaiters(service.deps.db.system, 1);
      const checkOnce = createHungSessionCheck(service.deps.db.system, service.deps.logger, 0);
      for (let checks = 0; checks < 3; checks++) {
        // A portion holds some sixty rows, so 100 rows pass its end.
        for (let groups = 0; groups < 100; groups++) await next();
        await isWaiting();
        await checkOnce();
      }
    });
    expect(await waiting).toBe(1);
  });
});
