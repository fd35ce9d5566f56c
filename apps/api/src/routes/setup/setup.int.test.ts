import { newId } from '@tieout/infra';
import { startTestApi, type TestApi } from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

interface SetupBody {
  dataSourceId: string;
  dataSourceCreated: boolean;
  datasets: { id: string; name: string; kind: string }[];
  invoiceDataset: { id: string; name: string };
  accountingDataset: { id: string; name: string };
  created: boolean;
}

const as = (companyId: string, path: string) => api.platform.get(path).set('x-tenant-id', companyId).expect(200);

test('a company gets its tenant, one data source and two datasets with fields', async () => {
  const companyId = newId();
  const first = await api.platform.post('/v1/setup/core', { companyId, companyName: 'Acme' }).expect(201);
  const setup = first.body as SetupBody;
  expect(setup).toEqual({
    dataSourceId: setup.dataSourceId,
    invoiceDataset: { id: setup.invoiceDataset.id, name: 'core_invoices' },
    accountingDataset: { id: setup.accountingDataset.id, name: 'core_accounting_entries' },
    created: true,
  });
  expect((await as(companyId, `/v1/data-sources/${setup.dataSourceId}`)).body).toMatchObject({ kind: 'core-internal' });
  for (const [id, keys] of [
    [setup.invoiceDataset.id, ['invoice_number', 'issue_date', 'due_date', 'amount']],
    [setup.accountingDataset.id, ['entry_date', 'amount', 'account_code']],
  ] as const) {
    const { body } = await as(companyId, `/v1/datasets/${id}/fields`);
    expect((body as { key: string }[]).map(({ key }) => key)).toEqual(expect.arrayContaining([...keys]));
  }
});

test('a second call changes nothing and answers 200', async () => {
  const companyId = newId();
  const first = await api.platform.post('/v1/setup/core', { companyId }).expect(201);
  const second = await api.platform.post('/v1/setup/core', { companyId: companyId.toUpperCase() }).expect(200);
  expect(second.body).toEqual({ ...(first.body as object), created: false });
});

test('the two operations set up the same', async () => {
  const companyId = newId();
  const { body } = await api.platform.post('/v1/data-sources/core/setup-reconciliation', { companyId }).expect(200);
  const first = body as SetupBody;
  expect(first).toMatchObject({
    dataSourceCreated: true,
    datasets: [
      { name: 'core_invoices', kind: 'invoices' },
      { name: 'core_accounting_entries', kind: 'accounting_entries' },
    ],
  });
  const again = await api.platform.post('/v1/data-sources/core/setup-reconciliation', { companyId }).expect(200);
  expect(again.body).toEqual({ ...first, dataSourceCreated: false });
  const other = (await api.platform.post('/v1/setup/core', { companyId }).expect(200)).body as SetupBody;
  expect([other.dataSourceId, other.invoiceDataset.id, other.accountingDataset.id]).toEqual([
    first.dataSourceId,
    ...first.datasets.map(({ id }) => id),
  ]);
});

test('exactly one of fifty concurrent calls creates', async () => {
  const companyId = newId();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => api.platform.post('/v1/setup/core', { companyId })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
  expect((await as(companyId, '/v1/data-sources')).body).toMatchObject({ total: 1 });
  expect((await as(companyId, '/v1/datasets')).body).toMatchObject({ total: 2 });
});

test('a dataset of that name which is there already is taken as it is', async () => {
  const { tenantId, api: tenant } = await api.newTenant();
  const { body } = await tenant.post('/v1/datasets', { name: 'core_invoices', kind: 'mine' }).expect(201);
  const setup = (await api.platform.post('/v1/setup/core', { companyId: tenantId }).expect(201)).body as SetupBody;
  expect(setup.invoiceDataset.id).toBe((body as { id: string }).id);
});

test('a dataset that records created gets the fields once, and its records are processed again', async () => {
  const { tenantId, api: tenant } = await api.newTenant();
  await tenant.post('/v1/records?dataset=core_invoices', { body: { id: '1', amount: '1.50' } }).expect(202);
  const { invoiceDataset } = (await api.platform.post('/v1/setup/core', { companyId: tenantId }).expect(201))
    .body as SetupBody;
  const { body: fields } = await tenant.get(`/v1/datasets/${invoiceDataset.id}/fields`).expect(200);
  expect((fields as { key: string }[]).map(({ key }) => key)).toContain('amount');
  expect((await tenant.get(`/v1/datasets/${invoiceDataset.id}`)).body).toMatchObject({ kind: 'invoices' });
  expect((await tenant.get(`/v1/datasets/${invoiceDataset.id}/progress`)).body).toMatchObject({
    status: 'processing',
    records_total: 1,
  });
  await api.platform.post('/v1/setup/core', { companyId: tenantId }).expect(200);
});

test('a dataset of that name with fields of its own keeps these alone', async () => {
  const { tenantId, api: tenant } = await api.newTenant();
  const { id } = (await tenant.post('/v1/datasets', { name: 'core_invoices', kind: 'mine' }).expect(201)).body as {
    id: string;
  };
  await tenant.post(`/v1/datasets/${id}/fields`, { name: 'Mine', key: 'mine', type: 'string' }).expect(201);
  await api.platform.post('/v1/setup/core', { companyId: tenantId }).expect(201);
  expect((await tenant.get(`/v1/datasets/${id}/fields`)).body).toMatchObject([{ key: 'mine' }]);
  expect((await tenant.get(`/v1/datasets/${id}`)).body).toMatchObject({ kind: 'mine' });
});

test.each([['/v1/setup/core'], ['/v1/data-sources/core/setup-reconciliation']])(
  '%s is for the platform key alone',
  async (path) => {
    const { tenantId, api: tenant } = await api.newTenant();
    await tenant.post(path, { companyId: tenantId }).expect(403);
    await api.request.post(path).send({ companyId: tenantId }).expect(401);
  },
);

test.each([
  [{}, '/companyId'],
  [{ companyId: 'acme' }, '/companyId'],
  [{ companyId: '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10', companyNmae: 'x' }, '/companyNmae'],
])('the body %j is refused at %s', async (body, path) => {
  const answer = await api.platform.post('/v1/setup/core', body).expect(400);
  expect(answer.body).toMatchObject({ code: 'validation_error', errors: [{ path }] });
});
