import type { Queries } from '@tieout/infra';

/** Changes that are too few to make a plan wrong. */
const smallChange = 1_000;

/**
 * Has PostgreSQL look at tables that have grown threefold since it last did. Its own look comes once a minute, and tables of a new
 * deployment fill up within seconds: until then every page of a list is planned as if they were empty, and costs a hundredfold.
 */
export async function analyseGrownTables(db: Queries): Promise<void> {
  const grown = await db.query<{ table: string }>(
    `select s.relid::regclass::text as "table" from pg_stat_user_tables s join pg_class c on c.oid = s.relid
      where s.schemaname = current_schema() and s.n_mod_since_analyze > greatest(${smallChange}, 2 * c.reltuples)`,
  );
  for (const { table } of grown) await db.execute(`analyze (skip_locked) ${table}`);
}
