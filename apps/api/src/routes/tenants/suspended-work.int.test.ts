import { createCipher } from '@tieout/infra';
import { createMaintenanceHandlers } from '@tieout/domain';
import { testSecretsKey } from '@tieout/testing';
import {
  alone,
  openBooks,
  startTestApi,
  uploadTo,
  type FileBody,
  type TestApi,
  type TestTenant,
} from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi(alone);
});

afterAll(() => api.close());

const system = () => api.service.deps.db.system;
const setStatus = (tenant: TestTenant, status: string) =>
  api.platform.patch(`/v1/tenants/${tenant.tenantId}`, { status }).expect(200);

async function suspend(tenant: TestTenant): Promise<void> {
  await setStatus(tenant, 'suspended');
  await system().query('select pg_sleep(0.6)');
}

/** Lets what waits be overdue, and sweeps. */
async function sweepLater(tenant: TestTenant): Promise<void> {
  for (const [table, columns] of [
    ['records', ['updated_at']],
    ['data_source_files', ['updated_at']],
    ['matching_jobs', ['created_at', 'started_at', 'planned_at']],
    ['job_batches', ['done_at']],
  ] as const)
    await system().execute(
      `update ${table} set ${columns.map((column) => `${column} = ${column} - interval '2 minutes'`).join()}
        where tenant_id = $1::uuid`,
      [tenant.tenantId],
    );
  await createMaintenanceHandlers(api.service.deps, createCipher(testSecretsKey))['maintenance.sweep']();
}

const as = (tenant: TestTenant, path: string) => api.platform.get(path).set('x-tenant-id', tenant.tenantId).expect(200);

async function recordStatuses(tenant: TestTenant): Promise<string[]> {
  const { body } = await as(tenant, '/v1/records?limit=100');
  return [...new Set((body as { items: { status: string }[] }).items.map(({ status }) => status))];
}

test('records, files and jobs of a suspended tenant wait, whatever sweeps, and go on afterwards', async () => {
  const books = await openBooks(api, [{ ref: 'a' }], [{ ref: 'a' }]);
  const { tenant } = books;
  await books.ruleSet();
  const { body: source } = await tenant.api.post('/v1/data-sources', { name: 'files', kind: 'files' }).expect(201);
  const sourceId = (source as { id: string }).id;
  const job = await books.start();
  await suspend(tenant);
  // The queues still hold the jobs of before the suspension.
  await system().execute(`update records set status = 'received' where tenant_id = $1::uuid`, [tenant.tenantId]);
  await api.runIngest();
  await api.runMatching();
  for (let i = 0; i < 2; i++) {
    await sweepLater(tenant);
    await api.runIngest();
    await api.runMatching();
  }
  expect(await recordStatuses(tenant)).toEqual(['received']);
  expect((await as(tenant, `/v1/matching-jobs/${job.id}`)).body).toMatchObject({ status: 'queued' });

  await setStatus(tenant, 'active');
  await system().query('select pg_sleep(0.6)');
  const file = await uploadTo(tenant.api, sourceId, 'ref\na\n', { dataset: 'more' }, 'a.csv');
  await sweepLater(tenant);
  await api.runIngest();
  await api.runMatching();
  expect(await recordStatuses(tenant)).toEqual(['ready']);
  expect(await books.job(job.id)).toMatchObject({ status: 'completed', decision_counts: { MATCH: 1 } });
  const { body } = await as(tenant, `/v1/data-sources/${sourceId}/files/${file.id}`);
  expect(body as FileBody).toMatchObject({ status: 'ready', rowCount: 1 });
});

test('a file that is being read stops at the end of a chunk, and goes on to read every row once', async () => {
  const tenant = await api.newTenant();
  const { body: source } = await tenant.api.post('/v1/data-sources', { name: 'files', kind: 'files' }).expect(201);
  const sourceId = (source as { id: string }).id;
  const rows = 20_000;
  const content = `n\n${Array.from({ length: rows }, (_, i) => i).join('\n')}\n`;
  const file = await uploadTo(tenant.api, sourceId, content, { dataset: 'many' }, 'a.csv');
  // The tenant is suspended once the first chunk is stored.
  await system().execute(
    `create function suspend_now() returns trigger language plpgsql as $$ begin
       update tenants set status = 'suspended' where id = new.tenant_id and status = 'active'; return null; end $$`,
  );
  await system().execute(
    `create trigger suspends after update of next_line on data_source_files for each row
       when (new.tenant_id = '${tenant.tenantId}' and new.next_line > 0) execute function suspend_now()`,
  );
  await system().execute(`alter function suspend_now() security definer`);
  await api.runIngest();
  const path = `/v1/data-sources/${sourceId}/files/${file.id}`;
  const paused = (await as(tenant, path)).body as FileBody;
  expect(paused.status).toBe('processing');
  expect(paused.metadata.ready).toBeGreaterThan(0);
  expect(paused.metadata.ready).toBeLessThan(rows);
  await system().execute('drop trigger suspends on data_source_files');
  await sweepLater(tenant);
  await api.runIngest();
  expect(((await as(tenant, path)).body as FileBody).metadata.ready).toBe(paused.metadata.ready);

  await setStatus(tenant, 'active');
  await system().query('select pg_sleep(0.6)');
  await sweepLater(tenant);
  await api.runIngest();
  expect((await as(tenant, path)).body).toMatchObject({ status: 'ready', metadata: { ready: rows } });
  const [count] = await system().query<{ all: number; different: number }>(
    `select count(*)::int as all, count(distinct data ->> 'n')::int as different from records
      where tenant_id = $1::uuid`,
    [tenant.tenantId],
  );
  expect(count).toEqual({ all: rows, different: rows });
});
