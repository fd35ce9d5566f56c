import { once } from 'node:events';
import { request } from 'node:http';
import { startTestApi, type TestApi, type TestTenant } from '../../../testing';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

beforeEach(async () => {
  tenant = await api.newTenant();
});

async function post(body: object, externalId: string): Promise<string> {
  const answer = await tenant.api.post('/v1/records?dataset=ledger', { body, externalId }).expect(202);
  return (answer.body as { id: string }).id;
}

const fill = (count: number, body: object) =>
  api.request
    .post('/v1/records/bulk?dataset=ledger')
    .set('x-api-key', tenant.key)
    .set('Content-Type', 'application/x-ndjson')
    .send(
      Array.from({ length: count }, (_, i) => JSON.stringify({ externalId: `R${i}`, body: { i, ...body } })).join('\n'),
    )
    .expect(202);

async function exported(fields: string[], filters: object = {}): Promise<string> {
  const answer = await tenant.api
    .post('/v1/records/export.csv', { fields, filters: { dataset: 'ledger', ...filters } })
    .expect(200)
    .expect('Content-Type', 'text/csv; charset=utf-8');
  return answer.text;
}

test('a CSV of the records, newest first, with the requested fields of their data', async () => {
  const first = await post({ amount: '12.50', customer: { name: 'Acme, Inc.' }, tags: ['a', 'b'] }, 'A');
  const second = await post({ amount: -3, lines: [{ sku: 'x' }, { sku: 'y' }] }, 'B');
  expect(await exported(['amount', 'customer.name', 'tags', 'lines.sku'])).toBe(
    'record.id,dataset,external_id,amount,customer.name,tags,lines.sku\r\n' +
      `${second},ledger,B,-3,,,"x;y"\r\n${first},ledger,A,12.50,"Acme, Inc.","a;b",\r\n`,
  );
});

test('the filters of the list apply, field values under fields', async () => {
  await post({ n: 1, open: true }, 'A');
  await post({ n: 2, open: true }, 'B');
  const externalIds = async (filters: object) =>
    (await exported([], filters))
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[2]);
  expect(await externalIds({})).toEqual(['B', 'A']);
  expect(await externalIds({ externalId: 'A' })).toEqual(['A']);
  expect(await externalIds({ fields: { n: 2 } })).toEqual(['B']);
  expect(await externalIds({ fields: { n: '2', open: true } })).toEqual(['B']);
  expect(await externalIds({ fields: { n: 2, open: false } })).toEqual([]);
  expect(await externalIds({ createdTo: '2000-01-01' })).toEqual([]);
  expect(await externalIds({ status: 'failed' })).toEqual([]);
});

test('a dataset that does not exist gives the header alone', async () => {
  expect(await exported(['a'], { dataset: 'nowhere' })).toBe('record.id,dataset,external_id,a\r\n');
});

test('more records than one page of the reader come complete, once each', async () => {
  await fill(2500, {});
  const rows = (await exported(['i'])).trimEnd().split('\r\n').slice(1);
  expect(new Set(rows.map((row) => row.split(',')[3])).size).toBe(2500);
  expect(rows).toHaveLength(2500);
});

test.each([
  ['an empty body', undefined, ['/fields', '/filters']],
  ['no filters', { fields: ['a'] }, ['/filters']],
  ['filters without dataset', { fields: ['a'], filters: {} }, ['/filters/dataset']],
  ['no fields', { filters: { dataset: 'x' } }, ['/fields']],
  ['an unknown filter', { fields: [], filters: { dataset: 'x', state: 'ready' } }, ['/filters/state']],
  [
    'an instant that cannot be read',
    { fields: [], filters: { dataset: 'x', createdFrom: 'now' } },
    ['/filters/createdFrom'],
  ],
])('%s is refused', async (_name, body, paths) => {
  const answer = await tenant.api.post('/v1/records/export.csv', body).expect(400);
  expect((answer.body as { errors: { path: string }[] }).errors.map((e) => e.path).sort()).toEqual(paths);
});

test('other tenants have records of their own', async () => {
  await post({}, 'A');
  const other = await api.newTenant();
  const { text } = await other.api
    .post('/v1/records/export.csv', { fields: [], filters: { dataset: 'ledger' } })
    .expect(200);
  expect(text).toBe('record.id,dataset,external_id\r\n');
});

test('a reader that goes away, or does not read, holds no connection of the pool', async () => {
  await fill(3000, { filler: 'x'.repeat(3000) });
  const open = Array.from({ length: 15 }, () => {
    const sent = request(`${api.url}/v1/records/export.csv`, {
      method: 'POST',
      headers: { 'x-api-key': tenant.key, 'content-type': 'application/json' },
    });
    sent.end(JSON.stringify({ fields: ['filler'], filters: { dataset: 'ledger' } }));
    return sent;
  });
  // More answers have begun than the pool has connections, and no client reads them.
  const answers = await Promise.all(open.map(async (sent) => (await once(sent, 'response')) as unknown[]));
  expect(answers).toHaveLength(15);
  await tenant.api.get('/v1/records?limit=1').expect(200);
  for (const sent of open) sent.destroy();
  await tenant.api.get('/v1/records?limit=1').expect(200);
});
