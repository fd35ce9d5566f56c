import { isUuid, type DirectConnection } from '@tieout/infra';

/** The row of a tenant that a database does not serve. */
interface MoveRow {
  state: 'moving' | 'moved' | 'arriving';
  /** The database that the tenant moves to, or arrives from. */
  database: string;
}

export async function moveOf(db: DirectConnection, tenantId: string): Promise<MoveRow | undefined> {
  const [row] = await db.query<MoveRow>('select state, database from tenant_moves where id = $1::uuid', [tenantId]);
  return row;
}

/** The place of a tenant: served, leaving for another one, or given up for it while rows or the switch are left. */
export type Found =
  | { state: 'served'; database: DirectConnection }
  | { state: 'leaving' | 'given up'; database: DirectConnection; to: string };

/** Finds a tenant, or a move of it that is not finished. @throws Error for an id that no tenant has */
export async function findTenant(databases: readonly DirectConnection[], tenantId: string): Promise<Found> {
  if (!isUuid(tenantId)) throw new Error(`"${tenantId}" is not the id of a tenant`);
  let served: Found | undefined;
  const arriving = new Set<string>();
  const moves: { database: DirectConnection; row: MoveRow; isThere: boolean }[] = [];
  for (const database of databases) {
    const [tenant] = await database.query<{ status: string }>('select status from tenants where id = $1::uuid', [
      tenantId,
    ]);
    const row = await moveOf(database, tenantId);
    if (row?.state === 'arriving') arriving.add(database.name);
    if (row) moves.push({ database, row, isThere: tenant !== undefined });
    else if (tenant?.status === 'deleting') throw new Error('the tenant is being deleted');
    else if (tenant) served = { state: 'served', database };
  }
  for (const { database, row, isThere } of moves) {
    const to = row.database;
    if (row.state === 'moving') return { state: 'leaving', database, to };
    if (row.state === 'moved' && (isThere || arriving.has(to))) return { state: 'given up', database, to };
  }
  if (served) return served;
  throw new Error(`no database has the tenant ${tenantId}`);
}

const notAllowed = '42501';

/** @throws Error that names what the user of a connection lacks, and how to give it */
export async function assertMayMove(databases: readonly DirectConnection[]): Promise<void> {
  for (const db of databases) {
    const [user] = await db.query<{ name: string; isBound: boolean }>(
      `select quote_ident(current_user) as name, row_security_active('tenants') as "isBound"`,
    );
    const name = user?.name ?? '';
    if (user?.isBound)
      throw new Error(`${name} does not own the tables of ${db.name}: name their owner in MIGRATION_DATABASES`);
    try {
      await db.transaction(() => db.execute('set local session_replication_role = replica'));
    } catch (error) {
      if ((error as { code?: string }).code !== notAllowed) throw error;
      throw new Error(
        `${name} may not switch off triggers in ${db.name}. Let an administrator of that server run: ` +
          `grant set on parameter session_replication_role to ${name}`,
        { cause: error },
      );
    }
  }
}
