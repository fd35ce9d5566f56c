import type { Queries } from '@tieout/infra';

/** Pages of a table that are too few to make a plan costly. */
const fewPages = 8;

/**
 * Has PostgreSQL look at tables that have grown threefold since it last did, by the size of their files. Its own look comes once a minute,
 * its counts of changes some seconds late, and tables of a new deployment fill up within seconds: until then every page of a list is
 * planned as if they were empty, and costs a hundredfold.
 */
export async function analyseGrownTables(db: Queries): Promise<void> {
  const grown = await db.query<{ table: string }>(
    `select c.oid::regclass::text as "table" from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
        and pg_relation_size(c.oid) / current_setting('block_size')::int > greatest(${fewPages}, 3 * c.relpages)`,
  );
  for (const { table } of grown) await db.execute(`analyze (skip_locked) ${table}`);
}
