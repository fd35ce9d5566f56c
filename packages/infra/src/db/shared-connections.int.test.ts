import { createTestDatabase, type TestDatabase } from '@tieout/testing';
import { Client } from 'pg';
import { createLogger } from '../kernel/logger';
import { newId } from '../kernel/ids';
import { createDb, type Db } from './db';
import { onlyShortReads } from './handles';
import { NotShortReadError, type TenantDb } from './types';
import { isDatabaseUnavailable } from './errors';

let database: TestDatabase;
let db: Db;
let tenant: TenantDb;

beforeAll(async () => {
  database = await createTestDatabase();
});

beforeEach(() => {
  db = createDb({
    url: database.url,
    poolSize: 1,
    applicationName: 'tieout brief',
    logger: createLogger('test', 'silent'),
  });
  tenant = db.forTenant(newId());
});

afterEach(() => db.close());

afterAll(() => database.close());

const brief = async <T>(sql: string, values: (string | number)[] = []): Promise<T> =>
  (await tenant.shortReads.query<{ value: T }>(sql, values))[0]?.value as T;
const pid = (): Promise<number> => brief('select pg_backend_pid() as value');

async function kill(pids: readonly number[]): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('select pg_terminate_backend(pid, 5000) from unnest($1::int[]) as pid', [pids]);
  await client.end();
}

test('each of many statements gets its own answer', async () => {
  const numbers = Array.from({ length: 500 }, (_, i) => i);
  expect(await Promise.all(numbers.map((n) => brief<number>('select $1::int as value', [n])))).toEqual(numbers);
});

test('many statements need two connections, beside those of the pool', async () => {
  const pids = await db.system.transaction(() => Promise.all(Array.from({ length: 50 }, pid)));
  expect(new Set(pids).size).toBe(2);
});

test.each<[string, (reader: TenantDb) => unknown]>([
  ['a statement', (reader) => reader.query('select 1')],
  ['a change', (reader) => reader.execute('select 1')],
  ['a prepared statement', (reader) => reader.prepared.query('select 1')],
  ['a transaction', (reader) => reader.transaction(() => Promise.resolve())],
  ['a session', (reader) => reader.session(() => Promise.resolve())],
  ['an operation of the ORM', (reader) => reader.orm.dataset.count()],
])('a reader that holds no connection is refused %s, and not what is brief', async (_, run) => {
  const reader = onlyShortReads(tenant);
  await expect((async () => run(reader))()).rejects.toThrow(NotShortReadError);
  expect(await reader.shortReads.query('select 1 as value')).toEqual([{ value: 1 }]);
});

test('only statements that wait for a connection of the pool count as waiting for one', async () => {
  const shared = Array.from({ length: 50 }, () => brief('select pg_sleep(0.01)::text as value'));
  const ofPool = [1, 2, 3].map(() => db.system.query('select pg_sleep(0.1)::text as slept'));
  expect(db.usage().waiting).toBe(2);
  await Promise.all([...shared, ...ofPool]);
});

test('a statement that fails affects no other one', async () => {
  const results = await Promise.allSettled(
    [1, 0, 2, 0, 3].map((n) => brief<number>('select 6 / $1::int as value', [n])),
  );
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as { code: string }).code)),
  ).toEqual([6, '22012', 3, '22012', 2]);
});

