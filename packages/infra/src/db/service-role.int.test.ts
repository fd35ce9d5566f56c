import { createTestDatabase, type TestDatabase } from '@tieout/testing';
import { Client, type PoolClient } from 'pg';
import { newId } from '../kernel/ids';
import { createLogger } from '../kernel/logger';
import { createDb, type Db } from './db';
import { copyInto } from './wire/copy-in';

const [ours, theirs] = [newId(), newId()];
const notAllowed = '42501';

let database: TestDatabase;
let service: Client;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  service = new Client({ connectionString: database.serviceUrl });
  await service.connect();
  await service.query('insert into tenants (id, name) select id, id::text from unnest($1::uuid[]) as id', [
    [ours, theirs],
  ]);
  db = createDb({
    url: database.serviceUrl,
    poolSize: 2,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
  });
});

afterAll(async () => {
  await db.close();
  await service.end();
  await database.close();
});

test('the user of the service is bound by row security, and owns nothing', async () => {
  const { rows } = await service.query(
    `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as more,
            (select count(*)::int from pg_class where relowner = current_user::regrole) as owned,
            row_security_active('records') as bound
       from pg_roles where rolname = current_user`,
  );
  expect(rows).toEqual([{ more: false, owned: 0, bound: true }]);
});

test('every table is open to the service, except that migrations are only read', async () => {
  const { rows } = await service.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r'
        and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
                 and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))`,
  );
  expect(rows).toEqual([{ name: '_prisma_migrations' }]);
});

test('the service sees the rows of every tenant in every table with row security', async () => {
  const { rows } = await service.query<{ name: string }>(
    `select relname as name from pg_class c
      where relnamespace = 'public'::regnamespace and relrowsecurity and not exists (
        select 1 from pg_policy p where p.polrelid = c.oid and p.polroles = array['tieout_app'::regrole::oid]
           and pg_get_expr(p.polqual, p.polrelid) = 'true')`,
  );
  expect(rows).toEqual([]);
  expect((await service.query('select 1 from tenants')).rowCount).toBe(2);
});

test.each([
  'drop table records',
  'alter table records disable row level security',
  'create policy mine on records using (true)',
  'drop policy tenant on records',
  'truncate records',
  'create table mine ()',
  'create function mine() returns int language sql return 1',
  'delete from _prisma_migrations',
  `update _prisma_migrations set checksum = ''`,
  'drop schema bullmq cascade',
  'alter function analyse_table(regclass, text[]) security invoker',
  'set role tieout_owner',
  'set session authorization tieout',
  'create role mine',
  'alter role tieout_service bypassrls',
  'grant tieout_owner to tieout_service',
  `copy (select 1) to program 'true'`,
  `select pg_read_file('PG_VERSION')`,
  'create extension dblink',
  'alter database postgres set search_path = pg_temp',
])('the user of the service may not: %s', async (statement) => {
  await service.query('begin');
  const code = await service.query(statement).then(
    () => 'allowed',
    (error: { code: string }) => error.code,
  );
  await service.query('rollback');
  expect(code).toBe(notAllowed);
});

test('statements are not compiled, which takes longer than they run', async () => {
  expect(await db.forTenant(ours).query(`select current_setting('jit') as jit`)).toEqual([{ jit: 'off' }]);
});

test('tenants may not analyse tables, which runs with the rights of the owner', async () => {
  await expect(db.forTenant(ours).query(`select analyse_table('tenants', array['id'])::text`)).rejects.toMatchObject({
    code: notAllowed,
  });
});

describe('rows that are copied by a user whom row security binds', () => {
  const write = async (client: PoolClient, names: readonly string[]): Promise<void> => {
    const copy = copyInto(client, 'datasets', 'id, tenant_id, name, kind');
    for (const name of names) {
      copy.beginRow(4);
      copy.bytes(Buffer.from(newId().replace(/-/g, ''), 'hex'));
      copy.bytes(Buffer.from(ours.replace(/-/g, ''), 'hex'));
      copy.text(name);
      copy.text('records');
    }
    await copy.end();
  };
  const names = async (): Promise<string[]> =>
    (await service.query<{ name: string }>('select name from datasets order by name')).rows.map(({ name }) => name);

  afterEach(() => service.query('delete from datasets'));

  test('are in the table once each, however often one transaction copies', async () => {
    const seen = await db.forTenant(ours).session(async (client) => {
      await client.query('begin');
      await write(client, ['a', 'b']);
      await write(client, ['c']);
      await client.query('commit');
      await client.query('begin');
      await write(client, ['d']);
      await client.query('commit');
      return (await client.query<{ id: string }>('select id from tenants')).rows;
    });
    expect([await names(), seen]).toEqual([['a', 'b', 'c', 'd'], [{ id: ours }]]);
  });

  test('are gone with the savepoint or the transaction that copied them', async () => {
    await db.forTenant(ours).session(async (client) => {
      await client.query('begin; savepoint before');
      await write(client, ['a']);
      await client.query('rollback to savepoint before');
      await write(client, ['b']);
      await client.query('commit; begin');
      await write(client, ['c']);
      await client.query('rollback');
    });
    expect(await names()).toEqual(['b']);
  });

  test('are refused outside of a transaction, where they would be lost on the way', async () => {
    await expect(db.forTenant(ours).session((client) => write(client, ['a']))).rejects.toThrow('need a transaction');
    expect(await names()).toEqual([]);
  });
});
