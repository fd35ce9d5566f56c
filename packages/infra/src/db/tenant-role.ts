import { escapeLiteral, type PoolClient } from 'pg';

/**
 * The role that statements of tenants run as: policies show it the rows of the tenant that the setting `tieout.tenant_id` names,
 * and none without it.
 */
const tenantRole = 'tieout_tenant';

/** Makes the rest of the transaction that of the tenant $1, on connections that it is prepared on. */
export const becomeTenantStatement = 'tieout_become_tenant';

/** Prepares it. */
export const prepareBecomeTenant = `prepare ${becomeTenantStatement}(text) as select set_config('role', '${tenantRole}', true), set_config('tieout.tenant_id', $1, true)`;

/** Begins a transaction of a tenant, given the statement that begins one. */
export const beginAsTenant = (begin: string, tenantId: string): string =>
  `${begin}; set local role ${tenantRole}; set local tieout.tenant_id to ${escapeLiteral(tenantId)}`;

const sessions = new WeakSet<object>();

/** Makes the session the tenant's. */
export async function enterTenant(client: PoolClient, tenantId: string): Promise<void> {
  sessions.add(client);
  await client.query(`set role ${tenantRole}; set tieout.tenant_id to ${escapeLiteral(tenantId)}`);
}

/** Makes it everybody's again. */
export async function leaveTenant(client: PoolClient): Promise<void> {
  await client.query('reset role; reset tieout.tenant_id');
  sessions.delete(client);
}

type Session = Pick<PoolClient, 'query'>;

/**
 * The statements, without parameters, as run by the owner of the tables. A tenant's session needs it for DDL and for COPY into tables,
 * which PostgreSQL refuses where policies hold.
 */
export function asOwner(session: Session, sql: string): string {
  return sessions.has(session) ? `set local role to default; ${sql}; set local role ${tenantRole}` : sql;
}

/** DDL that lets tenants use a new table of the session. */
export const shareTable = (table: string): string =>
  `grant select, insert, update, delete on ${table} to ${tenantRole}`;

/** DDL that lets one tenant alone use a new table, whose rows do not say whose they are. */
export function restrictTable(table: string, tenantId: string): string {
  return `alter table ${table} enable row level security;
    create policy tenant on ${table} to ${tenantRole} using (current_setting('tieout.tenant_id', true) = ${escapeLiteral(tenantId)});
    ${shareTable(table)}`;
}
