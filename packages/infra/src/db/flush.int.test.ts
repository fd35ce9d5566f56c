import { createTestDatabase, type TestDatabase } from '@tieout/testing';
import { createDb, type Db } from './db';
import { newId } from '../kernel/ids';
import { createLogger } from '../kernel/logger';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  // Tests have it off, as they may lose what they write.
  url.searchParams.set('options', '-c synchronous_commit=on');
  db = createDb({ url: url.href, poolSize: 3, applicationName: 'test', logger: createLogger('test', 'silent') });
});

afterAll(async () => {
  await db.close();
  await database.close();
});

describe('a transaction that commits before it is on disk', () => {
  const isOnDisk = `select pg_current_wal_flush_lsn() >= $1::pg_lsn as "isOnDisk"`;

  /** Commits some text; resolves to where the log ended before the commit, and what the work after it saw. */
  async function commit(): Promise<{ end: string; seen: boolean[] }> {
    const seen: boolean[] = [];
    const end = await db.forTenant(newId()).transaction(async (tx) => {
      tx.flushAfterCommit?.();
      await tx.execute(`select set_config('synchronous_commit', 'off', true)`);
      await tx.execute(`select pg_logical_emit_message(true, 'test', repeat('x', 100000))`);
      const [row] = await tx.query<{ end: string }>('select pg_current_wal_insert_lsn()::text as end');
      const end = row?.end ?? '';
      await tx.afterCommit(async () => {
        const [found] = await db.system.query<{ isOnDisk: boolean }>(isOnDisk, [end]);
        seen.push(found?.isOnDisk ?? false);
      });
      return end;
    });
    return { end, seen };
  }

  test('is there, for its caller and for the work after it, once it resolves', async () => {
    for (let i = 0; i < 20; i++) {
      const { end, seen } = await commit();
      expect(seen).toEqual([true]);
      expect(await db.system.query(isOnDisk, [end])).toEqual([{ isOnDisk: true }]);
    }
  });

  test('is there also when others, whose flush it shares, commit beside it', async () => {
    const commits = await Promise.all(Array.from({ length: 20 }, commit));
    expect(commits.map(({ seen }) => seen)).toEqual(commits.map(() => [true]));
  });
});
