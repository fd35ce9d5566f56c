import { newId } from '@tieout/infra';
import {
  eventually,
  itemsOf,
  startTestApi,
  type ListBody,
  type TestApi,
  type TestItems,
  type TestTenant,
} from '../../../testing';

let api: TestApi;
let tenant: TestTenant;
let items: TestItems;

beforeAll(async () => {
  api = await startTestApi({ itemPolicy: { pollMs: 20 } });
  await api.startItems();
});

beforeEach(async () => {
  tenant = await api.newTenant();
  items = itemsOf(api, tenant);
});

afterAll(() => api.close());

interface IngestBody {
  id: string;
  dataset_id: string;
  account_ids: string[] | null;
  status: string;
  error: { code: string; message: string } | null;
  transactions: number;
  pending: number;
}

interface RecordBody {
  external_id: string;
  status: string;
  data: { id: string; accountId: string; itemId: string; signedAmount: number; date: string; status: string };
  fields: Record<string, unknown>;
}

async function makeDataset(name: string): Promise<string> {
  const { body } = await tenant.api.post('/v1/datasets', { name }).expect(201);
  const { id } = body as { id: string };
  const fields = [
    { name: 'Amount', key: 'amount', type: 'amount', sourcePath: 'signedAmount' },
    { name: 'Booked on', key: 'booked_on', type: 'date', sourcePath: 'date' },
    { name: 'Text', key: 'text', type: 'string', transform_expr: '$uppercase(description)' },
  ];
  for (const field of fields) await tenant.api.post(`/v1/datasets/${id}/fields`, field).expect(201);
  return id;
}

async function synced(): Promise<string> {
  const { id } = await items.create('ok');
  await items.reached(id, 'UPDATED');
  return id;
}

const ingest = async (id: string, body: object): Promise<IngestBody> =>
  (await tenant.api.post(`/v1/items/${id}/ingest`, body).expect(202)).body as IngestBody;

const ingests = async (id: string): Promise<IngestBody[]> =>
  ((await tenant.api.get(`/v1/items/${id}/ingests`).expect(200)).body as { items: IngestBody[] }).items;

/** Resolves when all that there is has become records. */
const flowed = (id: string): Promise<IngestBody[]> =>
  eventually(
    () => ingests(id),
    (all) => all.every(({ pending }) => pending === 0),
  );

async function records(dataset: string): Promise<Map<string, RecordBody>> {
  const all = new Map<string, RecordBody>();
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await tenant.api.get(`/v1/records?dataset=${dataset}&limit=100${next}`).expect(200);
    const page = body as ListBody<RecordBody>;
    for (const record of page.items) all.set(record.external_id, record);
    cursor = page.next_cursor ?? null;
  } while (cursor !== null);
  return all;
}

const total = async (dataset: string): Promise<number> =>
  ((await tenant.api.get(`/v1/records?dataset=${dataset}&limit=1`).expect(200)).body as ListBody<unknown>).total;

/** The accounts and transactions of the last sync. */
async function transactions(itemId: string): Promise<Map<string, { accountId: string; status: string }>> {
  const rows = await api.service.deps.db.system.query<{ id: string; data: { accountId: string; status: string } }>(
    'select id, data from item_transactions where item_id = $1::uuid',
    [itemId],
  );
  return new Map(rows.map(({ id, data }) => [id, data]));
}

test('every transaction that is there becomes a record under its id, read by the fields of the dataset', async () => {
  const datasetId = await makeDataset('bank');
  const id = await synced();
  const answer = await ingest(id, { dataset: 'bank' });
  expect(answer).toMatchObject({
    item_id: id,
    dataset_id: datasetId,
    dataset: 'bank',
    account_ids: null,
    status: 'active',
    error: null,
  });
  await flowed(id);
  await api.runIngest();
  const made = await records('bank');
  expect(new Set(made.keys())).toEqual(new Set((await transactions(id)).keys()));
  for (const record of made.values()) {
    expect(record).toMatchObject({
      status: 'ready',
      data: { id: record.external_id, itemId: id },
      fields: { amount: record.data.signedAmount, booked_on: record.data.date },
    });
  }
});

test('what is ingested before the first sync is there when the item is UPDATED', async () => {
  await makeDataset('bank');
  const { id } = await items.create('mfa');
  await items.reached(id, 'WAITING_USER_INPUT');
  expect(await ingest(id, { dataset: 'bank' })).toMatchObject({ transactions: 0, pending: 0 });
  await tenant.api.post(`/v1/items/${id}/mfa`, { parameters: { token: '123456' } }).expect(200);
  await items.reached(id, 'UPDATED');
  expect(await total('bank')).toBe((await transactions(id)).size);
});

test('a refresh brings what is new, and replaces what has changed, under the same records', async () => {
  await makeDataset('bank');
  const id = await synced();
  await ingest(id, { dataset: 'bank' });
  await flowed(id);
  const before = await records('bank');
  await items.refresh(id);
  const after = await records('bank');
  expect(after.size).toBeGreaterThan(before.size);
  const pending = [...before.values()].filter(({ data }) => data.status === 'PENDING');
  expect(pending.length).toBeGreaterThan(0);
  for (const record of pending)
    expect(after.get(record.external_id)).toMatchObject({
      id: (record as unknown as { id: string }).id,
      data: { status: 'POSTED' },
    });
});

