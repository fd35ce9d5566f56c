import fc from 'fast-check';
import { ingestBulk, tenantScope } from '@tieout/domain';
import { queueClasses } from '@tieout/infra';
import { startTestApi, type TestApi, type TestTenant } from '../../../testing';

interface WireResult {
  accepted: number;
  rejected: number;
  errors: { line: number; code: string; message: string }[];
}

interface Stored {
  external_id: string | null;
  data: unknown;
}

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

beforeEach(async () => {
  tenant = await api.newTenant();
});

const ndjson = (...lines: (object | string)[]): string =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

const send = (body: string, dataset = 'ledger', type = 'application/x-ndjson', who = tenant) =>
  api.request
    .post(`/v1/records/bulk?dataset=${dataset}`)
    .set('x-api-key', who.key)
    .set('Content-Type', type)
    .send(body);

async function bulk(...lines: (object | string)[]): Promise<WireResult> {
  return (await send(ndjson(...lines)).expect(202)).body as WireResult;
}

async function stored(dataset = 'ledger', who = tenant): Promise<Stored[]> {
  const body = (await who.api.get(`/v1/records?dataset=${dataset}&limit=100`).expect(200)).body;
  return (body as { items: Stored[] }).items.map(({ external_id, data }) => ({ external_id, data })).reverse();
}

test('good lines go in, bad ones are listed with their line numbers', async () => {
  const result = await bulk({ externalId: 'A', body: { n: 1 } }, '{bad', '', { body: { n: 2 } }, { nobody: 1 });
  expect(result).toEqual({
    accepted: 2,
    rejected: 2,
    errors: [
      { line: 2, code: 'malformed_json', message: 'is not valid JSON' },
      { line: 5, code: 'unknown_key', message: expect.any(String) as string },
    ],
  });
  expect(await stored()).toEqual([
    { external_id: 'A', data: { n: 1 } },
    { external_id: null, data: { n: 2 } },
  ]);
});

test('a JSON array is taken like lines', async () => {
  const body = (
    await send(JSON.stringify([{ externalId: 'A', body: {} }, 5]), 'ledger', 'application/json; charset=utf-8').expect(
      202,
    )
  ).body;
  expect(body).toMatchObject({ accepted: 1, rejected: 1, errors: [{ line: 2 }] });
});

test('an array that is not JSON is refused as a whole', async () => {
  await send('[{"body":{"n":1}},{"body":', 'ledger', 'application/json').expect(400);
  expect(await stored()).toEqual([]);
});

test('another media type is refused', async () => {
  await send('{"body":{}}', 'ledger', 'text/plain').expect(415);
});

test('the same external id twice: the last line wins and both are accepted', async () => {
  const result = await bulk(
    { externalId: 'A', body: { n: 1 } },
    { externalId: 'B', body: {} },
    { externalId: 'A', body: { n: 2 } },
  );
  expect(result).toEqual({ accepted: 3, rejected: 0, errors: [] });
  expect(await stored()).toEqual([
    { external_id: 'A', data: { n: 2 } },
    { external_id: 'B', data: {} },
  ]);
});

test('records that are there are replaced and keep their ids', async () => {
  const body = (await tenant.api.post('/v1/records?dataset=ledger', { externalId: 'A', body: { n: 1 } }).expect(202))
    .body;
  const { id } = body as { id: string };
  await bulk({ externalId: 'A', body: { n: 2 } });
  await api.runIngest();
  expect((await tenant.api.get(`/v1/records/${id}`).expect(200)).body).toMatchObject({
    data: { n: 2 },
    status: 'ready',
  });
});

