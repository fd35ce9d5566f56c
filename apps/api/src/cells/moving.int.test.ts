import { moveTenant, abortMove, createMatchingHandlers, eraseTenant, previewMove, type MoveStep } from '@tieout/domain';
import { isTenantMoving, openDirect, type DirectConnection } from '@tieout/infra';
import { createTestService, sampleInsert, type TableOfTenants, type TestService } from '@tieout/testing';
import { eventually, startTestApi, type TestApi, type TestTenant } from '../../testing';
import { openReconciliation, type ReconciledBooks } from '../../testing/open-books';
import { startRunOf } from '../../testing/runs';

const names = ['main', 'b', 'c'] as const;
type Name = (typeof names)[number];

let services: Record<Name, TestService>;
let api: TestApi;

beforeAll(async () => {
  const [main, b, c] = [await createTestService(), await createTestService(), await createTestService()];
  services = { main, b, c };
  api = await startTestApi({ service: main, databases: { b, c } });
});

afterAll(async () => {
  await api.close();
  for (const one of Object.values(services)) await one.close();
});

const date = '2026-03-10';

const openBooks = (pairs: number): Promise<ReconciledBooks> => {
  const records = Array.from({ length: pairs }, (_, i) => ({ ref: `r${i}`, amount: i + 1, date }));
  return openReconciliation(api, { lefts: records, rights: records });
};

/** Runs a command on connections of its own, which end with it as with its process. */
async function onAll<T>(work: (databases: DirectConnection[]) => Promise<T>): Promise<T> {
  const databases: DirectConnection[] = [];
  for (const name of names) databases.push(await openDirect({ name, url: services[name].database.url }));
  try {
    return await work(databases);
  } finally {
    for (const one of databases) await one.close();
  }
}

interface Told {
  lines: string[];
  say: (line: string) => void;
}

const listener = (): Told => {
  const lines: string[] = [];
  return { lines, say: (line) => void lines.push(line) };
};

class Stopped extends Error {}

/** Moves a tenant; with `until`, as far as that step. */
const move = (tenantId: string, to: string, until?: MoveStep): Promise<string[]> =>
  onAll(async (databases) => {
    const { lines, say } = listener();
    const onStep = (step: MoveStep): void => {
      if (step === until) throw new Stopped(`stopped at ${step}`);
    };
    await moveTenant({ tenantId, to, databases, waitMs: 20_000, say, onStep });
    return lines;
  });

/** Sends a request again while the tenant moves. */
async function retried(send: () => PromiseLike<{ status: number; body: unknown }>): Promise<unknown> {
  for (;;) {
    const { status, body } = await send();
    if (status < 300) return body;
    if (status !== 503) throw new Error(`${status}: ${JSON.stringify(body)}`);
    expect((body as { code: string }).code).toBe('tenant_moving');
  }
}

/** Reads everything that the tenant has. */
async function everythingOf(books: ReconciledBooks): Promise<unknown> {
  const paths = [
    '/v1/records?dataset=left&limit=100',
    `/v1/match-groups?reconciliationId=${books.id}&limit=100`,
    `/v1/reconciliations/${books.id}`,
    `/v1/reconciliations/${books.id}/summary`,
    '/v1/audit?limit=100',
    '/v1/audit/verify',
    '/v1/billing/usage',
    '/v1/datasets',
    '/v1/rule-sets',
  ];
  // Knowledge of a key may be a moment old, after a move too.
  await retried(() => books.tenant.api.get('/v1/datasets'));
  const bodies: unknown[] = [await books.open()];
  for (const path of paths) bodies.push((await books.tenant.api.get(path).expect(200)).body);
  return bodies;
}

