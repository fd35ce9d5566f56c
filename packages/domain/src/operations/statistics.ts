import type { SystemDb } from '@tieout/infra';

/** Pages of a table that are too few to make a plan costly. */
const fewPages = 8;
/** Three thousand rows are looked at, not thirty thousand. */
const coarse = 'set local default_statistics_target = 10';

/**
 * Has PostgreSQL look at tables that have grown threefold since it last did, by the size of their files. Its own look comes once a minute,
 * its counts of changes some seconds late, and tables of a new deployment fill up within seconds: until then every page of a list is
 * planned as if they were empty, and costs a hundredfold. Coarse, as it comes while there is most to do; the server still takes its own
 * look, since JSON, on which no plan depends, is left to it.
 */
export async function analyseGrownTables(db: SystemDb): Promise<void> {
  const grown = await db.query<{ table: string; columns: string }>(
    `select c.oid::regclass::text as "table",
            (select string_agg(quote_ident(a.attname), ', ') from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid <> 'jsonb'::regtype) as "columns"
       from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
        and pg_relation_size(c.oid) / current_setting('block_size')::int > greatest(${fewPages}, 3 * c.relpages)`,
  );
  for (const { table, columns } of grown) {
    await db.transaction(async (tx) => {
      await tx.execute(coarse);
      await tx.execute(`analyze (skip_locked) ${table} (${columns})`);
    });
  }
}
