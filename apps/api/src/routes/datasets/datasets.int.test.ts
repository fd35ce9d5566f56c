import { ensureDataset, purgeDeletedDatasets, tenantScope } from '@tieout/domain';
import { newId } from '@tieout/infra';
import { startTestApi, type TestApi, type TestTenant } from '../../../testing';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startTestApi();
  tenant = await api.newTenant();
});

afterAll(() => api.close());

const unknownId = '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10';
const scopeOf = (t: TestTenant) => tenantScope(api.service.deps, t.tenantId);

async function newDataset(name: string, as = tenant): Promise<string> {
  const { body } = await as.api.post('/v1/datasets', { name }).expect(201);
  return (body as { id: string }).id;
}

/** Rows straight into the table: what is tested is what happens to them. */
async function addRecords(datasetId: string, data: readonly object[], as = tenant): Promise<string[]> {
  const ids = data.map(() => newId());
  await api.service.deps.db.system.execute(
    `insert into records (id, tenant_id, dataset_id, data) select i, $1::uuid, $2::uuid, d::jsonb
       from unnest($3::uuid[], $4::text[]) as r(i, d)`,
    [as.tenantId, datasetId, ids, data.map((d) => JSON.stringify(d))],
  );
  return ids;
}

const count = async (sql: string, parameters: (string | string[])[]): Promise<number> => {
  const rows = await api.service.deps.db.system.query<{ n: number }>(
    `select count(*)::int as n from ${sql}`,
    parameters,
  );
  return rows[0]?.n ?? -1;
};

test('a dataset is created with defaults and read back', async () => {
  const { body } = await tenant.api.post('/v1/datasets', { name: 'plain' }).expect(201);
  expect(body).toMatchObject({ name: 'plain', kind: 'records', data_source_id: null, selection: {} });
  const read = await tenant.api.get(`/v1/datasets/${(body as { id: string }).id}`).expect(200);
  expect(read.body).toEqual(body);
});

test('a dataset keeps its data source and its selection', async () => {
  const source = await tenant.api.post('/v1/data-sources', { name: 'ERP', kind: 'erp' }).expect(201);
  const dataSourceId = (source.body as { id: string }).id;
  const selection = { table: 'invoices', columns: ['a', null, { b: 1.5 }] };
  const { body } = await tenant.api
    .post('/v1/datasets', { name: 'full', kind: 'invoices', dataSourceId, selection })
    .expect(201);
  expect(body).toMatchObject({ data_source_id: dataSourceId, kind: 'invoices', selection });
});

test.each([
  [{}, '/name'],
  [{ name: '' }, '/name'],
  [{ name: 'x'.repeat(601) }, '/name'],
  [{ name: 'x', kind: '' }, '/kind'],
  [{ name: 'x', selection: [] }, '/selection'],
  [{ name: 'x', dataSourceId: 'x' }, '/dataSourceId'],
  [{ name: 'x', dataSourceId: unknownId }, '/dataSourceId'],
  [{ name: 'x', data_source_id: unknownId }, '/data_source_id'],
])('creating a dataset with %j is refused at %s', async (body, path) => {
  const response = await tenant.api.post('/v1/datasets', body).expect(400);
  expect(response.body).toMatchObject({ code: 'validation_error', errors: [{ path }] });
});

test('a data source of another tenant cannot be named', async () => {
  const other = await api.newTenant();
  const source = await other.api.post('/v1/data-sources', { name: 'ERP', kind: 'erp' }).expect(201);
  const dataSourceId = (source.body as { id: string }).id;
  const { body } = await tenant.api.post('/v1/datasets', { name: 'stolen', dataSourceId }).expect(400);
  expect(body).toMatchObject({ errors: [{ path: '/dataSourceId' }] });
});

test('a name is unique within a tenant, not across tenants', async () => {
  await newDataset('taken');
  const { body } = await tenant.api.post('/v1/datasets', { name: 'taken' }).expect(409);
  expect(body).toMatchObject({ code: 'conflict' });
  await newDataset('taken', await api.newTenant());
});

test('50 equal creations at the same time make one dataset', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => tenant.api.post('/v1/datasets', { name: 'race' })),
  );
  const statuses = answers.map((answer) => answer.status).sort();
  expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 409)]);
});

test('PATCH changes what it names and nothing else', async () => {
  const id = await newDataset('before');
  const { body } = await tenant.api.patch(`/v1/datasets/${id}`, { name: 'after', selection: { a: 1 } }).expect(200);
  expect(body).toMatchObject({ id, name: 'after', kind: 'records', selection: { a: 1 } });
  const unchanged = await tenant.api.patch(`/v1/datasets/${id}`, {}).expect(200);
  expect(unchanged.body).toEqual(body);
});