async function rowsIn(name: Name, tenantId: string): Promise<Record<string, number>> {
  const { system } = services[name].deps.db;
  const tables = await system.query<{ name: string }>(
    `select table_name as name from information_schema.columns join information_schema.tables
        using (table_schema, table_name)
      where table_schema = current_schema() and table_type = 'BASE TABLE' and column_name = 'tenant_id' order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const [row] = await system.query<{ rows: number }>(
      `select count(*)::int as rows from "${table.name}" where tenant_id = $1::uuid`,
      [tenantId],
    );
    if (row && row.rows > 0) counts[table.name] = row.rows;
  }
  return counts;
}

const stateIn = async (name: Name, tenantId: string): Promise<string | undefined> => {
  const rows = await services[name].deps.db.system.query<{ status: string }>(
    'select status from tenants where id = $1::uuid',
    [tenantId],
  );
  return rows[0]?.status;
};

test('under load, every acknowledged write is there once, and everything else is as before', async () => {
  const books = await openBooks(50);
  const { tenant } = books;
  let isMoving = true;
  const written: string[] = [];
  const write = async (writer: number): Promise<void> => {
    for (let i = 0; isMoving; i++) {
      const externalId = `w${writer}-${i}`;
      await retried(() => tenant.api.post('/v1/records?dataset=extra', { externalId, body: { n: i } }));
      written.push(externalId);
    }
  };
  const tied: string[] = [];
  const tie = async (): Promise<void> => {
    for (let i = 0; i < 50 && isMoving; i++) {
      const [left, right] = [[books.recordIds.get(`l${i}`)], [books.recordIds.get(`r${i}`)]];
      const group = { reconciliationId: books.id, left, right };
      tied.push(((await retried(() => tenant.api.post('/v1/match-groups', group))) as { id: string }).id);
    }
  };
  const load = [...[0, 1, 2, 3].map(write), tie()];
  await move(tenant.tenantId, 'b');
  isMoving = false;
  await Promise.all(load);

  const rows = await services.b.deps.db.system.query<{ id: string }>(
    `select r.external_id as id from records r join datasets d on d.id = r.dataset_id
      where d.tenant_id = $1::uuid and d.name = 'extra'`,
    [tenant.tenantId],
  );
  expect(rows.map(({ id }) => id).sort()).toEqual(written.sort());
  const { body } = await tenant.api.get(`/v1/match-groups?reconciliationId=${books.id}&limit=100`).expect(200);
  expect((body as { items: { id: string }[] }).items.map(({ id }) => id).sort()).toEqual(tied.sort());
  expect(Object.keys(await books.open())).toHaveLength(2 * (50 - tied.length));
  expect((await tenant.api.get('/v1/audit/verify').expect(200)).body).toMatchObject({ valid: true });
  expect([await rowsIn('main', tenant.tenantId), await stateIn('main', tenant.tenantId)]).toEqual([{}, undefined]);
});

test('a tenant that moves on and back reads the same everywhere', async () => {
  const books = await openBooks(20);
  for (const i of [0, 1, 2]) await books.tie([`l${i}`], [`r${i}`]).expect(201);
  const before = await everythingOf(books);
  const { tenantId } = books.tenant;
  for (const to of ['b', 'c', 'main']) {
    await move(tenantId, to);
    expect(await everythingOf(books)).toEqual(before);
  }
  await books.tie(['l3'], ['r3']).expect(201);
  const all = (await api.platform.get('/v1/tenants?limit=100').expect(200)).body as { items: { id: string }[] };
  expect(all.items.filter(({ id }) => id === tenantId)).toHaveLength(1);
});

test('a job that runs begins again in the other database, and ties what it would have tied', async () => {
  const books = await openBooks(5);
  const { tenantId } = books.tenant;
  const { id: jobId } = await startRunOf(books);
  await createMatchingHandlers(services.main.deps)['matching.plan']({ tenantId, jobId });
  const batchesIn = (name: Name) =>
    services[name].deps.db.system.query<{ entryId: string; batchNo: number }>(
      `select entry_id::text as "entryId", batch_no as "batchNo" from job_batches where job_id = $1::uuid`,
      [jobId],
    );
  expect(await batchesIn('main')).not.toEqual([]);
  await move(tenantId, 'b');
  expect([await batchesIn('main'), await batchesIn('b')]).toEqual([[], []]);
  const handlers = createMatchingHandlers(services.b.deps);
  await handlers['matching.plan']({ tenantId, jobId });
  for (const batch of await batchesIn('b')) await handlers['matching.batch']({ tenantId, jobId, ...batch });
  await handlers['matching.finish']({ tenantId, jobId });
  expect(await books.job(jobId)).toMatchObject({ status: 'completed' });
  expect(await books.open()).toEqual({});
});

test('every table with a tenant column moves, those apart that a crash empties', async () => {
  const { tenantId } = await api.newTenant();
  const { system } = services.main.deps.db;
  const tables = await system.query<TableOfTenants>(
    `select c.relname as name, 'tenant_id' as column from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relpersistence <> 'u'`,
  );
  const has = await rowsIn('main', tenantId);
  for (const table of tables.filter(({ name }) => has[name] === undefined)) {
    const insert = await sampleInsert((sql, values) => system.query(sql, values), table, tenantId);
    await system.transaction(async (tx) => {
      await tx.execute('set local session_replication_role = replica');
      await tx.execute(insert);
    });
  }
  const before = await rowsIn('main', tenantId);
  expect(Object.keys(before).sort()).toEqual(tables.map(({ name }) => name).sort());
  await move(tenantId, 'c');
  expect([await rowsIn('main', tenantId), await rowsIn('c', tenantId)]).toEqual([{}, before]);
});

describe('a move that ends after the source has given the tenant up', () => {
  test.each<MoveStep>(['switched', 'listed', 'activated', 'erased'])('at the step %s goes on', async (step) => {
    const books = await openBooks(4);
    await books.tie(['l0'], ['r0']).expect(201);
    const before = await everythingOf(books);
    const { tenantId, api: as } = books.tenant;
    await expect(move(tenantId, 'b', step)).rejects.toThrow(Stopped);
    const isServed = step === 'activated' || step === 'erased';
    if (isServed) await retried(() => as.get('/v1/datasets'));
    else expect((await as.get('/v1/datasets').expect(503)).body).toMatchObject({ code: 'tenant_moving' });
    await expect(onAll((databases) => abortMove({ tenantId, databases, say: () => undefined }))).rejects.toThrow(
      step === 'erased' ? 'is in b and does not move' : 'belongs to b already',
    );
    await move(tenantId, 'b');
    expect(await everythingOf(books)).toEqual(before);
    expect(await rowsIn('main', tenantId)).toEqual({});
  });
});

describe('a move that fails before', () => {
  test.each<MoveStep>(['fenced', 'drained', 'copied'])('at the step %s leaves everything as it was', async (step) => {
    const books = await openBooks(4);
    const before = await everythingOf(books);
    const { tenantId } = books.tenant;
    await expect(move(tenantId, 'b', step)).rejects.toThrow('Nothing was moved: main serves the tenant');
    expect(await everythingOf(books)).toEqual(before);
    expect([await rowsIn('b', tenantId), await stateIn('b', tenantId)]).toEqual([{}, undefined]);
    await books.tie(['l0'], ['r0']).expect(201);
    await move(tenantId, 'b');
    expect(await stateIn('b', tenantId)).toBe('active');
  });

  test('because work goes on for too long, which it names', async () => {
    const { tenantId } = await api.newTenant();
    const { deps } = services.main;
    await deps.db.forTenant(tenantId).session(async (client) => {
      await client.query('begin');
      await expect(
        onAll((databases) => moveTenant({ tenantId, to: 'b', databases, waitMs: 200, say: () => undefined })),
      ).rejects.toThrow(/still running after 0 s: process \d+ \(tieout test.*Nothing was moved/);
      await client.query('commit');
    });
    expect(await stateIn('main', tenantId)).toBe('active');
  });
});

test('a database that the tenant has left refuses it, and a process that does not know finds it', async () => {
  const stale = await startTestApi({ service: services.main, databases: { b: services.b, c: services.c } });
  const { tenantId, key } = await api.newTenant();
  await stale.withKey(key).get('/v1/datasets').expect(200);
  stale.cells?.stop();
  await move(tenantId, 'c');
  const refused = await services.main.deps.db
    .forTenant(tenantId)
    .query('select 1')
    .catch((error: unknown) => isTenantMoving(error));
  expect(refused).toBe(true);
  await retried(() => stale.withKey(key).post('/v1/datasets', { name: 'found' }));
  const { body } = await api.platform.get('/v1/datasets').set('x-tenant-id', tenantId).expect(200);
  expect(body).toMatchObject({ items: [{ name: 'found' }] });
  await stale.close();
});

test('an id that was erased elsewhere can be used again in the database that it has left', async () => {
  const { tenantId } = await api.newTenant();
  await move(tenantId, 'b');
  await api.platform.post('/v1/tenants', { name: 'again', id: tenantId }).expect(409);
  await api.platform.delete(`/v1/tenants/${tenantId}`).expect(202);
  await eventually(
    async () => {
      await eraseTenant(services.b.deps, tenantId);
      return (await api.platform.get(`/v1/tenants/${tenantId}`)).status;
    },
    (status) => status === 404,
  );
  await api.platform.post('/v1/tenants', { name: 'again', id: tenantId }).expect(201);
  await api.platform.post('/v1/datasets', { name: 'new' }).set('x-tenant-id', tenantId).expect(201);
  expect(await stateIn('main', tenantId)).toBe('active');
});

test('a suspended tenant is suspended afterwards, and while it moves it cannot be changed or deleted', async () => {
  const { tenantId } = await api.newTenant();
  await api.platform.patch(`/v1/tenants/${tenantId}`, { status: 'suspended' }).expect(200);
  await services.main.deps.db.system.execute(
    `insert into tenant_moves (id, state, database, status) values ($1::uuid, 'moving', 'b', 'suspended')`,
    [tenantId],
  );
  await services.main.deps.db.system.execute(`update tenants set status = 'moving' where id = $1::uuid`, [tenantId]);
  expect((await api.platform.get(`/v1/tenants/${tenantId}`).expect(200)).body).toMatchObject({ status: 'moving' });
  for (const call of [
    api.platform.patch(`/v1/tenants/${tenantId}`, { status: 'active' }),
    api.platform.delete(`/v1/tenants/${tenantId}`),
    api.platform.post('/v1/setup/core', { companyId: tenantId }),
  ])
    expect((await call.expect(503)).body).toMatchObject({ code: 'tenant_moving' });
  await move(tenantId, 'b');
  expect((await api.platform.get(`/v1/tenants/${tenantId}`).expect(200)).body).toMatchObject({ status: 'suspended' });
});

test('a preview changes nothing, and what cannot move is refused by name', async () => {
  const tenant: TestTenant = await api.newTenant();
  const { tenantId } = tenant;
  const told = listener();
  const options = { tenantId, waitMs: 1_000, say: told.say };
  await onAll((databases) => previewMove({ ...options, to: 'b', databases }));
  expect(told.lines.join('\n')).toMatch(/is in main[^]*api_keys: 1/);
  expect(await stateIn('main', tenantId)).toBe('active');
  const refused = (change: object) =>
    onAll((databases) =>
      moveTenant({ ...options, to: 'b', databases, ...change }).catch((error: Error) => error.message),
    );
  expect(await refused({ to: 'x' })).toContain('there is no database "x"');
  expect(await refused({ tenantId: 'x' })).toContain('"x" is not the id of a tenant');
  expect(await refused({ tenantId: '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10' })).toContain('no database has the tenant');
  expect(await move(tenantId, 'main')).toEqual(['The tenant is in main already.']);
});
