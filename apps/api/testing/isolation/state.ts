import { queueNames } from '@tieout/domain';
import { queueClasses } from '@tieout/infra';
import type { TestService } from '@tieout/testing';

/** Reads all that a request could change. */
export interface StateReader {
  /** A digest for each table, without what every request of a key may write, and the number of jobs in each queue. */
  read(): Promise<Record<string, string>>;
  close(): Promise<void>;
}

export async function openState({ deps, queueSettings }: TestService): Promise<StateReader> {
  const { openQueue } = queueClasses(queueSettings, { role: 'producer' });
  const queues = queueNames.map((name) => ({ name, queue: openQueue(name) }));
  await Promise.all(queues.map(({ queue }) => queue.waitUntilReady()));
  const tables = await deps.db.system.query<{ name: string; isMarked: boolean }>(
    `select tablename as name, exists (select 1 from information_schema.columns where table_schema = 'public'
       and table_name = tablename and column_name in ('last_used_at', 'last_seen_at')) as "isMarked"
       from pg_tables where schemaname = 'public' and tablename not in ('rate_limits',
       '_prisma_migrations') order by 1`,
  );
  const marked = `(to_jsonb(t) - 'last_used_at' - 'last_seen_at')`;
  // The text of a row itself is cheaper than that of its JSON.
  const digest = ({ name, isMarked }: { name: string; isMarked: boolean }): string =>
    `select '${name}', count(*) || ' ' || sum(hashtextextended(${isMarked ? marked : 't'}` +
    `::text, 0)) from "${name}" t`;
  // A function, since a connection plans its query once.
  await deps.db.system.execute(
    `create function state_digest() returns table (name text, digest text) language plpgsql as
     $$ begin return query ${tables.map(digest).join(' union all ')}; end $$`,
  );
  return {
    read: async () => {
      const rows = await deps.db.system.query<{ name: string; digest: string | null }>('select * from state_digest()');
      const counts = await Promise.all(
        queues.map(async ({ name, queue }) => [`queue ${name}`, JSON.stringify(await queue.getJobCounts())]),
      );
      return Object.fromEntries([...rows.map((row) => [row.name, row.digest ?? 'empty']), ...counts]) as Record<
        string,
        string
      >;
    },
    close: async () => {
      await Promise.all(queues.map(({ queue }) => queue.close()));
    },
  };
}
