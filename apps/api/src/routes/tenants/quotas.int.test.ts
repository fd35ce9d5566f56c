import { newId } from '@tieout/infra';
import { defaultQuotas, maxFileBytes } from '@tieout/domain';
import {
  itemsOf,
  openBooks,
  startTestApi,
  uploadTo,
  eventually,
  type FileBody,
  type TestApi,
  type TestTenant,
} from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

type Limits = Partial<Record<keyof typeof defaultQuotas, number | null>>;

const limit = (tenant: TestTenant, quotas: Limits): Promise<unknown> =>
  Promise.resolve(api.platform.patch(`/v1/tenants/${tenant.tenantId}`, { quotas }).expect(200));

async function limited(quotas: Limits): Promise<TestTenant> {
  const tenant = await api.newTenant();
  await limit(tenant, quotas);
  return tenant;
}

async function usageOf(tenant: TestTenant): Promise<Record<string, { limit: number; used: number }>> {
  const { body } = await tenant.api.get('/v1/billing/usage').expect(200);
  const { quotas } = body as { quotas: Record<string, { limit: number; used: number }> };
  expect((await api.platform.get(`/v1/tenants/${tenant.tenantId}`).expect(200)).body).toMatchObject({ quotas });
  return quotas;
}

const usedOf = async (tenant: TestTenant, name: string): Promise<number> =>
  (await usageOf(tenant))[name]?.used as number;

const refusal = (quota: string, max: number, used: number, code = 'quota_exceeded') => ({
  code,
  message: expect.stringContaining(`the limit of ${max} `) as string,
  errors: [{ code, quota, limit: max, used }],
});

const post = (tenant: TestTenant, externalId: string, dataset = 'a') =>
  tenant.api.post(`/v1/records?dataset=${dataset}`, { externalId, body: { n: 1 } });
const bulk = (tenant: TestTenant, from: number, to: number, dataset = 'a') =>
  tenant.api.post(
    `/v1/records/bulk?dataset=${dataset}`,
    Array.from({ length: to - from }, (_, i) => ({ externalId: `x${from + i}`, body: { n: 1 } })),
  );

test('a tenant without limits of its own has those of the deployment', async () => {
  const tenant = await limited({ records: 7 });
  const defaults = Object.fromEntries(
    Object.entries(defaultQuotas).map(([name, max]) => [name, { limit: max, used: 0 }]),
  );
  expect(await usageOf(tenant)).toEqual({ ...defaults, records: { limit: 7, used: 0 } });
  await limit(tenant, { records: null });
  expect(await usageOf(tenant)).toEqual(defaults);
});

describe('records', () => {
  test('beyond the limit are refused, one by one and in bulk, and a bulk request is refused as a whole', async () => {
    const tenant = await limited({ records: 3 });
    await post(tenant, 'x0').expect(202);
    expect((await bulk(tenant, 1, 4).expect(413)).body).toMatchObject(refusal('records', 3, 1));
    await bulk(tenant, 1, 3).expect(202);
    expect((await post(tenant, 'x9').expect(413)).body).toMatchObject(refusal('records', 3, 3));
    expect((await post(tenant, 'x9').set('Idempotency-Key', 'k').expect(413)).body).toMatchObject(
      refusal('records', 3, 3),
    );
    expect(await usedOf(tenant, 'records')).toBe(3);
  });

  test('that exist may be replaced at the limit, and deleted ones make room', async () => {
    const tenant = await limited({ records: 2 });
    const { body } = await post(tenant, 'x0').expect(202);
    await post(tenant, 'x1').expect(202);
    await post(tenant, 'x0').expect(202);
    await bulk(tenant, 0, 2).expect(202);
    await limit(tenant, { records: 1 });
    await bulk(tenant, 0, 2).expect(202);
    expect((await post(tenant, 'x2').expect(413)).body).toMatchObject(refusal('records', 1, 2));
    await limit(tenant, { records: 2 });
    await tenant.api.delete(`/v1/records/${(body as { id: string }).id}`).expect(204);
    await post(tenant, 'x2').expect(202);
  });

  test('of all datasets count together', async () => {
    const tenant = await limited({ records: 3 });
    await bulk(tenant, 0, 2, 'a').expect(202);
    await bulk(tenant, 0, 1, 'b').expect(202);
    await post(tenant, 'x0', 'c').expect(413);
  });

  test('that are sent at the same time never exceed the limit, and fill it', async () => {
    const tenant = await limited({ records: 20 });
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => (await post(tenant, `p${i}`, i % 2 === 0 ? 'a' : 'b')).status),
    );
    expect([statuses.filter((s) => s === 202).length, statuses.filter((s) => s === 413).length]).toEqual([20, 40]);
    expect(await usedOf(tenant, 'records')).toBe(20);
  });

  test('of concurrent bulk requests and files never exceed the limit', async () => {
    const tenant = await limited({ records: 5_000 });
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => (await bulk(tenant, i * 900, (i + 1) * 900, `d${i % 3}`)).status),
    );
    expect(answers.filter((status) => status === 202).length).toBe(5);
    expect(await usedOf(tenant, 'records')).toBe(4_500);
  });

  test('of a file that has more of them are taken back, and the file says why', async () => {
    const tenant = await limited({ records: 3_000 });
    await bulk(tenant, 0, 10).expect(202);
    const source = await newSource(tenant);
    const rows = `x\n${'y\n'.repeat(9_000)}`;
    const file = await uploadTo(tenant.api, source, rows, { dataset: 'rows' }, 'rows.csv');
    await api.runIngest();
    const { body } = await tenant.api.get(`/v1/data-sources/${source}/files/${file.id}`).expect(200);
    expect(body as FileBody).toMatchObject({
      status: 'failed',
      rowCount: 0,
      errorMessage: expect.stringContaining('the limit of 3000 records') as string,
      metadata: { errorCode: 'quota_exceeded' },
    });
    expect(await usedOf(tenant, 'records')).toBe(10);
    await limit(tenant, { records: 9_010 });
    await uploadTo(tenant.api, source, rows, { dataset: 'rows' }, 'rows.csv');
    await api.runIngest();
    expect(await usedOf(tenant, 'records')).toBe(9_010);
  });

  test('of a bank feed wait for room, and the ingest says so until it has it', async () => {
    const tenant = await limited({ records: 5 });
    await api.startItems();
    const items = itemsOf(api, tenant);
    const { id } = await items.create('ok');
    await items.reached(id, 'UPDATED');
    await tenant.api.post(`/v1/items/${id}/ingest`, { dataset: 'bank' }).expect(202);
    type Ingests = { items: { status: string; error: { code: string } | null; pending: number }[] };
    const ingest = async () => ((await tenant.api.get(`/v1/items/${id}/ingests`).expect(200)).body as Ingests).items[0];
    const full = await eventually(ingest, (one) => one?.error != null);
    expect(full).toMatchObject({ status: 'active', error: { code: 'quota_exceeded' } });
    expect(await usedOf(tenant, 'records')).toBeLessThanOrEqual(5);
    await limit(tenant, { records: null });
    await items.refresh(id);
    expect(await eventually(ingest, (one) => one?.pending === 0)).toMatchObject({ status: 'active', error: null });
    expect(await usedOf(tenant, 'records')).toBeGreaterThan(5);
  });
});

