import { createTestDatabase, sampleInsert, type TableOfTenants, type TestDatabase } from '@tieout/testing';
import { Pool, type PoolClient } from 'pg';
import { createDb, type Db } from './db';
import type { TenantDb } from './types';
import { createLogger } from '../kernel/logger';
import { newId } from '../kernel/ids';

const ours = newId();
const theirs = newId();

let database: TestDatabase;
/** Connects as the owner of the tables, who is not subject to row security. */
let owner: Pool;
let db: Db;
let tenant: TenantDb;
let tables: TableOfTenants[];

const logger = createLogger('test', 'silent');

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new Pool({ connectionString: database.url });
  owner.on('error', () => undefined);
  db = openDb('test');
  tenant = db.forTenant(ours);
  ({ rows: tables } = await owner.query<TableOfTenants>(
    `select table_name as name, column_name as column
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE'
        and (column_name = 'tenant_id' or table_name = 'tenants' and column_name = 'id') order by 1`,
  ));
  for (const { name, column } of tables) for (const id of [ours, theirs]) await insertRow(name, column, id);
});

function openDb(applicationName: string): Db {
  return createDb({ url: database.url, poolSize: 3, applicationName, logger });
}

afterAll(async () => {
  await db.close();
  await owner.end();
  await database.close();
});

const insertStatement = (name: string, column: string, id: string): Promise<string> =>
  sampleInsert(
    async (sql, values) => (await owner.query<{ name: string; type: string }>(sql, values)).rows,
    { name, column },
    id,
  );

async function insertRow(table: string, tenantColumn: string, id: string): Promise<void> {
  // Turns off foreign keys and triggers.
  await owner.query(`set local session_replication_role = replica; ${await insertStatement(table, tenantColumn, id)}`);
}

/** Runs something with each table of tenants; gives the results by table. */
async function ofEach<T>(work: (table: string, column: string) => Promise<T>): Promise<Record<string, T>> {
  const found: Record<string, T> = {};
  for (const { name, column } of tables) found[name] = await work(name, column);
  return found;
}

const each = <T>(value: T): Record<string, T> => Object.fromEntries(tables.map(({ name }) => [name, value]));

/** Runs as a tenant, and leaves nothing. */
async function undone<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  return tenant.session(async (client) => {
    await client.query('begin');
    try {
      return await work(client);
    } finally {
      await client.query('rollback');
    }
  });
}

const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );
const notAllowed = '42501';

/** Tables whose rows a tenant adds, and never changes or deletes. */
const addedOnly = ['audit_entries', 'match_group_adjustments', 'match_group_members', 'period_open_items'];
const keptRows = [...addedOnly, 'balances', 'match_groups', 'period_certificates'];
const unchangedRows = [...addedOnly, 'reconciliation_item_versions'];

/** The same value for each table, but for those that refuse. */
const eachBut = (refusing: readonly string[], value: number): Record<string, unknown> => ({
  ...each<unknown>(value),
  ...Object.fromEntries(refusing.map((name) => [name, notAllowed])),
});

describe('every table with rows of tenants', () => {
  test('there are such tables', () => {
    expect(tables.length).toBeGreaterThan(25);
  });

  test('answers a query without its `where` with the rows of the tenant', async () => {
    const seen = await ofEach(async (table, column) =>
      (await tenant.query<{ id: string }>(`select "${column}" as id from "${table}"`)).map(({ id }) => id),
    );
    expect(seen).toEqual(each([ours]));
  });

  test('answers with no rows to the role of tenants when no tenant is set', async () => {
    const seen = await ofEach((table) =>
      undone(
        async (client) =>
          (
            (await client.query(`set local tieout.tenant_id to ''; select * from "${table}"`)) as unknown as {
              rowCount: number;
            }[]
          )[1]?.rowCount,
      ),
    );
    expect(seen).toEqual(each(0));
  });

  test('lets the tenant change only its own rows', async () => {
    expect(
      await ofEach((table, column) =>
        undone(async (client) => {
          const changing = client.query(`update "${table}" set "${column}" = "${column}"`);
          return unchangedRows.includes(table) ? codeOf(changing) : (await changing).rowCount;
        }),
      ),
    ).toEqual(eachBut(unchangedRows, 1));
  });

  test('lets the tenant delete only its own rows', async () => {
    const left = await ofEach((table) =>
      undone(async (client) => {
        const deleting = client.query(`delete from "${table}"`);
        if (keptRows.includes(table)) return codeOf(deleting);
        await deleting;
        await client.query('set local role to default');
        return (await client.query<{ id: string }>(`select 1 from "${table}"`)).rowCount;
      }),
    );
    expect(left).toEqual(eachBut(keptRows, 1));
  });

  test('refuses a row of another tenant', async () => {
    const codes = await ofEach(async (table, column) => {
      const statement = await insertStatement(table, column, theirs);
      return undone((client) => codeOf(client.query(statement)));
    });
    expect(codes).toEqual(each(notAllowed));
  });

  test('refuses to give a row to another tenant', async () => {
    expect(
      await ofEach((table, column) =>
        undone((client) => codeOf(client.query(`update "${table}" set "${column}" = '${theirs}'`))),
      ),
    ).toEqual(each(notAllowed));
  });

  test('shows the owner all rows: processes of earlier versions run beside newer ones', async () => {
    expect(await ofEach(async (table) => (await owner.query(`select 1 from "${table}"`)).rowCount)).toEqual(each(2));
  });
});

