import { escapeLiteral, type ClientBase, type PoolClient } from 'pg';

/** The role of tenants' statements. Row security shows it the rows of the tenant in `tieout.tenant_id`. */
const tenantRole = 'tieout_tenant';

/** The prepared statement that makes the rest of the transaction that of the tenant $1. */
export const becomeTenantStatement = 'tieout_become_tenant';

/**
 * SQL for the role of a tenant's statements; it refuses a tenant that moves to another database. The table is all but
 * empty, and has no row security: with a policy to check, the statement was planned again each time.
 */
const roleOf = (tenant: string): string =>
  `case when exists (select from tenant_moves where id = ${tenant}::uuid) then refuse_moving_tenant(${tenant})
     else '${tenantRole}' end`;

/**
 * Prepares that statement on a connection. A database that lacks the table has no tenant that moves;
 * requireMigrations then says what it lacks.
 */
export const prepareBecomeTenant = `do $$ begin
     execute ${escapeLiteral(becomeTenant(roleOf('$1')))};
   exception when undefined_table then
     execute ${escapeLiteral(becomeTenant(`'${tenantRole}'`))};
   end $$`;

function becomeTenant(role: string): string {
  return `prepare ${becomeTenantStatement}(text) as
    select set_config('role', ${role}, true), set_config('tieout.tenant_id', $1, true)`;
}

/** Extends a statement that begins a transaction, so that the transaction is the tenant's. */
export const beginAsTenant = (begin: string, tenantId: string): string =>
  `${begin}; execute ${becomeTenantStatement}(${escapeLiteral(tenantId)})`;

/** Sessions of a tenant share an advisory lock of this class, by which a move waits for their end. */
export const sessionLockClass = 7_303_001;

const sessions = new WeakMap<object, string>();

const sessionLock = (tenantId: string): string => `${sessionLockClass}, hashtext(${escapeLiteral(tenantId)})`;

/** Makes the session the tenant's. @param settings statements that follow */
export async function enterTenant(client: PoolClient, tenantId: string, settings: string): Promise<void> {
  sessions.set(client, tenantId);
  const id = escapeLiteral(tenantId);
  // The lock first: a session that does not see the beginning of a move is seen by it.
  await client.query(
    `select pg_advisory_lock_shared(${sessionLock(tenantId)});
     select set_config('role', ${roleOf(id)}, false), set_config('tieout.tenant_id', ${id}, false); ${settings}`,
  );
}

/** Ends what `enterTenant` began. @param resets statements that undo its settings */
export async function leaveTenant(client: PoolClient, resets: string): Promise<void> {
  const lock = sessionLock(sessions.get(client) as string);
  await client.query(`reset role; reset tieout.tenant_id; ${resets} select pg_advisory_unlock_shared(${lock})`);
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
