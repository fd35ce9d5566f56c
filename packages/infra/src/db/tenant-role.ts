import { escapeLiteral, type ClientBase, type PoolClient } from 'pg';

/** The role of tenants' statements. Row security shows it the rows of the tenant in `tieout.tenant_id`. */
const tenantRole = 'tieout_tenant';

/** The prepared statement that makes the rest of the transaction that of the tenant $1. */
export const becomeTenantStatement = 'tieout_become_tenant';

/** Prepares that statement on a connection. */
export const prepareBecomeTenant = `prepare ${becomeTenantStatement}(text) as
   select set_config('role', '${tenantRole}', true), set_config('tieout.tenant_id', $1, true)`;

/** Extends a statement that begins a transaction, so that the transaction is the tenant's. */
export const beginAsTenant = (begin: string, tenantId: string): string =>
  `${begin}; set local role ${tenantRole}; set local tieout.tenant_id to ${escapeLiteral(tenantId)}`;

const sessions = new WeakSet<object>();

/** Makes the session the tenant's. */
export async function enterTenant(client: PoolClient, tenantId: string): Promise<void> {
  sessions.add(client);
  await client.query(`set role ${tenantRole}; set tieout.tenant_id to ${escapeLiteral(tenantId)}`);
}

/** Ends what `enterTenant` began. */
export async function leaveTenant(client: PoolClient): Promise<void> {
  await client.query('reset role; reset tieout.tenant_id');
  sessions.delete(client);
}

type Session = Pick<ClientBase, 'query'>;

const underRowSecurity = new WeakSet<object>();

/** True when row security applies to the user of the session, who then owns only what the session has made. */
export const isUnderRowSecurity = (session: object): boolean => underRowSecurity.has(session);

/** Finds out whether row security applies to the user of a new session: not to the owner of the tables. */
export async function noteRowSecurity(session: Session): Promise<void> {
  const { rows } = await session.query<{ active: boolean | null }>(
    `select row_security_active(to_regclass('tenants')) as active`,
  );
  if (rows[0]?.active) underRowSecurity.add(session);
}

/**
 * Wraps statements without parameters so that the user of the connection runs them. A tenant's session needs this for
 * DDL and for COPY into tables, which PostgreSQL refuses under row security.
 */
export function asOwner(session: Session, sql: string): string {
  return sessions.has(session) ? `set local role to default; ${sql}; set local role ${tenantRole}` : sql;
}

/** Gives the DDL that lets tenants use a new table of the session. */
export const shareTable = (table: string): string =>
  `grant select, insert, update, delete on ${table} to ${tenantRole}`;

/** Gives the DDL that restricts a new table without a tenant column to one tenant. */
export function restrictTable(table: string, tenantId: string): string {
  return `alter table ${table} enable row level security;
    create policy tenant on ${table} to ${tenantRole}
      using (current_setting('tieout.tenant_id', true) = ${escapeLiteral(tenantId)});
    ${shareTable(table)}`;
}
