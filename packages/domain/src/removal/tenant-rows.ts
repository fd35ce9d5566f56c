import type { Queries, SystemDb } from '@tieout/infra';
import { repeatWithPauses } from '../kernel/retention';

/** A table with rows of tenants. */
export interface TenantTable {
  name: string;
  /** An index begins with the tenant: its rows are found without reading those of others. */
  isIndexed: boolean;
}

/**
 * Lists all tables with rows of tenants from the catalog of the database, so that none is forgotten. A table precedes
 * those that it refers to, so that no delete cascades to many rows.
 */
export async function tenantTables(db: Queries): Promise<TenantTable[]> {
  const tables = await db.query<TenantTable & { referenced: string[] }>(
    `select c.relname as name,
            exists (select 1 from pg_index i where i.indrelid = c.oid and i.indkey[0] = a.attnum
                       and i.indpred is null) as "isIndexed",
            array(select r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
                   where f.conrelid = c.oid and f.contype = 'f' and r.oid <> c.oid) as referenced
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') order by 1`,
  );
  const sorted: TenantTable[] = [];
  let left = tables;
  while (left.length > 0) {
    const next = left.filter(({ name }) => !left.some(({ referenced }) => referenced.includes(name)));
    if (next.length === 0) throw new Error(`tables refer to one another: ${left.map(({ name }) => name).join(', ')}`);
    sorted.push(...next);
    left = left.filter((table) => !next.includes(table));
  }
  return sorted;
}

/** Rows, or pages of 8 KiB, that one statement goes through. */
const rowsPerStep = 5_000;
const pagesPerStep = 2_000;
const lockTimeoutMs = 2_000;

/** Erases the rows of a tenant in a table, and notes their number with each step. */
export async function eraseRows(db: SystemDb, tenantId: string, table: TenantTable): Promise<void> {
  if (table.isIndexed) return eraseByIndex(db, tenantId, table.name);
  const [size] = await db.query<{ pages: number }>(
    `select (pg_relation_size($1::regclass) / current_setting('block_size')::int)::int as pages`,
    [table.name],
  );
  let from = 0;
  await repeatWithPauses(async () => {
    const to = from + pagesPerStep;
    await eraseSome(db, tenantId, table.name, `ctid >= '(${from},0)'::tid and ctid < '(${to},0)'::tid`);
    from = to;
    return from < (size?.pages ?? 0);
  });
}

async function eraseByIndex(db: SystemDb, tenantId: string, table: string): Promise<void> {
  const chosen = `ctid = any(array(
    select ctid from "${table}" where tenant_id = $1::uuid limit ${rowsPerStep} for update skip locked))`;
  await repeatWithPauses(async () => (await eraseSome(db, tenantId, table, chosen)) === rowsPerStep);
}

function eraseSome(db: SystemDb, tenantId: string, table: string, chosen: string): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.execute(`set local lock_timeout = ${lockTimeoutMs}`);
    const rows = await tx.execute(`delete from "${table}" where tenant_id = $1::uuid and ${chosen}`, [tenantId]);
    await noteErased(tx, tenantId, { [table]: rows });
    return rows;
  });
}

/** Adds to the numbers that show the progress of an erasure. */
export async function noteErased(db: Queries, tenantId: string, erased: Record<string, number>): Promise<void> {
  for (const [name, count] of Object.entries(erased)) {
    if (count === 0) continue;
    await db.execute(
      `update tenants
          set erased = jsonb_set(erased, array[$2], to_jsonb(coalesce((erased ->> $2)::bigint, 0) + $3::bigint))
        where id = $1::uuid`,
      [tenantId, name, count],
    );
  }
}
