import { createTestDatabase, type TestDatabase } from '@tieout/testing';
import { Client } from 'pg';
import { createLogger } from '../kernel/logger';
import { onlyShortReads } from './handles';
import { createDb, type Db } from './db';
import { isDatabaseUnavailable, isTenantMoving } from './errors';
import { sessionLockClass } from './tenant-role';

const tenantId = '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10';
const otherId = '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a11';

let database: TestDatabase;
let admin: Client;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new Client({ connectionString: database.url });
  await admin.connect();
  db = createDb({
    url: database.serviceUrl,
    poolSize: 4,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
  });
});

afterAll(async () => {
  await db.close();
  await admin.end();
  await database.close();
});

beforeEach(async () => {
  await admin.query('delete from tenants; delete from tenant_moves');
  await admin.query(`insert into tenants (id, name) values ($1, 'moves'), ($2, 'stays')`, [tenantId, otherId]);
});

const move = (state: string) =>
  admin.query(`insert into tenant_moves (id, state, database, status) values ($1, $2, 'b', 'active')`, [
    tenantId,
    state,
  ]);

const ways: [string, (id: string) => Promise<unknown>][] = [
  ['a statement', (id) => db.forTenant(id).query('select id from tenants')],
  ['a prepared statement', (id) => db.forTenant(id).prepared.query('select id from tenants')],
  ['a short read', (id) => onlyShortReads(db.forTenant(id)).shortReads.query('select id from tenants')],
  ['a transaction', (id) => db.forTenant(id).transaction((tx) => tx.query('select id from tenants'))],
  ['an operation of the ORM', (id) => db.forTenant(id).orm.tenant.count()],
  ['a session', (id) => db.forTenant(id).session((client) => client.query('select id from tenants'))],
];

describe.each(['moving', 'moved', 'arriving'])('a tenant that is %s', (status) => {
  test.each(ways)('is refused %s, and no other tenant is', async (_name, run) => {
    await run(tenantId);
    await move(status);
    const error = await run(tenantId).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect([isTenantMoving(error), isDatabaseUnavailable(error)]).toEqual([true, true]);
    await run(otherId);
    await admin.query('delete from tenant_moves');
    await run(tenantId);
  });
});

test('a session of a tenant holds a lock that a move waits for, until it ends', async () => {
  const held = async (): Promise<number> => {
    const { rows } = await admin.query<{ count: number }>(
      `select count(*)::int as count from pg_locks
        where locktype = 'advisory' and classid = $1 and objid::bigint = hashtext($2)::bigint & 4294967295`,
      [sessionLockClass, tenantId],
    );
    return rows[0]?.count ?? -1;
  };
  await db.forTenant(tenantId).session(async () => expect(await held()).toBe(1));
  expect(await held()).toBe(0);
});