test.each([
  [
    'matches',
    'left_record_id',
    'right_record_id, score, decision, explanation',
    `gen_random_uuid(), 1, 'MATCH', '{}'`,
    'matches_pair_key',
  ],
  [
    'matches',
    'right_record_id',
    'left_record_id, score, decision, explanation',
    `gen_random_uuid(), 1, 'MATCH', '{}'`,
    'matches_right_record_id_idx',
  ],
  [
    'composite_matches',
    'target_record_id',
    'rule_set_version, direction, status, expected_member_count, score, decision, ' +
      'target_amount, composed_amount, amount_delta, explanation',
    `1, 'one_to_many', 'COMPLETE', 1, 1, 'MATCH', 1, 1, 0, '{}'`,
    'composite_matches_target_record_id_idx',
  ],
])(
  '%s of a tenant that statistics do not know yet are looked up by %s as of any other',
  async (table, column, others, values, index) => {
    const plan = await undone(async (client) => {
      await client.query('set local role to default');
      const fill = (tenantId: string): Promise<unknown> =>
        client.query(
          `insert into ${table} (id, tenant_id, job_id, rule_set_id, ${column}, ${others})
           select gen_random_uuid(), $1, gen_random_uuid(), gen_random_uuid(), md5((n % 100)::text)::uuid, ${values}
             from generate_series(1, 5000) n`,
          [tenantId],
        );
      await fill(theirs);
      await client.query(`analyze ${table}`);
      await fill(ours);
      await client.query('set local role tieout_tenant');
      const { rows } = await client.query(
        `explain (format json) select id from ${table} where ${column} = md5('7')::uuid offset 0`,
      );
      return JSON.stringify(rows);
    });
    expect(plan).toContain(index);
    expect(plan).not.toContain(`${table}_pkey`);
  },
);

