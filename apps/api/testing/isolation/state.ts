import type { TestService } from '@tieout/testing';
import { Client } from 'pg';

/** Reads all that a request could change. */
export interface StateReader {
  /**
   * Gives what each table has gained since the reader was opened: a number of rows and a sum of digests, which leave
   * out what every request of a key may write. Also gives the number of jobs in each queue.
   */
  read(): Promise<Record<string, string>>;
  close(): Promise<void>;
}

/** Keeps a digest of each table that follows its changes: to read all tables after each request would cost far more. */
const followChanges = (tables: readonly string[]): string => `
  create unlogged table state_changes (name text, rows int, digest numeric);
  create function digest_of(item jsonb) returns numeric language sql as
    $$ select hashtextextended((item - 'last_used_at' - 'last_seen_at')::text, 0) $$;
  create function note_change() returns trigger language plpgsql security definer set search_path = public as $$ begin
    if tg_op in ('UPDATE', 'DELETE') then
      insert into state_changes values (tg_table_name, -1, -digest_of(to_jsonb(old)));
    end if;
    if tg_op in ('UPDATE', 'INSERT') then
      insert into state_changes values (tg_table_name, 1, digest_of(to_jsonb(new)));
    end if;
    if tg_op = 'TRUNCATE' then
      insert into state_changes values (tg_table_name, 0, 1);
    end if;
    return null;
  end $$;
  ${tables
    .flatMap((name) => [
      `create trigger note_change after insert or update or delete on "${name}"
         for each row execute function note_change();`,
      `create trigger note_truncation after truncate on "${name}"
         for each statement execute function note_change();`,
    ])
    .join('\n')}`;

export async function openState({ database, deps }: TestService): Promise<StateReader> {
  const tables = await deps.db.system.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'
       and tablename not in ('rate_limits', '_prisma_migrations')`,
  );
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(followChanges(tables.map(({ name }) => name)));
  return {
    read: async () => {
      const { rows } = await client.query<{ name: string; gained: string }>(
        `select name, sum(rows) || ' ' || sum(digest) as gained from state_changes group by 1
           having sum(rows) <> 0 or sum(digest) <> 0
         union all select 'queue ' || queue || ' ' || state, count(*)::text from bullmq.job group by 1`,
      );
      return Object.fromEntries(rows.map(({ name, gained }) => [name, gained]));
    },
    close: () => client.end(),
  };
}