test('a connection survives a statement that fails to be prepared', async () => {
  const failed = await Promise.allSettled([
    brief('select no_such_column as value'),
    brief('select no_such_column as value'),
    brief<number>('select 7 as value'),
  ]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(await brief<number>('select 8 as value')).toBe(8);
});

test('the statements of a lost connection fail as unavailable, and the next ones get another one', async () => {
  const before = await Promise.all([pid(), pid()]);
  const cut = Promise.allSettled(Array.from({ length: 4 }, () => brief('select pg_sleep(60)::text as value')));
  await kill(before);
  const reasons = (await cut).map((result) =>
    result.status === 'rejected' ? isDatabaseUnavailable(result.reason) : 'answered',
  );
  expect(reasons).toEqual([true, true, true, true]);
  expect(before).not.toContain(await pid());
});

test('while the database cannot be reached, statements fail as unavailable', async () => {
  const away = createDb({
    url: 'postgresql://nobody@127.0.0.1:1/none',
    poolSize: 1,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
  });
  await expect(away.forTenant(newId()).shortReads.query('select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await away.close();
});

test('a read in the order of an index uses it, even when the table has no statistics yet', async () => {
  await db.system.execute(
    'create table entries (job_id uuid, tenant_id uuid, id uuid primary key) with (autovacuum_enabled = off)',
  );
  await db.system.execute('create index on entries (job_id, id)');
  await db.system.execute(
    'insert into entries select $1::uuid, $2::uuid, gen_random_uuid() from generate_series(1, 5000)',
    [newId(), newId()],
  );
  await db.system.execute('grant select on entries to public');
  const plan = await tenant.shortReads.query<{ 'QUERY PLAN': string }>(
    'explain select id from entries where job_id = any(array[$1::uuid]) order by job_id desc, id desc limit 26',
    [newId()],
  );
  expect(plan[1]?.['QUERY PLAN']).toMatch(/Index (Only )?Scan Backward using entries_job_id_id_idx/);
});

test('a database whose shared connections do not answer is not ready, whatever the pool says', async () => {
  await pid();
  const held = tenant.shortReads.query('select pg_sleep(60)').catch((error: Error) => error.message);
  const other = tenant.shortReads.query('select pg_sleep(60)').catch((error: Error) => error.message);
  const ping = db.ping().then(
    () => 'answers',
    () => 'gone',
  );
  expect(await Promise.race([ping, db.system.query('select pg_sleep(0.2)').then(() => 'no answer')])).toBe('no answer');
  expect(db.usage()).toEqual({ busy: 2, idle: 1, waiting: 0 });
  await kill(
    (
      await db.system.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      )
    ).map((row) => row.pid),
  );
  expect(await Promise.all([held, other])).toEqual([
    expect.stringMatching(/terminat/),
    expect.stringMatching(/terminat/),
  ]);
  expect(await ping).toBe('gone');
});

test('a connection whose statement has no answer for too long is discarded, with its other statements', async () => {
  const impatient = createDb({
    url: database.url,
    poolSize: 1,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
    answerTimeoutMs: 500,
  });
  const { shortReads: hasty } = impatient.forTenant(newId());
  const reasons = await Promise.all(
    [1, 2, 3, 4].map(() => hasty.query('select pg_sleep(60)').catch((error: unknown) => isDatabaseUnavailable(error))),
  );
  expect(reasons).toEqual([true, true, true, true]);
  // One that is sent while the connection ends, ends with it.
  let answer: unknown;
  while (answer === undefined) {
    answer = await hasty.query('select 1 as one').catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error;
    });
  }
  expect(answer).toEqual([{ one: 1 }]);
  await impatient.close();
});

test('discarded connections whose statements wait for a lock end while it is held', async () => {
  const impatient = createDb({
    url: database.url,
    poolSize: 1,
    applicationName: 'tieout hasty',
    logger: createLogger('test', 'silent'),
    answerTimeoutMs: 300,
  });
  const { shortReads: hasty } = impatient.forTenant(newId());
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('select pg_advisory_lock(7)');
  for (let round = 0; round < 4; round++) {
    const reads = [1, 2, 3, 4].map(() =>
      hasty.query('select pg_advisory_xact_lock(7)').catch((error: unknown) => isDatabaseUnavailable(error)),
    );
    expect(await Promise.all(reads)).toEqual([true, true, true, true]);
  }
  const waiting = async (): Promise<number> =>
    (
      await holder.query<{ count: number }>(
        `select count(*)::int from pg_stat_activity, pg_sleep(0.05)
          where application_name = 'tieout hasty' and wait_event_type = 'Lock'`,
      )
    ).rows[0]!.count;
  while ((await waiting()) > 0);
  expect(impatient.usage()).toMatchObject({ busy: 0 });
  await holder.end();
  await impatient.close();
}, 20_000);

test('time in which this process did not run does not count', async () => {
  const impatient = createDb({
    url: database.url,
    poolSize: 1,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
    answerTimeoutMs: 300,
  });
  const { shortReads: hasty } = impatient.forTenant(newId());
  await hasty.query('select 1');
  const answer = hasty.query('select 1 as one');
  const untilMs = performance.now() + 600;
  while (performance.now() < untilMs);
  expect(await answer).toEqual([{ one: 1 }]);
  await impatient.close();
});