/** Finds tables that the role of tenants may read and that no policy protects. */
const unguarded = (): Promise<string[]> =>
  owner
    .query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p', 'v', 'm', 'f')
          and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_t%'
          and has_table_privilege('tieout_tenant', c.oid, 'select, insert, update, delete, truncate')
          and not (c.relrowsecurity and exists (
            select 1 from pg_policy p where p.polrelid = c.oid and p.polroles = array['tieout_tenant'::regrole::oid]))`,
    )
    .then(({ rows }) => rows.map(({ name }) => name));

describe('a table without a policy', () => {
  test('is not accessible to tenants', async () => {
    expect(await unguarded()).toEqual([]);
  });

  test('stays inaccessible to them when its policy was forgotten', async () => {
    await owner.query('create table forgotten (tenant_id uuid)');
    expect([await unguarded(), await codeOf(tenant.query('select * from forgotten'))]).toEqual([[], notAllowed]);
    await owner.query('drop table forgotten');
  });

  test('is found by this test when it was made accessible', async () => {
    await owner.query('create table opened (tenant_id uuid); grant select on opened to tieout_tenant');
    expect(await unguarded()).toEqual(['public.opened']);
    await owner.query('drop table opened');
  });

  test('gets its policy from one call', async () => {
    await owner.query(
      `create table added (tenant_id uuid); insert into added values ('${ours}'), ('${theirs}');
       select restrict_to_tenant('added')`,
    );
    expect(await tenant.query('select tenant_id from added')).toEqual([{ tenant_id: ours }]);
    await owner.query('drop table added');
  });
});

describe('the tenant of a statement', () => {
  const tenantIds = Array.from({ length: 40 }, newId);
  const names = async (queries: Pick<TenantDb, 'query'>): Promise<string[]> =>
    (await queries.query<{ name: string }>('select name from tenants')).map(({ name }) => name);

  beforeAll(async () => {
    await owner.query('insert into tenants (id, name) select id, id::text from unnest($1::uuid[]) as id', [tenantIds]);
  });

  const failure = new Error('given up');
  const ways: Record<string, (of: TenantDb) => Promise<string[]>> = {
    query: names,
    prepared: (of) => names(of.prepared),
    brief: (of) => names(of.shortReads),
    orm: async (of) => (await of.orm.tenant.findMany()).map(({ name }) => name),
    'first of orm': async (of) => [(await of.orm.tenant.findFirst())?.name ?? ''],
    transaction: (of) => of.transaction(names),
    'orm in a transaction': (of) =>
      of.transaction(async (tx) => (await tx.orm.tenant.findMany()).map(({ name }) => name)),
    'transaction in a transaction': (of) => of.transaction((tx) => tx.transaction(names)),
    session: (of) =>
      of.session(async (client) =>
        (await client.query<{ name: string }>('select name from tenants')).rows.map(({ name }) => name),
      ),
    'session after a rollback': (of) =>
      of.session(async (client) => {
        await client.query('begin');
        await codeOf(client.query('select 1 / 0'));
        await client.query('rollback');
        return (await client.query<{ name: string }>('select name from tenants')).rows.map(({ name }) => name);
      }),
    'after an error': async (of) => {
      await codeOf(of.query('select 1 / 0'));
      return names(of);
    },
    'brief after a brief error': async (of) => {
      await codeOf(of.shortReads.query('select 1 / 0'));
      return names(of.shortReads);
    },
    'brief in a transaction': (of) => of.transaction((tx) => names(tx.shortReads)),
    'after a transaction that is given up': async (of) => {
      await codeOf(
        of.transaction(async (tx) => {
          await names(tx);
          throw failure;
        }),
      );
      return names(of);
    },
    'after a session that is given up': async (of) => {
      await codeOf(of.session(() => Promise.reject(failure)));
      return names(of);
    },
  };

  const maxWaiting = 100;

  test('is its own while others use the same few connections', async () => {
    const all = await db.system.query<{ name: string }>('select name from tenants');
    const seen: unknown[] = [];
    const expected: unknown[] = [];
    const work: Promise<void>[] = [];
    for (const id of tenantIds) {
      for (const [way, run] of Object.entries(ways)) {
        work.push(run(db.forTenant(id)).then((found) => void seen.push([way, id, found])));
        expected.push([way, id, [id]]);
      }
      work.push(
        db.system
          .query('select name from tenants')
          .then((found) => void seen.push(['system', id, [String(found.length)]])),
      );
      expected.push(['system', id, [String(all.length)]]);
      work.push(
        db.system.orm.tenant.count().then((found) => void seen.push(['orm of the system', id, [String(found)]])),
      );
      expected.push(['orm of the system', id, [String(all.length)]]);
      // A slow machine does not serve all of them within the 10 s that one may wait for a connection.
      if (work.length >= maxWaiting) await Promise.all(work.splice(0));
    }
    await Promise.all(work);
    const sorted = (list: unknown[]): string[] => list.map((one) => JSON.stringify(one)).sort();
    expect(sorted(seen)).toEqual(sorted(expected));
  });

  test('is its own inside a transaction of another one, or of the system', async () => {
    const [one, other] = tenantIds.map((id) => db.forTenant(id)) as [TenantDb, TenantDb];
    const found = await one.transaction(() =>
      other.transaction(async (tx) => [await names(tx), await names(one), await names(other)]),
    );
    const inSystem = await db.system.transaction(async (tx) => [(await names(tx)).length > 2, await names(one)]);
    expect([found, inSystem]).toEqual([
      [[other.tenantId], [one.tenantId], [other.tenantId]],
      [true, [one.tenantId]],
    ]);
  });

  test('is its own, or none, while connections are lost', async () => {
    const wrong: unknown[] = [];
    let lost = 0;
    const losing = openDb('losing');
    const ended = Promise.all(
      tenantIds.slice(0, 12).flatMap((id) =>
        Object.entries(ways).map(async ([way, run]) => {
          try {
            const found = await run(losing.forTenant(id));
            if (found.length !== 1 || found[0] !== id) wrong.push([way, found]);
          } catch {
            lost++;
          }
        }),
      ),
    ).then(() => true);
    while (!(await Promise.race([ended, terminateOne()])));
    await losing.close();
    expect([wrong, lost > 0]).toEqual([[], true]);
  });

  async function terminateOne(): Promise<boolean> {
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'losing' and datname = current_database() order by random() limit 1`,
    );
    return false;
  }
});
