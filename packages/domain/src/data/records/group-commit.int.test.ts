import { newId, queueClasses } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import {
  createDataset,
  createField,
  ingestRecord,
  listRecords,
  tenantScope,
  type RecordView,
  type TenantScope,
} from '../..';
import type { JsonObject } from './field';

let service: TestService;
let queue: ReturnType<ReturnType<typeof queueClasses>['openQueue']>;
let scope: TenantScope;
let dataset: string;

beforeAll(async () => {
  service = await createTestService();
  queue = queueClasses(service.queueSettings, { role: 'producer' }).openQueue('ingest');
});

afterAll(async () => {
  await queue.close();
  await service.close();
});

beforeEach(async () => {
  await queue.obliterate({ force: true });
  scope = await newTenant();
  dataset = (await createDataset(scope, { name: 'ledger' })).name;
});

async function newTenant(): Promise<TenantScope> {
  const id = newId();
  await service.deps.db.system.execute('insert into tenants (id, name) values ($1::uuid, $2)', [id, 'Acme']);
  return tenantScope(service.deps, id);
}

const send = (n: number, externalId?: string, by = scope) =>
  ingestRecord(by, { dataset, body: { n }, ...(externalId === undefined ? {} : { externalId }) });
const stored = async (by = scope) =>
  (await listRecords(by, {}, { page: 1, limit: 100 })).items
    .map((record) => record as RecordView)
    .map(({ data, ...rest }) => ({ ...rest, data: JSON.parse(data.text) as JsonObject }));
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

test('of many records at once, each is stored once under the id that its own request was answered with', async () => {
  const answers = await Promise.all(numbers(60).map((n) => send(n, n % 2 === 0 ? `e${n}` : undefined)));
  const byId = new Map((await stored()).map(({ id, data }) => [id, data]));
  expect(answers.map(({ id }) => byId.get(id))).toEqual(numbers(60).map((n) => ({ n })));
});

test('records that arrive together make up one queue job', async () => {
  await Promise.all(numbers(60).map((n) => send(n)));
  expect(await queue.getJobCountByTypes('waiting', 'prioritized')).toBe(1);
});

test('of two records with one external id that arrive together the later one wins, and both get its id', async () => {
  const [first, second] = await Promise.all([send(1, 'same'), send(2, 'same'), send(3, 'other')]);
  expect({
    ids: new Set([first?.id, second?.id]).size,
    data: (await stored()).find(({ id }) => id === first?.id)?.data,
  }).toEqual({ ids: 1, data: { n: 2 } });
});

test('records that arrive together and are there already are replaced under their ids', async () => {
  const before = await Promise.all(numbers(20).map((n) => send(n, `e${n}`)));
  const after = await Promise.all(numbers(20).map((n) => send(n + 100, `e${n}`)));
  expect(after).toEqual(before);
  expect((await stored()).map(({ data }) => data['n']).sort()).toEqual(numbers(20).map((n) => n + 100));
});

test('records without external id get the identity that the fields of the dataset give', async () => {
  const { id } = await createDataset(scope, { name: 'invoices' });
  await createField(scope, id, { name: 'Number', key: 'number', type: 'string', isIdentity: true });
  const post = (number: string, n: number) => ingestRecord(scope, { dataset: 'invoices', body: { number, n } });
  await Promise.all([post('A', 1), post('B', 2), post('C', 3)]);
  await Promise.all([post('A', 4), post('B', 5)]);
  const found = await stored();
  expect(found.map(({ data }) => `${String(data['number'])}${String(data['n'])}`).sort()).toEqual(['A4', 'B5', 'C3']);
});

test('the first records of a dataset that does not exist yet make it once', async () => {
  dataset = 'made on first use';
  await Promise.all(numbers(10).map((n) => send(n)));
  expect((await stored()).map(({ datasetName }) => datasetName)).toEqual(Array(10).fill('made on first use'));
});

test('what one record fails of does not fail those that arrive with it', async () => {
  const bad = ingestRecord(scope, { dataset, externalId: 'not storable: \0', body: { n: 0 } });
  const outcomes = await Promise.allSettled([send(1, 'a'), bad, send(2, 'b')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('tenants with datasets of one name store into their own', async () => {
  const other = await newTenant();
  await createDataset(other, { name: dataset });
  await Promise.all([send(1, 'x'), send(2, 'x', other)]);
  expect([(await stored()).map(({ data }) => data), (await stored(other)).map(({ data }) => data)]).toEqual([
    [{ n: 1 }],
    [{ n: 2 }],
  ]);
});

test('a record that is stored inside of a transaction is undone with it', async () => {
  await expect(
    scope.transaction(async (tx) => {
      await send(1, 'a', tx);
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  expect(await stored()).toEqual([]);
});
