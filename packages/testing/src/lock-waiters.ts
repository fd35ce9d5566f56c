import type { Queries, SqlParameter } from '@tieout/infra';

async function untilTrue(db: Queries, condition: string, parameters: readonly SqlParameter[]): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ holds: boolean }>(`select (${condition}) as holds`, parameters);
    if (row?.holds) return;
  }
}

/** Resolves when `count` statements wait for locks of any kind, also brief ones such as those that extend a file. */
export const lockWaiters = (db: Queries, count: number): Promise<void> =>
  untilTrue(
    db,
    `$1::int = (select count(*) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock')`,
    [count],
  );

/** Resolves when `count` sessions wait for the session `pid`, directly or through others. */
export const waitersFor = (db: Queries, pid: number, count: number): Promise<void> =>
  untilTrue(
    db,
    `with recursive held(pid) as (
       select $1::int
       union select a.pid from pg_stat_activity a, held
        where a.datname = current_database() and a.wait_event_type = 'Lock' and held.pid = any(pg_blocking_pids(a.pid)))
     select count(*) - 1 = $2::int from held`,
    [pid, count],
  );

/** Resolves when a statement waits for a table or for one of its rows; a tuple lock exists only while one waits. */
export const tableWaiter = (db: Queries, table: string): Promise<void> =>
  untilTrue(
    db,
    `exists (select 1 from pg_locks
       where relation = $1::regclass and database = (select oid from pg_database where datname = current_database())
         and (not granted or locktype = 'tuple'))`,
    [table],
  );
