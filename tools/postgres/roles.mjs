import { makeRole, serviceRole, tenantRole } from './access.mjs';

const databaseOf = (url) => decodeURIComponent(new URL(url).pathname.slice(1));

function loginOf(url, setting) {
  const { username, password } = new URL(url);
  if (username === '') throw new Error(`${setting} names no user`);
  const [user, secret] = [username, password].map(decodeURIComponent);
  return { user, password: secret, database: databaseOf(url), setting };
}

/** Makes a user, or gives it the password of its url. One whom row security does not bind is refused. */
async function makeLogin(client, { user, password, setting }) {
  await client.query(makeRole(client.escapeLiteral(user)));
  const { rows } = await client.query('select rolsuper or rolbypassrls as unbound from pg_roles where rolname = $1', [
    user,
  ]);
  if (rows[0].unbound)
    throw new Error(
      `${setting} names "${user}", a superuser or one with BYPASSRLS: name another user, who is made here`,
    );
  const passwordClause = password === '' ? '' : ` password ${client.escapeLiteral(password)}`;
  await client.query(`alter role ${client.escapeIdentifier(user)} login${passwordClause}`);
}

/** Gives the database and what others have made in it to the user of migrations, and stages to the service. */
const handOver = (owner) => `do $roles$
declare
  item text;
  owner_id oid := (select oid from pg_roles where rolname = ${owner});
  places oid[] := array(select oid from pg_namespace where nspname in ('public', 'bullmq'));
begin
  for item in
    select format('database %I', datname) from pg_database where datname = current_database() and datdba <> owner_id
    union all
    select format('schema %I', nspname) from pg_namespace
     where nspname in ('staging', 'bullmq') and nspowner <> owner_id
    union all
    select format('%s %s', case relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end, oid::regclass)
      from pg_class where relnamespace = any (places) and relkind in ('r', 'p', 'v', 'S') and relowner <> owner_id
       and not exists (select from pg_depend d where d.objid = pg_class.oid
                        and (d.deptype = 'e' or (relkind = 'S' and d.deptype in ('a', 'i'))))
    union all
    select format('routine %s', oid::regprocedure) from pg_proc
     where pronamespace = any (places) and proowner <> owner_id
       and not exists (select from pg_depend d where d.objid = pg_proc.oid and d.deptype = 'e')
    union all
    select format('type %s', oid::regtype) from pg_type
     where typnamespace = any (places) and typtype in ('e', 'd') and typowner <> owner_id
       and not exists (select from pg_depend d where d.objid = pg_type.oid and d.deptype = 'e')
  loop
    execute format('alter %s owner to %I', item, pg_get_userbyid(owner_id));
  end loop;
  execute format('grant usage, create on schema public to %I', pg_get_userbyid(owner_id));
  revoke create on schema public from public;
  execute format('grant connect, temporary on database %I to ${serviceRole}', current_database());
  if to_regnamespace('staging') is not null then
    grant usage, create on schema staging to ${serviceRole};
    for item in
      select oid::regclass::text from pg_class
       where relnamespace = 'staging'::regnamespace and relkind = 'r' and relowner <> '${serviceRole}'::regrole
    loop
      execute format('alter table %s owner to ${serviceRole}', item);
    end loop;
  end if;
end $roles$`;

/**
 * Makes two users with the rights that their work needs, as an administrator of the server: one who owns the tables and
 * runs migrations, and one as whom the service connects, whom row security binds and who owns no table but stages.
 * Names and passwords are those of the urls. Safe to repeat; a database that another user owned changes hands.
 *
 * @param {{ adminUrl: string, ownerUrl: string, serviceUrl: string }} urls The administrator's names the database.
 */
export async function makeRoles({ adminUrl, ownerUrl, serviceUrl }) {
  const owner = loginOf(ownerUrl, 'MIGRATION_DATABASE_URL');
  const service = loginOf(serviceUrl, 'DATABASE_URL');
  if (owner.user === service.user)
    throw new Error('DATABASE_URL and MIGRATION_DATABASE_URL name the same user: the service needs one of its own');
  const database = databaseOf(adminUrl);
  for (const { setting, database: named } of [owner, service])
    if (named !== database)
      throw new Error(`${setting} names the database "${named}", and ADMIN_DATABASE_URL names "${database}": name one`);
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: adminUrl, application_name: 'tieout roles' });
  await client.connect();
  try {
    for (const role of [tenantRole, serviceRole]) await client.query(makeRole(client.escapeLiteral(role)));
    for (const login of [owner, service]) await makeLogin(client, login);
    const [ownerName, serviceName] = [owner, service].map(({ user }) => client.escapeIdentifier(user));
    await client.query(`grant ${tenantRole}, ${serviceRole} to ${ownerName}, ${serviceName}`);
    const { rows } = await client.query('select rolsuper as super from pg_roles where rolname = current_user');
    // For moves of tenants to other databases, whose rows arrive as they are. Only superusers may give it.
    if (rows[0].super) await client.query(`grant set on parameter session_replication_role to ${ownerName}`);
    // Others than superusers give away only what they may take.
    if (!rows[0].super) await client.query(`grant ${ownerName}, ${serviceName}, ${serviceRole} to current_user`);
    // Queues in PostgreSQL get sequences at their first use, which all who run the service need.
    await client.query(`alter default privileges for role ${serviceName} grant all on sequences to ${serviceRole}`);
    await client.query(handOver(client.escapeLiteral(owner.user)));
  } finally {
    await client.end();
  }
}
