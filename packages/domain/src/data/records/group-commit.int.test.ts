import { createDataset, createField, ingestRecord, listRecords, type JsonObject, type RecordView } from '../..';
import { useRecordBench } from '../../../testing/record-bench';

const bench = useRecordBench();
let dataset: string;

beforeEach(async () => {
  await bench.queue.obliterate({ force: true });
  dataset = (await createDataset(bench.scope, { name: 'ledger' })).name;
});

const send = (n: number, externalId?: string, by = bench.scope) =>
  ingestRecord(by, { dataset, body: { n }, ...(externalId === undefined ? {} : { externalId }) });
const stored = async (by = bench.scope) =>
  (await listRecords(by, {}, { page: 1, limit: 100 })).items
    .map((record) => record as RecordView)
    .map(({ data, ...rest }) => ({ ...rest, data: JSON.parse(data.text) as JsonObject }));
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

test('each of many concurrent records is stored once under the id of its answer', async () => {
  const answers = await Promise.all(numbers(60).map((n) => send(n, n % 2 === 0 ? `e${n}` : undefined)));
  const byId = new Map((await stored()).map(({ id, data }) => [id, data]));
  expect(answers.map(({ id }) => byId.get(id))).toEqual(numbers(60).map((n) => ({ n })));
});

test('records that arrive together make one queue job', async () => {
  await Promise.all(numbers(60).map((n) => send(n)));
  expect(await bench.queue.getJobCountByTypes('waiting', 'prioritized')).toBe(1);
});

test('the later of two concurrent records with one external id wins, and both get its id', async () => {
  const [first, second] = await Promise.all([send(1, 'same'), send(2, 'same'), send(3, 'other')]);
  expect({
    ids: new Set([first?.id, second?.id]).size,
    data: (await stored()).find(({ id }) => id === first?.id)?.data,
  }).toEqual({ ids: 1, data: { n: 2 } });
});

test('existing records that arrive together are replaced under their ids', async () => {
  const before = await Promise.all(numbers(20).map((n) => send(n, `e${n}`)));
  const after = await Promise.all(numbers(20).map((n) => send(n + 100, `e${n}`)));
  expect(after).toEqual(before);
  expect((await stored()).map(({ data }) => data['n']).sort()).toEqual(numbers(20).map((n) => n + 100));
});

test('records without external id get the identity that the fields of the dataset give', async () => {
  const { id } = await createDataset(bench.scope, { name: 'invoices' });
  await createField(bench.scope, id, { name: 'Number', key: 'number', type: 'string', isIdentity: true });
  const post = (number: string, n: number) => ingestRecord(bench.scope, { dataset: 'invoices', body: { number, n } });
  await Promise.all([post('A', 1), post('B', 2), post('C', 3)]);
  await Promise.all([post('A', 4), post('B', 5)]);
  const found = await stored();
  expect(found.map(({ data }) => `${String(data['number'])}${String(data['n'])}`).sort()).toEqual(['A4', 'B5', 'C3']);
});

test('the first records of a new dataset create it once', async () => {
  dataset = 'made on first use';
  await Promise.all(numbers(10).map((n) => send(n)));
  expect((await stored()).map(({ datasetName }) => datasetName)).toEqual(Array(10).fill('made on first use'));
});

test('a failing record does not fail those that arrive with it', async () => {
  const bad = ingestRecord(bench.scope, { dataset, externalId: 'not storable: \0', body: { n: 0 } });
  const outcomes = await Promise.allSettled([send(1, 'a'), bad, send(2, 'b')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('tenants with datasets of the same name store into their own', async () => {
  const other = await bench.newTenant();
  await createDataset(other, { name: dataset });
  await Promise.all([send(1, 'x'), send(2, 'x', other)]);
  expect([(await stored()).map(({ data }) => data), (await stored(other)).map(({ data }) => data)]).toEqual([
    [{ n: 1 }],
    [{ n: 2 }],
  ]);
});

test('a record that is stored inside a transaction is rolled back with it', async () => {
  await expect(
    bench.scope.transaction(async (tx) => {
      await send(1, 'a', tx);
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  expect(await stored()).toEqual([]);
});