test('identity fields identify lines without externalId, by expression too', async () => {
  const body = (await tenant.api.post('/v1/datasets', { name: 'ledger' }).expect(201)).body;
  const path = `/v1/datasets/${(body as { id: string }).id}/fields`;
  await tenant.api
    .post(path, { name: 'Ref', key: 'ref', type: 'string', transform_expr: '$uppercase(code)', isIdentity: true })
    .expect(201);
  await bulk(
    { body: { code: 'a' } },
    { body: { code: 'b' } },
    { body: { code: 'A', again: true } },
    { externalId: 'X', body: { code: 'a' } },
  );
  expect((await stored()).map((r) => r.external_id)).toEqual(['A', 'B', 'X']);
});

test('an identity that is too long rejects its line', async () => {
  const body = (await tenant.api.post('/v1/datasets', { name: 'ledger' }).expect(201)).body;
  await tenant.api
    .post(`/v1/datasets/${(body as { id: string }).id}/fields`, {
      name: 'Ref',
      key: 'ref',
      type: 'string',
      isIdentity: true,
    })
    .expect(201);
  expect(await bulk({ body: { ref: 'x'.repeat(513) } }, { body: { ref: 'y' } })).toMatchObject({
    accepted: 1,
    errors: [{ line: 1, code: 'identity_too_long' }],
  });
});

test('texts with line feeds, quotes and backslashes arrive unchanged', async () => {
  const text = 'a\nb\r\n"c"\\n\\\t,{}\u2028é😀';
  await bulk({ externalId: text, body: { [text]: text } });
  expect(await stored()).toEqual([{ external_id: text, data: { [text]: text } }]);
});

test('1000 errors are listed, all are counted', async () => {
  const result = await bulk(...Array.from({ length: 1200 }, () => '{'), { body: {} });
  expect(result).toMatchObject({ accepted: 1, rejected: 1200 });
  expect(result.errors).toHaveLength(1000);
});

test('no good line: nothing is made, not even the dataset', async () => {
  expect(await bulk('{')).toMatchObject({ accepted: 0, rejected: 1 });
  const body = (await tenant.api.get('/v1/datasets').expect(200)).body;
  expect((body as { total: number }).total).toBe(0);
});

test('the same Idempotency-Key gives the same answer and one set of records', async () => {
  const once = () => send(ndjson({ body: { n: 1 } }, '{')).set('Idempotency-Key', 'bulk-1');
  const first = await once().expect(202);
  expect((await once().expect(202).expect('Idempotent-Replayed', 'true')).text).toBe(first.text);
  expect(await stored()).toHaveLength(1);
});

test('two tenants with equal external ids and dataset names do not meet', async () => {
  const other = await api.newTenant();
  await bulk({ externalId: 'A', body: { of: 'first' } });
  await send(ndjson({ externalId: 'A', body: { of: 'second' } }), 'ledger', 'application/x-ndjson', other).expect(202);
  expect(await stored()).toEqual([{ external_id: 'A', data: { of: 'first' } }]);
  expect(await stored('ledger', other)).toEqual([{ external_id: 'A', data: { of: 'second' } }]);
});

test('bulks that replace the same records in opposite orders both succeed', async () => {
  const lines = Array.from({ length: 3000 }, (_, i) => ({ externalId: `R${i}`, body: { i } }));
  const answers = await Promise.all([
    send(ndjson(...lines)),
    send(ndjson(...[...lines].reverse())),
    send(ndjson(...lines)),
  ]);
  expect(answers.map((a) => a.status)).toEqual([202, 202, 202]);
});

interface Normalised {
  external_id: string;
  status: string;
  fields: unknown;
  error: { field: string } | null;
}

async function normalised(): Promise<Normalised[]> {
  const body = (await tenant.api.get('/v1/records?dataset=ledger&limit=100').expect(200)).body;
  return (body as { items: Normalised[] }).items.sort((a, b) => (a.external_id < b.external_id ? -1 : 1));
}

async function openDataset(...fields: object[]): Promise<(field: object) => Promise<void>> {
  const { body } = await tenant.api.post('/v1/datasets', { name: 'ledger' }).expect(201);
  const add = async (field: object): Promise<void> => {
    await tenant.api.post(`/v1/datasets/${(body as { id: string }).id}/fields`, field).expect(201);
  };
  for (const field of fields) await add(field);
  return add;
}

