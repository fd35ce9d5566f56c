import { normaliseInPlace, processRecords, reprocessDataset, tenantScope, type TenantScope } from '@tieout/domain';
import { startTestApi, type ListBody, type TestApi, type TestTenant } from '../../../testing';

let api: TestApi;
let tenant: TestTenant;
let scope: TenantScope;
let datasetId: string;

// No worker runs the ingest queue here: the test takes the steps itself.
beforeAll(async () => {
  api = await startTestApi();
  tenant = await api.newTenant();
  scope = tenantScope(api.service.deps, tenant.tenantId);
  const { body } = await tenant.api.post('/v1/datasets', { name: 'ledger' }).expect(201);
  datasetId = (body as { id: string }).id;
});

afterAll(() => api.close());

interface RecordBody {
  id: string;
  fields: Record<string, unknown> | null;
  status: string;
}

const records = async (): Promise<RecordBody[]> => {
  const { body } = await tenant.api.get('/v1/records?dataset=ledger&limit=100').expect(200);
  return (body as ListBody<RecordBody>).items;
};

const progress = async (): Promise<unknown> =>
  (await tenant.api.get(`/v1/datasets/${datasetId}/progress`).expect(200)).body;

const process = async (count: number): Promise<void> => {
  const waiting = (await records()).filter(({ status }) => status === 'received').slice(0, count);
  await processRecords(
    scope,
    waiting.map(({ id }) => id),
    normaliseInPlace,
  );
};

test('the progress of a dataset goes from nothing to all, while its records can be read', async () => {
  expect(await progress()).toEqual({
    status: 'idle',
    fields_version: 1,
    records_total: 0,
    records_processed: 0,
    percent: 100,
  });
  const field = (
    await tenant.api
      .post(`/v1/datasets/${datasetId}/fields`, { name: 'A', key: 'a', type: 'string', transform_expr: 'a' })
      .expect(201)
  ).body as { id: string };
  await reprocessDataset(scope, datasetId);
  await tenant.api
    .post(
      '/v1/records/bulk?dataset=ledger',
      Array.from({ length: 8 }, (_, i) => ({ body: { a: `v${i}` } })),
    )
    .expect(202);
  expect(await progress()).toMatchObject({ status: 'processing', records_total: 8, records_processed: 0, percent: 0 });
  await process(8);
  expect(await progress()).toMatchObject({ status: 'idle', records_processed: 8, percent: 100 });

  await tenant.api.patch(`/v1/datasets/fields/${field.id}`, { transform_expr: '$uppercase(a)' }).expect(200);
  expect(await progress()).toMatchObject({
    status: 'processing',
    fields_version: 3,
    records_total: 8,
    records_processed: 0,
  });
  await reprocessDataset(scope, datasetId, 3);
  expect((await records()).every(({ fields }) => String(fields?.['a']).startsWith('v'))).toBe(true);
  await process(2);
  expect(await progress()).toMatchObject({ status: 'processing', records_processed: 2, percent: 25 });
  expect((await records()).map(({ fields }) => String(fields?.['a']).charAt(0)).sort()).toEqual([
    'V',
    'V',
    'v',
    'v',
    'v',
    'v',
    'v',
    'v',
  ]);
  await process(6);
  expect(await progress()).toMatchObject({ status: 'idle', records_processed: 8, percent: 100 });
});

test('the progress of a dataset of another tenant is not found', async () => {
  const other = await api.newTenant();
  await other.api.get(`/v1/datasets/${datasetId}/progress`).expect(404);
});
