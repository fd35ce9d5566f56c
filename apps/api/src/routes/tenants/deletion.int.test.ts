import { readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { beginUpload, createMaintenanceHandlers, eraseTenant, queueNames, tenantScope } from '@tieout/domain';
import { createCipher, newId, queueClasses } from '@tieout/infra';
import {
  createTestService,
  sampleInsert,
  testSecretsKey,
  type TableOfTenants,
  type TestService,
} from '@tieout/testing';
import { eventually, startTestApi, uploadTo, type TestApi, type TestTenant } from '../../../testing';
import { openOwner, type Owner } from '../../../testing/isolation';

let service: TestService;
let api: TestApi;
let own: Owner;
let other: Owner;

beforeAll(async () => {
  service = await createTestService();
  // The workers end with the first API: none erases a tenant beside a test.
  const preparing = await startTestApi({ service });
  own = await openOwner(preparing, 'own');
  other = await openOwner(preparing, 'other');
  await preparing.close();
  api = await startTestApi({ service });
});

afterAll(async () => {
  await api.close();
  await service.close();
});

const system = () => api.service.deps.db.system;

/** The number of rows of a tenant in each table with a tenant column, without empty ones. */
async function rowsOf(tenantId: string): Promise<Record<string, number>> {
  const tables = await system().query<TableOfTenants>(
    `select table_name as name, column_name as column
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = current_schema() and table_type = 'BASE TABLE'
        and (column_name in ('tenant_id', 'owner_id') or table_name = 'tenants' and column_name = 'id')`,
  );
  const counts: Record<string, number> = {};
  for (const { name, column } of tables) {
    const [row] = await system().query<{ count: number }>(
      `select count(*)::int as count from "${name}" where "${column}" = $1::uuid`,
      [tenantId],
    );
    if (row && row.count > 0) counts[name] = row.count;
  }
  return counts;
}

async function queueJobsOf(tenantId: string): Promise<string[]> {
  const { openQueue } = queueClasses(api.service.queueSettings, { role: 'producer' });
  const found: string[] = [];
  for (const name of queueNames) {
    const queue = openQueue(name);
    await queue.waitUntilReady();
    const jobs = await queue.getJobs(['waiting', 'delayed', 'prioritized', 'failed']);
    found.push(...jobs.filter(({ data }) => JSON.stringify(data).includes(tenantId)).map((job) => job.name));
    await queue.close();
  }
  return found;
}

const storedFiles = async (): Promise<string[]> =>
  readdir(api.service.env.STORAGE_URL.slice('file:'.length), { recursive: true });

const sweep = (): Promise<void> =>
  createMaintenanceHandlers(api.service.deps, createCipher(testSecretsKey))['maintenance.sweep']();

/** Runs the erasure until the tenant is gone. */
const erased = (tenantId: string) =>
  eventually(
    async () => {
      await eraseTenant(api.service.deps, tenantId);
      return (await api.platform.get(`/v1/tenants/${tenantId}`)).status;
    },
    (status) => status === 404,
  );

/** Rows that no request of the tests makes, so that every table with a tenant column has one. */
async function fillOtherTables(tenantId: string): Promise<void> {
  const has = await rowsOf(tenantId);
  const tables = await system().query<{ name: string }>(
    `select table_name as name from information_schema.columns join information_schema.tables
        using (table_schema, table_name)
      where table_schema = current_schema() and table_type = 'BASE TABLE' and column_name = 'tenant_id'`,
  );
  for (const { name } of tables) {
    if (has[name] !== undefined) continue;
    const insert = await sampleInsert(
      (sql, values) => system().query(sql, values),
      { name, column: 'tenant_id' },
      tenantId,
    );
    await system().transaction(async (tx) => {
      await tx.execute('set local session_replication_role = replica');
      await tx.execute(insert);
    });
  }
}

test('a deleted tenant is gone from every table, the storage and the queues, and no other one changes', async () => {
  const { tenantId } = own.tenant;
  await fillOtherTables(tenantId);
  const before = await rowsOf(tenantId);
  const tables = await system().query(
    `select 1 from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = current_schema() and table_type = 'BASE TABLE' and column_name = 'tenant_id'`,
  );
  // And its own row. Unlogged allowances are there only once a request was charged.
  expect(Object.keys(before).filter((name) => name !== 'rate_limits').length).toBe(tables.length + 1);
  await api.service.deps.queue.enqueue('records.process', { tenantId, recordIds: [newId()] }, { delayMs: 3_600_000 });
  expect((await storedFiles()).some((name) => name.startsWith(tenantId))).toBe(true);
  const others = await rowsOf(other.tenant.tenantId);

  const { body } = await api.platform.delete(`/v1/tenants/${tenantId}`).expect(202);
  expect(body).toMatchObject({ id: tenantId, status: 'deleting', deletion: { erased: {} } });
  await api.startItems();
  await sweep();
  await erased(tenantId);

  expect(await rowsOf(tenantId)).toEqual({});
  expect((await storedFiles()).filter((name) => name.includes(tenantId))).toEqual([]);
  expect(await queueJobsOf(tenantId)).toEqual([]);
  expect(await rowsOf(other.tenant.tenantId)).toEqual(others);
  await api.withKey(other.tenant.key).get(`/v1/records/${other.resources.record}`).expect(200);
  await api.platform.delete(`/v1/tenants/${tenantId}`).expect(204);
});

describe('while a tenant is deleted', () => {
  let tenant: TestTenant;

  beforeEach(async () => {
    tenant = await api.newTenant();
    await tenant.api.post('/v1/records?dataset=a', { body: { n: 1 } }).expect(202);
    await api.platform.delete(`/v1/tenants/${tenant.tenantId}`).expect(202);
  });

  test('its keys are unknown, and so is it to the platform key', async () => {
    await system().query('select pg_sleep(0.6)');
    expect((await tenant.api.get('/v1/records').expect(401)).body).toMatchObject({ code: 'invalid_api_key' });
    const { body } = await api.platform.get('/v1/records').set('x-tenant-id', tenant.tenantId).expect(404);
    expect(body).toMatchObject({ code: 'tenant_not_found' });
  });

  test('its progress can be read, a repetition changes nothing, and it can be neither changed nor set up', async () => {
    const before = (await api.platform.get(`/v1/tenants/${tenant.tenantId}`).expect(200)).body;
    expect(before).toMatchObject({ status: 'deleting', deletion: { erased: {} }, quotas: { records: { used: 1 } } });
    await api.platform.delete(`/v1/tenants/${tenant.tenantId}`).expect(202);
    expect((await api.platform.get(`/v1/tenants/${tenant.tenantId}`)).body).toEqual(before);
    for (const call of [
      api.platform.patch(`/v1/tenants/${tenant.tenantId}`, { status: 'active' }),
      api.platform.post('/v1/setup/core', { companyId: tenant.tenantId }),
      api.platform.post('/v1/tenants', { name: 'Again', id: tenant.tenantId }),
    ])
      expect((await call.expect(409)).body).toMatchObject({ code: 'conflict' });
  });

  test('rows that running work still writes are erased too', async () => {
    const { system: db } = api.service.deps.db;
    let isFirst = true;
    const deps = {
      ...api.service.deps,
      storage: {
        ...api.service.deps.storage,
        deleteAll: async (directory: string) => {
          if (isFirst)
            await db.execute(
              `insert into events (id, tenant_id, type, occurred_at, body)
               values (gen_random_uuid(), $1::uuid, 'X', now(), '')`,
              [tenant.tenantId],
            );
          isFirst = false;
          await api.service.deps.storage.deleteAll(directory);
        },
      },
    };
    await eraseTenant(deps, tenant.tenantId);
    const { body } = await api.platform.get(`/v1/tenants/${tenant.tenantId}`).expect(200);
    expect(body).toMatchObject({ status: 'deleting', deletion: { erased: { records: 1, datasets: 1 } } });
    await eraseTenant(deps, tenant.tenantId);
    await api.platform.get(`/v1/tenants/${tenant.tenantId}`).expect(404);
    expect(await rowsOf(tenant.tenantId)).toEqual({});
  });

  test('an id that is free again can be used again', async () => {
    await erased(tenant.tenantId);
    await api.platform.post('/v1/setup/core', { companyId: tenant.tenantId }).expect(201);
    expect((await api.platform.get(`/v1/tenants/${tenant.tenantId}`)).body).toMatchObject({ status: 'active' });
  });
});

test('deleting an unknown tenant is 204, an id that is none 404', async () => {
  await api.platform.delete(`/v1/tenants/${newId()}`).expect(204);
  await api.platform.delete('/v1/tenants/nonsense').expect(404);
});

test('the sweep erases a deleted tenant whose queue job is lost', async () => {
  const { tenantId } = await api.newTenant();
  await system().execute(`update tenants set status = 'deleting', deleting_since = now() where id = $1::uuid`, [
    tenantId,
  ]);
  await api.service.deps.queue.enqueue('maintenance.sweep', {});
  await api.runMatching();
  await api.platform.get(`/v1/tenants/${tenantId}`).expect(404);
});

test('an upload that goes on while its tenant is erased leaves no bytes', async () => {
  const { tenantId, api: as } = await api.newTenant();
  const { body: source } = await as.post('/v1/data-sources', { name: 'files', kind: 'files' }).expect(201);
  const sourceId = (source as { id: string }).id;
  await uploadTo(as, sourceId, 'a\n1\n', {}, 'a.csv');
  const upload = await beginUpload(tenantScope(api.service.deps, tenantId), sourceId);
  await api.platform.delete(`/v1/tenants/${tenantId}`).expect(202);
  await erased(tenantId);
  await upload.store(Readable.from(['a\n1\n']));
  await upload.discard();
  expect((await storedFiles()).filter((name) => name.includes(`${tenantId}/`))).toEqual([]);
});
