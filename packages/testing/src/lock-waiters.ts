import type { Queries } from '@tieout/infra';

/**
 * Resolves when `count` statements wait for locks of any kind: some waits, as for a file extension, come by themselves.
 */
export async function lockWaiters(db: Queries, count: number): Promise<void> {
  for (;;) {
    const [waiting] = await db.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (waiting?.count === count) return;
  }
}

/** Resolves when `count` sessions wait for the session `pid`, directly or through others. */
export async function waitersFor(db: Queries, pid: number, count: number): Promise<void> {
  for (;;) {
    const [waiting] = await db.query<{ count: number }>(
      `with recursive held(pid) as (
         select $1::int
         union select a.pid from pg_stat_activity a, held
          where a.datname = current_database() and a.wait_event_type = 'Lock'
            and held.pid = any(pg_blocking_pids(a.pid)))
       select count(*)::int - 1 as count from held`,
      [pid],
    );
    if (waiting?.count === count) return;
  }
}

/**
 * Resolves when a statement waits for a lock of a table or of one of its rows: a tuple lock exists only while one
 * waits.
 */
export async function tableWaiter(db: Queries, table: string): Promise<void> {
  for (;;) {
    const [waiting] = await db.query<{ found: boolean }>(
      `select exists (select 1 from pg_locks
         where relation = $1::regclass and database = (select oid from pg_database where datname = current_database())
           and (not granted or locktype = 'tuple')) as found`,
      [table],
    );
    if (waiting?.found) return;
  }
}