async function newSource(tenant: TestTenant): Promise<string> {
  const { body } = await tenant.api.post('/v1/data-sources', { name: 'files', kind: 'files' }).expect(201);
  return (body as { id: string }).id;
}

describe('files', () => {
  const upload = (tenant: TestTenant, source: string, bytes: number, dataset = newId()) =>
    tenant.api
      .post(`/v1/data-sources/${source}/files`)
      .field('dataset', dataset)
      .attach('file', Buffer.alloc(bytes, 'a,b\n'), { filename: 'a.csv' });

  test('beyond their number are refused, also when they come at the same time', async () => {
    const tenant = await limited({ files: 2 });
    const source = await newSource(tenant);
    const answers = await Promise.all(Array.from({ length: 5 }, () => upload(tenant, source, 40)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 413, 413, 413]);
    expect((await upload(tenant, source, 40).expect(413)).body).toMatchObject(refusal('files', 2, 2));
    expect(await usedOf(tenant, 'files')).toBe(2);
  });

  test('beyond their bytes are refused, and leave nothing', async () => {
    const tenant = await limited({ bytes: 1_000 });
    const source = await newSource(tenant);
    await upload(tenant, source, 600).expect(202);
    expect((await upload(tenant, source, 404).expect(413)).body).toMatchObject(refusal('bytes', 1_000, 600));
    const answers = await Promise.all([upload(tenant, source, 300), upload(tenant, source, 300)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 413]);
    await upload(tenant, source, 100).expect(202);
    expect((await upload(tenant, source, 4).expect(413)).body).toMatchObject(refusal('bytes', 1_000, 1_000));
    expect(await usageOf(tenant)).toMatchObject({ bytes: { used: 1_000 }, files: { used: 3 } });
  });

  test('of a deleted dataset make room', async () => {
    const tenant = await limited({ files: 1 });
    const source = await newSource(tenant);
    await upload(tenant, source, 40, 'gone').expect(202);
    const { body } = await tenant.api.get('/v1/datasets').expect(200);
    const [dataset] = (body as { items: { id: string }[] }).items;
    await tenant.api.delete(`/v1/datasets/${dataset?.id}`).expect(204);
    await upload(tenant, source, 40).expect(202);
  });

  test('have at most the size that a file may have, however large the limit', async () => {
    const tenant = await limited({ bytes: maxFileBytes * 10 });
    const source = await newSource(tenant);
    await upload(tenant, source, 4_000).expect(202);
  });
});

test('matching jobs beyond the limit are refused with a time to wait, and start once others have ended', async () => {
  const books = await openBooks(api, [{ ref: 'a' }], [{ ref: 'a' }]);
  await limit(books.tenant, { jobs: 2 });
  await books.ruleSet();
  const start = () => books.tenant.api.post('/v1/matching-jobs', { dataset: 'left' });
  const answers = await Promise.all(Array.from({ length: 6 }, start));
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 429, 429, 429, 429]);
  const refused = await start().expect(429);
  expect(refused.body).toMatchObject(refusal('jobs', 2, 2, 'too_many_jobs'));
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await books.tenant.api.post('/v1/matching-jobs', { datasets: ['left', 'right'] })).status).toBe(429);
  await api.runMatching();
  await start().expect(202);
});

test('webhooks have a limit of their own too', async () => {
  const tenant = await limited({ webhooks: 1 });
  const create = () => tenant.api.post('/v1/webhooks', { url: 'https://receiver.example.com/', secret: 's' });
  const answers = await Promise.all([create(), create()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 413]);
  expect((await create().expect(413)).body).toMatchObject(refusal('webhooks', 1, 1));
});