test('of the accounts that are named only, until more are', async () => {
  await makeDataset('bank');
  const id = await synced();
  const [one, two] = [...new Set([...(await transactions(id)).values()].map(({ accountId }) => accountId))] as [
    string,
    string,
  ];
  const of = async (...accounts: string[]) =>
    [...(await transactions(id)).values()].filter(({ accountId }) => accounts.includes(accountId)).length;
  const first = await ingest(id, { dataset: 'bank', accountIds: [one] });
  await flowed(id);
  expect(await total('bank')).toBe(await of(one));
  expect(await ingest(id, { dataset: 'bank', accountIds: [two, one] })).toMatchObject({
    id: first.id,
    account_ids: [one, two].sort(),
  });
  await flowed(id);
  expect(await total('bank')).toBe(await of(one, two));
});

test('asked for again and again, at once too, it is one ingest and each record once, written once', async () => {
  await makeDataset('bank');
  const id = await synced();
  const answers = await Promise.all(Array.from({ length: 5 }, () => ingest(id, { dataset: 'bank' })));
  expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
  await flowed(id);
  const rows = await api.service.deps.db.system.query<{ revision: number; count: number }>(
    'select revision, count(*)::int as count from records where tenant_id = $1::uuid group by revision',
    [tenant.tenantId],
  );
  expect(rows).toEqual([{ revision: 1, count: (await transactions(id)).size }]);
});

test('into two datasets at a time, each gets all', async () => {
  for (const name of ['bank', 'copy']) await makeDataset(name);
  const id = await synced();
  for (const dataset of ['bank', 'copy']) await ingest(id, { dataset });
  await flowed(id);
  const { body } = await tenant.api.get(`/v1/items/${id}/ingests?limit=1`).expect(200);
  expect(body).toMatchObject({ items: [{ dataset: 'copy' }], total: 2, page: 1, limit: 1 });
  expect([await total('bank'), await total('copy')]).toEqual(Array(2).fill((await transactions(id)).size));
});

test.each<[string, (account: string) => object, string, string]>([
  [
    'an account that is none of the item',
    (account) => ({ dataset: 'bank', accountIds: [account, 'mine'] }),
    '/accountIds/1',
    'unknown_account',
  ],
])('%s is refused by name', async (_what, body, path, code) => {
  await makeDataset('bank');
  const id = await synced();
  const [account] = [...(await transactions(id)).values()].map(({ accountId }) => accountId);
  const answer = await tenant.api.post(`/v1/items/${id}/ingest`, body(account as string)).expect(400);
  expect(answer.body).toMatchObject({ code: 'validation_error', errors: [{ path, code }] });
});

test('a dataset that is not there is made, with fields for transactions', async () => {
  const id = await synced();
  await ingest(id, { dataset: 'feed' });
  await flowed(id);
  await api.runIngest();
  const { body } = await tenant.api.get('/v1/records?dataset=feed&limit=1').expect(200);
  const [record] = (body as ListBody<RecordBody>).items;
  expect(record?.fields).toMatchObject({
    date: record?.data.date.slice(0, 10),
    amount: record?.data.signedAmount,
    account_id: record?.data.accountId,
  });
  expect(await total('feed')).toBe((await transactions(id)).size);
});

test('a dataset that is deleted ends the ingest, which says so; the item is synced as before', async () => {
  const datasetId = await makeDataset('bank');
  const id = await synced();
  await ingest(id, { dataset: 'bank' });
  await flowed(id);
  await tenant.api.delete(`/v1/datasets/${datasetId}`).expect(204);
  await items.refresh(id);
  expect(await ingests(id)).toMatchObject([
    {
      status: 'failed',
      error: {
        code: 'dataset_not_found',
        message: 'The dataset "bank" was deleted: make another one and ingest into that',
      },
    },
  ]);
});

test('ended, nothing more flows and the records stay', async () => {
  await makeDataset('bank');
  const id = await synced();
  const { id: ingestId } = await ingest(id, { dataset: 'bank' });
  await flowed(id);
  const before = await total('bank');
  await tenant.api.delete(`/v1/items/${id}/ingests/${ingestId}`).expect(204);
  await items.refresh(id);
  expect(await total('bank')).toBe(before);
  for (const unknown of [ingestId, newId(), 'x']) {
    expect((await tenant.api.delete(`/v1/items/${id}/ingests/${unknown}`).expect(404)).body).toMatchObject({
      code: 'item_ingest_not_found',
    });
  }
});

test('records stay when the item is removed', async () => {
  await makeDataset('bank');
  const id = await synced();
  await ingest(id, { dataset: 'bank' });
  await flowed(id);
  const before = await total('bank');
  await tenant.api.delete(`/v1/items/${id}`).expect(204);
  expect(await total('bank')).toBe(before);
});