test('PATCH refuses a name that is taken, unknown keys and empty names', async () => {
  const id = await newDataset('patched');
  await newDataset('in the way');
  await tenant.api.patch(`/v1/datasets/${id}`, { name: 'in the way' }).expect(409);
  for (const body of [{ name: '' }, { kind: '' }, { selection: 'x' }, { dataSourceId: unknownId }]) {
    await tenant.api.patch(`/v1/datasets/${id}`, body).expect(400);
  }
});

test('the list pages through all datasets, newest first', async () => {
  const own = await api.newTenant();
  for (const name of ['a', 'b', 'c']) await newDataset(name, own);
  const names = async (query: string) => {
    const { body } = await own.api.get(`/v1/datasets?${query}`).expect(200);
    const page = body as { items: { name: string }[]; total: number };
    return [page.total, ...page.items.map(({ name }) => name)];
  };
  expect(await names('limit=2')).toEqual([3, 'c', 'b']);
  expect(await names('limit=2&page=2')).toEqual([3, 'a']);
  expect(await names('page=9')).toEqual([3]);
});

test('the sample is the data of the record last created, null without records', async () => {
  const id = await newDataset('sampled');
  const empty = await tenant.api.get(`/v1/datasets/${id}/sample`).expect(200);
  expect(empty.body).toEqual({ sample: null });
  await addRecords(id, [{ n: 1 }, { n: 2, inner: { a: [1] } }]);
  const { body } = await tenant.api.get(`/v1/datasets/${id}/sample`).expect(200);
  expect(body).toEqual({ sample: { n: 2, inner: { a: [1] } } });
});

test('deleting a dataset removes its fields and records with their matches, and nothing else', async () => {
  const id = await newDataset('doomed');
  const keptId = await newDataset('kept');
  await tenant.api.post(`/v1/datasets/${id}/fields`, { name: 'A', key: 'a', type: 'string' }).expect(201);
  const [left, right] = await addRecords(id, [{}, {}]);
  const [keptRecord] = await addRecords(keptId, [{}]);
  const jobId = newId();
  const { system } = api.service.deps.db;
  await system.execute(
    `insert into matching_jobs (id, tenant_id, dataset_id, dataset_name, job_group_id)
     values ($1::uuid, $2::uuid, $3::uuid, 'doomed', $1::uuid)`,
    [jobId, tenant.tenantId, id],
  );
  const match = (l: string, r: string) =>
    system.execute(
      `insert into matches (id, tenant_id, job_id, rule_set_id, left_record_id, right_record_id, score, decision,
                            explanation)
       values ($1::uuid, $2::uuid, $3::uuid, $3::uuid, $4::uuid, $5::uuid, 1, 'MATCH', '{}')`,
      [newId(), tenant.tenantId, jobId, l, r],
    );
  await match(left as string, keptRecord as string);
  await match(keptRecord as string, right as string);
  await match(keptRecord as string, keptRecord as string);
  await system.execute(
    `insert into unmatched_blocks (job_id, side, block_no, tenant_id, first_id, last_id, counts, ids, reasons)
     select $1::uuid, 0, 0, $2::uuid, (array_agg(id order by id))[1], (array_agg(id order by id desc))[1],
            '{0,0,0,2,0,0,0}', string_agg(uuid_send(id), '' order by id), '\\x0303' from unnest($3::uuid[]) r(id)`,
    [jobId, tenant.tenantId, [left as string, keptRecord as string]],
  );

  await tenant.api.delete(`/v1/datasets/${id}`).expect(204);
  await tenant.api.get(`/v1/datasets/${id}`).expect(404);
  await tenant.api.delete(`/v1/datasets/${id}`).expect(404);
  expect(await count('records where dataset_id = $1::uuid', [id])).toBe(0);
  expect(await count('dataset_fields where dataset_id = $1::uuid', [id])).toBe(0);
  expect(await count('records where dataset_id = $1::uuid', [keptId])).toBe(1);
  expect(await count('matches where tenant_id = $1::uuid', [tenant.tenantId])).toBe(1);
  const blocks = await system.query(
    'select counts, octet_length(ids)::int as bytes from unmatched_blocks where tenant_id = $1::uuid',
    [tenant.tenantId],
  );
  expect(blocks).toEqual([{ counts: [0, 0, 0, 1, 0, 0, 0, 0, 0], bytes: 16 }]);
});

