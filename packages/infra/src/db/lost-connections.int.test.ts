import { createTestDatabase, startNetwork, type TestDatabase, type TestNetwork } from '@tieout/testing';
import { Client } from 'pg';
import { createLogger } from '../kernel/logger';
import { newId } from '../kernel/ids';
import { streamRows } from './wire/row-stream';
import { createDb, type Db } from './db';
import { isDatabaseUnavailable } from './errors';

let database: TestDatabase;
let network: TestNetwork;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
});

beforeEach(async () => {
  network = await startNetwork(database.url);
  db = createDb({
    url: network.url,
    poolSize: 1,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
    answerTimeoutMs: 250,
  });
});

afterEach(async () => {
  await db.close();
  await network.close();
});

afterAll(() => database.close());

const one = async (): Promise<unknown> => (await db.system.query<{ one: number }>('select 1 as one'))[0]?.one;
const awayOr = (work: Promise<unknown>): Promise<unknown> => work.catch(isDatabaseUnavailable);

test('a statement on a dead connection fails as unavailable, and the next one gets another connection', async () => {
  await one();
  network.forget();
  expect(await awayOr(one())).toBe(true);
  expect(await one()).toBe(1);
});

test.each([
  [
    'transaction',
    () =>
      db.system.transaction(async (tx) => {
        await tx.query('select 1');
        network.forget();
        await tx.query('select 1');
      }),
  ],
  [
    'session',
    () =>
      db.forTenant(newId()).session(async (client) => {
        await client.query('select 1');
        network.forget();
        await client.query('select 1');
      }),
  ],
])('so does the statement of a %s', async (_what, work) => {
  expect(await awayOr(work())).toBe(true);
  expect(await one()).toBe(1);
});

test('a statement that takes long, or waits for a lock, is left alone', async () => {
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('select pg_advisory_lock(7)');
  const waiting = db.system.query<{ held: string }>('select pg_advisory_lock(7)::text as held');
  await holder.query('select pg_sleep(1)');
  await holder.end();
  expect(await waiting).toEqual([{ held: '' }]);
});

test('a stream whose reader still works on earlier rows is left alone when the server has sent all', async () => {
  const other = new Client({ connectionString: database.url });
  await other.connect();
  const count = await db.forTenant(newId()).session(async (client) => {
    let rows = 0;
    for await (const some of streamRows(client, `select repeat('x', 1000) from generate_series(1, 1000)`, 1)) {
      if (rows === 0) await other.query('select pg_sleep(1)');
      rows += some.count;
    }
    return rows;
  });
  await other.end();
  expect(count).toBe(1_000);
});

test('a reader that waits for rows on a dead connection fails as unavailable', async () => {
  const reading = db.forTenant(newId()).session(async (client) => {
    for await (const _some of streamRows(client, `select repeat('x', 1000) from generate_series(1, 1000)`, 1))
      network.forget();
  });
  expect(await awayOr(reading)).toBe(true);
});

test('a stream that has all rows on a dead connection, but not the end, fails as unavailable', async () => {
  const reading = db.forTenant(newId()).session(async (client) => {
    for await (const _some of streamRows(client, 'select 1 from generate_series(1, 3)', 1)) network.forget();
  });
  expect(await awayOr(reading)).toBe(true);
});

test('a transaction that is idle meanwhile is left alone', async () => {
  const value = await db.system.transaction(async (tx) => {
    await tx.execute(`set local tieout.note to 'kept'`);
    const other = new Client({ connectionString: database.url });
    await other.connect();
    await other.query('select pg_sleep(1)');
    await other.end();
    return tx.query(`select current_setting('tieout.note') as note`);
  });
  expect(value).toEqual([{ note: 'kept' }]);
});

test('no connection is discarded while the server cannot be asked', async () => {
  await one();
  const waiting = db.system.query<{ slept: string }>('select pg_sleep(1)::text as slept');
  network.refuse();
  expect(await waiting).toEqual([{ slept: '' }]);
});
