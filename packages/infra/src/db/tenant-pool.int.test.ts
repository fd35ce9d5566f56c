import { createTestDatabase, type TestDatabase } from '@tieout/testing';
import { Client, type PoolClient } from 'pg';
import { newId } from '../kernel/ids';
import { createLogger } from '../kernel/logger';
import { createDb, type Db } from './db';
import { TenantPool } from './tenant-pool';
import type { TenantDb } from './types';
import { copyInto } from './wire/copy-in';

const ours = newId();

let database: TestDatabase;
let owner: Client;
let db: Db;
let tenant: TenantDb;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  await owner.query('insert into tenants (id, name) select id, id::text from unnest($1::uuid[]) as id', [
    [ours, newId()],
  ]);
  db = createDb({ url: database.url, poolSize: 3, applicationName: 'test', logger: createLogger('test', 'silent') });
  tenant = db.forTenant(ours);
});

afterAll(async () => {
  await db.close();
  await owner.end();
  await database.close();
});

describe('the tenant of a session', () => {
  test('still applies after an operation of the owner', async () => {
    const found = await tenant.session(async (client) => {
      const copy = copyInto(client, 'tenants', 'id, name');
      copy.beginRow(2);
      copy.bytes(Buffer.from(newId().replace(/-/g, ''), 'hex'));
      copy.text('copied');
      await copy.end();
      return (await client.query<{ id: string }>('select id from tenants')).rows;
    });
    expect(found).toEqual([{ id: ours }]);
    await owner.query(`delete from tenants where name = 'copied'`);
  });

  test('still applies after a failed COPY', async () => {
    const found = await tenant.session(async (client) => {
      const copy = copyInto(client, 'tenants', 'id, name');
      copy.beginRow(1);
      copy.text('too few');
      await expect(copy.end()).rejects.toThrow();
      return (await client.query<{ id: string }>('select id from tenants')).rows;
    });
    expect(found).toEqual([{ id: ours }]);
  });

  test('ends with the session: the next statement on the connection sees everything', async () => {
    const pool = new TenantPool({ connectionString: database.url, max: 1 });
    await pool.session(ours, (client) => client.query('select 1'));
    const { rows } = await pool.withVisible('all', () =>
      pool.query('select current_user <> session_user as left, current_setting($1) as id', ['tieout.tenant_id']),
    );
    await pool.end();
    expect(rows).toEqual([{ left: false, id: '' }]);
  });
});

describe('a mistake in the code', () => {
  let pool: TenantPool;

  beforeEach(() => {
    pool = new TenantPool({ connectionString: database.url, max: 1 });
  });

  afterEach(() => pool.end());

  test('that sets no visibility reaches no connection', async () => {
    await expect(pool.query('select 1')).rejects.toThrow('whose rows');
    await expect(pool.connect()).rejects.toThrow('whose rows');
  });

  test('that leaves a transaction of a session open costs the connection', async () => {
    const pidOf = (client: PoolClient) =>
      client.query<{ pid: number }>('select pg_backend_pid() as pid').then(({ rows }) => rows[0]?.pid);
    const first = await pool.session(ours, async (client) => {
      await client.query('begin');
      return pidOf(client);
    });
    expect(await pool.session(ours, pidOf)).not.toBe(first);
  });

  test('that calls findUnique, which Prisma batches across tenants, is refused', async () => {
    const { dataset } = tenant.orm as unknown as { dataset: { findUnique(query: object): Promise<unknown> } };
    await expect(dataset.findUnique({ where: { id: ours } })).rejects.toThrow('findFirst');
  });
});
