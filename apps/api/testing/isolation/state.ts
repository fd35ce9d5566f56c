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
  return {
    read: async () => {
      const tables = await deps.db.system.query<{ name: string }>(
        `select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('rate_limits',
         '_prisma_migrations') order by 1`,
      );
      const digest = ({ name }: { name: string }): string =>
        `select '${name}' as name, md5(string_agg(row, ',' order by row)) as digest from (select (to_jsonb(t) - ` +
        `'last_used_at')::text as row from "${name}" t) r`;
      const rows = await deps.db.system.query<{ name: string; digest: string | null }>(
        tables.map(digest).join(' union all '),
      );
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
