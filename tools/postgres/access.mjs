/** The role whose members run the service: they read and write all rows, and own no table but those of stages. */
export const serviceRole = 'tieout_app';
/** The role as which the statements of tenants run (docs/explanation/adr/0026). */
export const tenantRole = 'tieout_tenant';

/**
 * Makes a role that cannot log in, if there is none. Another database's migration may make it at the same time.
 *
 * @param {string} role A quoted text.
 */
export const makeRole = (role) => `do $roles$ begin
    if not exists (select from pg_roles where rolname = ${role}) then
      execute format('create role %I nologin', ${role});
    end if;
  exception when duplicate_object or unique_violation then null; end $roles$`;

/**
 * Lets members of the service's role work on the tables: rights, and a policy that shows them all rows where there is
 * row security. Tables of stages that an owner has made change hands, since only their owner may drop them. A policy is
 * made once, since it waits for all who use the table.
 */
const access = `do $$
declare
  place text := quote_ident(current_schema());
  item record;
begin
  execute format('grant usage on schema %s to ${serviceRole}', place);
  execute format('grant select, insert, update, delete on all tables in schema %s to ${serviceRole}', place);
  execute format('grant usage on all sequences in schema %s to ${serviceRole}', place);
  revoke insert, update, delete on _prisma_migrations from ${serviceRole};
  grant execute on function analyse_table(regclass, text[]) to ${serviceRole};
  grant usage, create on schema staging to ${serviceRole};
  for item in
    select c.oid::regclass as name from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relrowsecurity
       and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'service')
  loop
    execute format('create policy service on %s to ${serviceRole} using (true)', item.name);
  end loop;
  if pg_has_role(current_user, '${serviceRole}', 'member') then
    for item in
      select c.oid::regclass as name from pg_class c
       where c.relnamespace = 'staging'::regnamespace and c.relkind = 'r' and c.relowner = current_user::regrole
    loop
      execute format('alter table %s owner to ${serviceRole}', item.name);
    end loop;
  end if;
end $$`;

/** BullMQ makes a sequence for each queue when it is first used, which belongs to the user who used it. */
const queueAccess = (schema) => `do $$
declare
  item record;
begin
  if not exists (select from pg_roles where rolname = '${serviceRole}') then return; end if;
  grant usage, create on schema ${schema} to ${serviceRole};
  for item in
    select case relkind when 'S' then 'sequence' else 'table' end as kind, oid::regclass as name from pg_class
     where relnamespace = '${schema}'::regnamespace and relkind in ('r', 'S') and relowner = current_user::regrole
  loop
    execute format('grant all on %s %s to ${serviceRole}', item.kind, item.name);
  end loop;
end $$`;

const notAllowed = '42501';

/** Makes the service's role where the user may, and says whether there is one. */
async function hasServiceRole(client) {
  try {
    await client.query(makeRole(client.escapeLiteral(serviceRole)));
  } catch (error) {
    if (error.code !== notAllowed) throw error;
  }
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [serviceRole]);
  return rowCount > 0;
}

/** Gives the service's role its rights. Without such a role the service connects as the owner of the tables. */
export async function grantAccess(client, retrying) {
  if (await hasServiceRole(client)) await retrying(() => client.query(access));
}

export const grantQueueAccess = (client, schema) => client.query(queueAccess(schema));
