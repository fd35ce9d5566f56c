import type { DirectConnection } from '@tieout/infra';
import { tenantTables } from '../removal';

/** A table with rows of tenants, as both databases have it. */
export interface MovedTable {
  name: string;
  /** Columns that are stored, quoted: generated ones make themselves. */
  columns: string;
  /** An index begins with the tenant. */
  isIndexed: boolean;
}

/**
 * Lists the tables whose rows move, from the catalog, so that none is forgotten. Unlogged tables hold nothing that
 * outlives a crash.
 */
export async function movedTables(db: DirectConnection): Promise<MovedTable[]> {
  const tables = await tenantTables(db);
  const rows = await db.query<{ name: string; columns: string }>(
    `select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = ''
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relpersistence <> 'u'
      group by 1`,
  );
  const columns = new Map(rows.map((row) => [row.name, row.columns]));
  return tables.flatMap(({ name, isIndexed }) => {
    const own = columns.get(name);
    return own === undefined ? [] : [{ name, columns: own, isIndexed }];
  });
}

/** @throws Error that names a table which the databases have in different forms */
export function assertSameTables(source: readonly MovedTable[], target: readonly MovedTable[]): void {
  const form = ({ name, columns }: MovedTable): string => `${name} (${columns})`;
  const there = new Set(target.map(form));
  const lacking = source.find((table) => !there.has(form(table)));
  if (lacking || source.length !== target.length)
    throw new Error(
      `the databases have different tables${lacking ? ` (${lacking.name})` : ''}: apply the migrations to both with ` +
        'npm run db:deploy',
    );
}

/** The number of a tenant's rows in a table, and a sum over the texts of their values. */
export interface TableDigest {
  rows: number;
  sum: string;
}

export async function digestOf(db: DirectConnection, table: MovedTable, tenantId: string): Promise<TableDigest> {
  const [digest] = await db.query<TableDigest>(
    `select count(*)::float8 as rows,
            coalesce(sum(hashtextextended(row(${table.columns})::text, 0)::numeric), 0)::text as sum
       from "${table.name}" where tenant_id = $1::uuid`,
    [tenantId],
  );
  return digest as TableDigest;
}

const rowsPerStep = 5_000;
const pagesPerStep = 2_000;

/** Deletes a tenant's rows of a table in steps of a transaction each, without the triggers that keep or count them. */
export async function eraseMoved(db: DirectConnection, table: MovedTable, tenantId: string): Promise<void> {
  const deleteWhere = (chosen: string): Promise<number> =>
    db.transaction(async () => {
      await db.execute(withoutTriggers);
      return db.execute(`delete from "${table.name}" where tenant_id = $1::uuid and ${chosen}`, [tenantId]);
    });
  if (table.isIndexed) {
    const chosen = `ctid = any(array(
      select ctid from "${table.name}" where tenant_id = $1::uuid limit ${rowsPerStep}))`;
    while ((await deleteWhere(chosen)) > 0);
    return;
  }
  const [size] = await db.query<{ pages: number }>(
    `select (pg_relation_size($1::regclass) / current_setting('block_size')::int)::int as pages`,
    [`"${table.name}"`],
  );
  for (let from = 0; from < (size?.pages ?? 0); from += pagesPerStep)
    await deleteWhere(`ctid >= '(${from},0)'::tid and ctid < '(${from + pagesPerStep},0)'::tid`);
}

/** Rows move as they are: triggers would count and audit them again, and keep them from being deleted. */
export const withoutTriggers = 'set local session_replication_role = replica';