test('a dataset larger than one step is deleted completely, at the latest by a sweep', async () => {
  const id = await newDataset('large');
  await api.service.deps.db.system.execute(
    `insert into records (id, tenant_id, dataset_id, data) select gen_random_uuid(), $1::uuid, $2::uuid, '{}'
       from generate_series(1, 10001)`,
    [tenant.tenantId, id],
  );
  await tenant.api.delete(`/v1/datasets/${id}`).expect(204);
  await purgeDeletedDatasets(api.service.deps, () => false);
  expect(await count('records where dataset_id = $1::uuid', [id])).toBe(0);
});

test('a dataset that a rule set uses cannot be deleted', async () => {
  const id = await newDataset('used');
  const otherId = await newDataset('used too');
  await addRecords(id, [{ a: 1 }]);
  await api.service.deps.db.system.execute(
    `insert into rule_sets (id, tenant_id, name, left_dataset_id, right_dataset_id, engine, params)
     values ($1::uuid, $2::uuid, 'r', $3::uuid, $4::uuid, 'jsonata', '{}')`,
    [newId(), tenant.tenantId, id, otherId],
  );
  for (const used of [id, otherId]) {
    const { body } = await tenant.api.delete(`/v1/datasets/${used}`).expect(409);
    expect(body).toMatchObject({ code: 'conflict' });
  }
  const { body } = await tenant.api.get(`/v1/datasets/${id}/sample`).expect(200);
  expect(body).toEqual({ sample: { a: 1 } });
});

test('an id of another tenant answers exactly like an unknown one, for every operation', async () => {
  const id = await newDataset('private');
  const other = await api.newTenant();
  const field = { name: 'A', key: 'a', type: 'string' };
  const operations = [
    (at: string) => other.api.get(`/v1/datasets/${at}`),
    (at: string) => other.api.patch(`/v1/datasets/${at}`, { name: 'stolen' }),
    (at: string) => other.api.delete(`/v1/datasets/${at}`),
    (at: string) => other.api.get(`/v1/datasets/${at}/sample`),
    (at: string) => other.api.get(`/v1/datasets/${at}/fields`),
    (at: string) => other.api.post(`/v1/datasets/${at}/fields`, field),
    (at: string) => other.api.post(`/v1/datasets/${at}/fields/from-columns`, { columns: [{ name: 'A' }] }),
  ];
  for (const operation of operations) {
    const texts = new Set<string>();
    for (const at of [id, unknownId, 'nonsense']) {
      texts.add((await operation(at).set('x-request-id', 'same-for-all').expect(404)).text);
    }
    expect([...texts]).toEqual([expect.stringContaining('"code":"dataset_not_found"')]);
  }
  const { body } = await tenant.api.get(`/v1/datasets/${id}`).expect(200);
  expect(body).toMatchObject({ name: 'private' });
  expect(await count('dataset_fields where dataset_id = $1::uuid', [id])).toBe(0);
});

test('reading needs datasets:read, changing datasets:write', async () => {
  const id = await newDataset('scoped');
  const reader = await api.newKey(tenant, ['datasets:read']);
  await reader.api.get(`/v1/datasets/${id}`).expect(200);
  await reader.api.get(`/v1/datasets/${id}/fields`).expect(200);
  await reader.api.post('/v1/datasets', { name: 'x' }).expect(403);
  await reader.api.patch(`/v1/datasets/${id}`, { name: 'x' }).expect(403);
  await reader.api.delete(`/v1/datasets/${id}`).expect(403);
  const stranger = await api.newKey(tenant, ['records:write']);
  await stranger.api.get(`/v1/datasets/${id}`).expect(403);
});

test('first use at the same time makes one dataset and one data source of kind api', async () => {
  const own = await api.newTenant();
  const refs = await Promise.all(
    Array.from({ length: 50 }, (_, i) => ensureDataset(scopeOf(own), i % 2 === 0 ? 'even' : 'odd')),
  );
  expect(new Set(refs.map(({ id }) => id)).size).toBe(2);
  const sources = await own.api.get('/v1/data-sources').expect(200);
  expect(sources.body).toMatchObject({ total: 1, items: [{ name: 'api', kind: 'api' }] });
  const { body } = await own.api.get(`/v1/datasets/${refs[0]?.id}`).expect(200);
  const [source] = (sources.body as { items: { id: string }[] }).items;
  expect(body).toMatchObject({ name: 'even', kind: 'records', data_source_id: source?.id });
});