const amount = { name: 'Amount', key: 'amount', type: 'amount' };

test('lines that no expression reads are normalised when they are answered', async () => {
  await openDataset(amount);
  await bulk({ externalId: 'A', body: { amount: '7.50' } }, { externalId: 'B', body: { amount: 'much' } });
  expect(await normalised()).toMatchObject([
    { external_id: 'A', status: 'ready', fields: { amount: 7.5 }, error: null },
    { external_id: 'B', status: 'failed', fields: null, error: { field: 'amount' } },
  ]);
  await bulk({ externalId: 'A', body: { amount: 'little' } }, { externalId: 'B', body: { amount: 3 } });
  expect(await normalised()).toMatchObject([
    { external_id: 'A', status: 'failed', fields: null, error: { field: 'amount' } },
    { external_id: 'B', status: 'ready', fields: { amount: 3 }, error: null },
  ]);
});

test('lines that were read before a field was added are normalised with it', async () => {
  const add = await openDataset(amount);
  const lines = async function* () {
    yield [{ line: 1, externalId: 'A', body: { amount: 1, ref: 'x' } }];
    await add({ name: 'Ref', key: 'ref', type: 'string' });
  };
  await ingestBulk(tenantScope(api.service.deps, tenant.tenantId), 'ledger', lines());
  await api.runIngest();
  expect(await normalised()).toMatchObject([{ status: 'ready', fields: { amount: 1, ref: 'x' } }]);
});

test('lines that were read before their dataset was created are normalised with its fields', async () => {
  const lines = async function* () {
    yield [{ line: 1, externalId: 'A', body: { amount: 1 } }];
    await openDataset(amount);
  };
  await ingestBulk(tenantScope(api.service.deps, tenant.tenantId), 'ledger', lines());
  await api.runIngest();
  expect(await normalised()).toMatchObject([{ status: 'ready', fields: { amount: 1 } }]);
});

test('a bulk of 1201 records that an expression reads is three queue jobs', async () => {
  const queue = queueClasses(api.service.queueSettings, { role: 'producer' }).openQueue('ingest');
  try {
    await openDataset({ ...amount, transform_expr: 'i' });
    await api.runIngest();
    await queue.pause();
    await bulk(...Array.from({ length: 1201 }, (_, i) => ({ body: { i } })));
    const jobs = await queue.getJobs(['waiting', 'prioritized']);
    expect(
      jobs.map((job) => (job.data as { payload: { recordIds: string[] } }).payload.recordIds.length).sort(),
    ).toEqual([201, 500, 500]);
  } finally {
    await queue.resume();
    await queue.close();
  }
  await api.runIngest();
  const body = (await tenant.api.get('/v1/records?status=ready').expect(200)).body;
  expect((body as { total: number }).total).toBe(1201);
});

test('a bulk equals the same records sent one by one', async () => {
  const line = fc.record(
    {
      externalId: fc.constantFrom('a', 'b', 'c', 'a\nb'),
      body: fc.dictionary(
        fc.constantFrom('x', 'y', 'a.b'),
        fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null)),
        { maxKeys: 2 },
      ),
    },
    { requiredKeys: ['body'] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
      const [inBulk, oneByOne] = [await api.newTenant(), await api.newTenant()];
      const results = await Promise.all([
        send(ndjson(...lines), 'ledger', 'application/x-ndjson', inBulk).expect(202),
        (async () => {
          let accepted = 0;
          for (const one of lines)
            accepted += (await oneByOne.api.post('/v1/records?dataset=ledger', one)).status === 202 ? 1 : 0;
          return accepted;
        })(),
      ]);
      expect((results[0].body as WireResult).accepted).toBe(results[1]);
      expect(await stored('ledger', inBulk)).toEqual(await stored('ledger', oneByOne));
    }),
    { numRuns: 20 },
  );
});
