import type { SystemDb } from '@tieout/infra';

/** Up to this many pages no plan of a table is costly. */
const maxSmallPages = 8;
/** Samples 3,000 rows, not 30,000. */
const coarseSql = 'set local default_statistics_target = 10';

/**
 * Analyses tables that have grown threefold since the last analysis, by the size of their files. PostgreSQL's own
 * autovacuum runs once a minute, and its counts of changes are some seconds late, while tables of a new deployment fill
 * up within seconds: until then every page of a list is planned as if they were empty, and costs a hundredfold. The
 * sample is small, since this runs under load; JSON columns, on which no plan depends, are left to autovacuum.
 */
export async function analyseGrownTables(db: SystemDb): Promise<void> {
  const grown = await db.query<{ table: string; columns: string[] }>(
    `select c.oid::regclass::text as "table",
            (select array_agg(a.attname::text) from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                and a.atttypid <> 'jsonb'::regtype) as "columns"
       from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
        and pg_relation_size(c.oid) / current_setting('block_size')::int > greatest(${maxSmallPages}, 3 * c.relpages)`,
  );
  for (const { table, columns } of grown) {
    await db.transaction(async (tx) => {
      await tx.execute(coarseSql);
      // Only the owner of a table may analyse it; the function runs as its own owner.
      await tx.query('select analyse_table($1::regclass, $2::text[])::text', [table, columns]);
    });
  }
}
