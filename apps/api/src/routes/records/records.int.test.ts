import { startTestApi, whileLocked, type TestApi, type TestTenant } from '../../../testing';

interface WireRecord {
  id: string;
  dataset_name: string;
  external_id: string | null;
  data: Record<string, unknown>;
  created_at: string;
  status: string;
  fields: Record<string, unknown> | null;
  error: unknown;
}

interface WirePage {
  items: WireRecord[];
  total: number;
  next_cursor: string | null;
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

async function post(body: object, externalId?: string, dataset = 'ledger'): Promise<string> {
  const answer = await tenant.api
    .post(`/v1/records?dataset=${encodeURIComponent(dataset)}`, {
      body,
      ...(externalId === undefined ? {} : { externalId }),
    })
    .expect(202);
  return (answer.body as { id: string }).id;
}

async function get(id: string): Promise<WireRecord> {
  return (await tenant.api.get(`/v1/records/${id}`).expect(200)).body as WireRecord;
}

async function list(query: string): Promise<WirePage> {
  return (await tenant.api.get(`/v1/records?${query}`).expect(200)).body as WirePage;
}

async function declare(dataset: string, ...fields: object[]): Promise<string> {
  const body = (await tenant.api.post('/v1/datasets', { name: dataset }).expect(201)).body;
  const { id } = body as { id: string };
  for (const field of fields) await tenant.api.post(`/v1/datasets/${id}/fields`, field).expect(201);
  return id;
}

const amountField = { name: 'Amount', key: 'amount', type: 'amount' };

describe('POST /v1/records', () => {
  test('answers 202 with id and status, and makes the dataset transactions by default', async () => {
    const answer = await tenant.api.post('/v1/records', { externalId: 'A-1', body: { amount: 1 } }).expect(202);
    expect(answer.body).toEqual({ id: expect.any(String) as string, status: 'received' });
    const record = await get((answer.body as { id: string }).id);
    expect(record).toMatchObject({
      dataset_name: 'transactions',
      external_id: 'A-1',
      data: { amount: 1 },
      error: null,
    });
    await tenant.api
      .get('/v1/datasets')
      .expect(200)
      .expect((r) => {
        expect((r.body as { items: object[] }).items).toMatchObject([{ name: 'transactions', kind: 'records' }]);
      });
  });

  test('the same external id again replaces the data, keeps id and created_at, and processes the record anew', async () => {
    const id = await post({ amount: 1 }, 'A-1');
    await api.runIngest();
    const before = await get(id);
    expect(before.status).toBe('ready');
    expect(await post({ amount: 2 }, 'A-1')).toBe(id);
    expect(await get(id)).toMatchObject({ data: { amount: 2 }, created_at: before.created_at });
    await api.runIngest();
    expect((await get(id)).status).toBe('ready');
    expect((await list('dataset=ledger')).total).toBe(1);
  });

  test('a record without any identity is always new', async () => {
    expect(await post({ a: 1 })).not.toBe(await post({ a: 1 }));
    expect((await list('dataset=ledger')).items.map((r) => r.external_id)).toEqual([null, null]);
  });

  test('identity fields identify a record that has no externalId', async () => {
    await declare('ledger', { name: 'Ref', key: 'ref', type: 'string', isIdentity: true }, amountField);
    const id = await post({ ref: 'R1', amount: 1 });
    expect(await post({ ref: 'R1', amount: 2 })).toBe(id);
    expect(await get(id)).toMatchObject({ external_id: 'R1', data: { amount: 2 } });
    expect(await post({ ref: 'R1' }, 'explicit')).not.toBe(id);
    expect((await get(await post({ amount: 3 }))).external_id).toBeNull();
  });

  test('several identity fields join as a JSON array', async () => {
    const identity = { type: 'string', isIdentity: true };
    await declare('ledger', { name: 'A', key: 'a', ...identity }, { name: 'B', key: 'b', ...identity });
    expect((await get(await post({ a: 'x', b: 'y' }))).external_id).toBe('["x","y"]');
  });

  test('an identity can be computed by an expression', async () => {
    await declare('ledger', {
      name: 'Ref',
      key: 'ref',
      type: 'string',
      transform_expr: '$uppercase(code)',
      isIdentity: true,
    });
    const id = await post({ code: 'ab' });
    expect(await post({ code: 'AB' })).toBe(id);
    expect((await get(id)).external_id).toBe('AB');
  });

  test('an identity longer than 512 characters is refused', async () => {
    await declare('ledger', { name: 'Ref', key: 'ref', type: 'string', isIdentity: true });
    const body = (await tenant.api.post('/v1/records?dataset=ledger', { body: { ref: 'x'.repeat(513) } }).expect(400))
      .body;
    expect(body).toMatchObject({ code: 'validation_error', errors: [{ path: '/body', code: 'identity_too_long' }] });
  });

  test.each([
    ['a body that is no object', { body: [1] }, '/body'],
    ['a missing body', {}, '/body'],
    ['null as body', { body: null }, '/body'],
    ['an empty external id', { externalId: '', body: {} }, '/externalId'],
    ['an external id of 513 characters', { externalId: 'x'.repeat(513), body: {} }, '/externalId'],
    ['a number as external id', { externalId: 5, body: {} }, '/externalId'],
    ['an unknown key', { external_id: 'x', body: {} }, '/external_id'],
    ['NUL in a text', { body: { a: ['x\0'] } }, '/body/a/0'],
  ])('%s is refused', async (_name, body, path) => {
    const answer = await tenant.api.post('/v1/records', body).expect(400);
    expect((answer.body as { errors: { path: string }[] }).errors.map((e) => e.path)).toContain(path);
  });

  test('an external id of 512 characters is taken', async () => {
    const externalId = 'é'.repeat(512);
    expect((await get(await post({}, externalId))).external_id).toBe(externalId);
  });

  test('a record of more than 1 MiB is refused', async () => {
    await tenant.api.post('/v1/records', { body: { a: 'x'.repeat(1 << 20) } }).expect(413);
  });

  test('the same Idempotency-Key gives the same answer, one record and one queue job', async () => {
    const send = () => tenant.api.post('/v1/records', { body: { a: 1 } }).set('Idempotency-Key', 'k-1');
    const first = await send().expect(202);
    const again = await send().expect(202).expect('Idempotent-Replayed', 'true');
    expect(again.text).toBe(first.text);
    expect((await list('dataset=transactions')).total).toBe(1);
    await tenant.api
      .post('/v1/records', { body: { a: 2 } })
      .set('Idempotency-Key', 'k-1')
      .expect(422);
  });

  test('posts of one record at the same time make one record', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, (_, i) => post({ i }, 'same')));
    expect(new Set(ids).size).toBe(1);
    expect((await list('dataset=ledger')).total).toBe(1);
  });

  test('two tenants with equal external ids and dataset names do not meet', async () => {
    const id = await post({ of: 'first' }, 'A-1');
    const other = await api.newTenant();
    const body = (
      await other.api.post('/v1/records?dataset=ledger', { externalId: 'A-1', body: { of: 'second' } }).expect(202)
    ).body;
    expect((body as { id: string }).id).not.toBe(id);
    expect((await get(id)).data).toEqual({ of: 'first' });
    await other.api.get(`/v1/records/${id}`).expect(404);
    await other.api.delete(`/v1/records/${id}`).expect(404);
    await get(id);
  });

  test('a key without records:write cannot ingest, one without records:read cannot read', async () => {
    const reader = await api.newKey(tenant, ['records:read']);
    await reader.api.post('/v1/records', { body: {} }).expect(403);
    const stranger = await api.newKey(tenant, ['datasets:read']);
    await stranger.api.get('/v1/records').expect(403);
  });
});

describe('GET /v1/records/{id}', () => {
  test('shows normalised fields once the record is ready', async () => {
    await declare('ledger', amountField, { name: 'Day', key: 'day', type: 'date', sourcePath: 'paid.at' });
    const id = await post({ amount: '12.50', paid: { at: '2026-03-02T23:00:00-03:00' } });
    await api.runIngest();
    expect(await get(id)).toMatchObject({ status: 'ready', fields: { amount: 12.5, day: '2026-03-03' } });
  });

  test('shows why a record failed', async () => {
    await declare('ledger', { name: 'Day', key: 'day', type: 'date' });
    const id = await post({ day: '2025-02-30' });
    await api.runIngest();
    expect(await get(id)).toMatchObject({
      status: 'failed',
      fields: null,
      data: { day: '2025-02-30' },
      error: { field: 'day', value: '2025-02-30', code: 'invalid_date' },
    });
  });

  test('unknown and malformed ids answer alike', async () => {
    for (const id of ['01994e6d-7b30-7a51-8c11-2f4e6a8b0c3d', 'nonsense']) {
      const body = (await tenant.api.get(`/v1/records/${id}`).expect(404)).body;
      expect(body).toMatchObject({ code: 'record_not_found', message: 'Record not found' });
    }
  });

  test('a change of a field has the records processed anew', async () => {
    const datasetId = await declare('ledger');
    const id = await post({ amount: '7' });
    await api.runIngest();
    expect((await get(id)).fields).toEqual({});
    await tenant.api.post(`/v1/datasets/${datasetId}/fields`, amountField).expect(201);
    await api.runIngest();
    expect(await get(id)).toMatchObject({ status: 'ready', fields: { amount: 7 } });
  });
});

describe('GET /v1/records', () => {
  test('lists newest first, in pages and by cursor, with the same result', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.unshift(await post({ i }));
    const paged = [
      ...(await list('limit=3')).items,
      ...(await list('limit=3&page=2')).items,
      ...(await list('limit=3&page=3')).items,
    ];
    expect(paged.map((r) => r.id)).toEqual(ids);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: WirePage = await list(`limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(page.total).toBe(7);
      seen.push(...page.items.map((r) => r.id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(ids);
  });

  test('goes on behind records of a deleted dataset that are still being removed, and shows none of them', async () => {
    const kept = await post({}, 'kept', 'other');
    const removed = [await post({}), await post({ text: 'x'.repeat(1_000_000) }), await post({})];
    await api.service.deps.db.system.execute(`delete from datasets where tenant_id = $1::uuid and name = 'ledger'`, [
      tenant.tenantId,
    ]);
    const first = await list(`limit=${removed.length}`);
    expect(first.items).toEqual([]);
    expect(await list(`limit=2&cursor=${first.next_cursor}`)).toMatchObject({
      items: [{ id: kept }],
      total: 1,
      next_cursor: null,
    });
  });

  test('filters by dataset, external id and status, together', async () => {
    await declare('typed', amountField);
    await post({ amount: 1 }, 'A', 'typed');
    await post({ amount: 'x' }, 'B', 'typed');
    await post({ amount: 1 }, 'A', 'plain');
    await api.runIngest();
    expect((await list('')).total).toBe(3);
    expect((await list('dataset=typed')).total).toBe(2);
    expect((await list('externalId=A')).total).toBe(2);
    expect((await list('dataset=typed&externalId=A')).items).toMatchObject([
      { dataset_name: 'typed', external_id: 'A' },
    ]);
    expect((await list('status=failed')).items).toMatchObject([{ external_id: 'B' }]);
    expect((await list('dataset=typed&externalId=A&status=failed')).total).toBe(0);
  });

  test('a page with records too large to be read together is the same page, read and sent by the group', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.unshift(await post({ n, text: 'x'.repeat(n % 3 === 0 ? 10 : 1_000_000) }));
    const answer = await tenant.api.get('/v1/records?limit=100').expect(200);
    const page = answer.body as WirePage;
    expect(answer.headers['content-length']).toBeUndefined();
    expect(page.items.map(({ id }) => id)).toEqual(ids);
    expect(page.items).toEqual(await Promise.all(ids.map(get)));
    expect(page).toMatchObject({ total: 12, page: 1, limit: 100, next_cursor: null });
    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids.slice(0, 4));
  });

  test('a dataset that does not exist has no records', async () => {
    await post({});
    expect(await list('dataset=nowhere')).toMatchObject({ items: [], total: 0, next_cursor: null });
  });

  test('a filter that does not exist is refused with those that do, field.<key> among them', async () => {
    const { body } = await tenant.api.get('/v1/records?amount=1').expect(400);
    expect(body).toMatchObject({
      errors: [
        {
          path: '/query/amount',
          code: 'unknown_key',
          message: expect.stringMatching(/; known keys: dataset, .*, field\.<key>$/) as string,
        },
      ],
    });
  });

  test('createdFrom is inclusive, createdTo exclusive', async () => {
    const at = (await get(await post({}))).created_at;
    const later = new Date(Date.parse(at) + 1).toISOString();
    expect((await list(`createdFrom=${at}`)).total).toBe(1);
    expect((await list(`createdFrom=${later}`)).total).toBe(0);
    expect((await list(`createdTo=${at}`)).total).toBe(0);
    expect((await list(`createdTo=${later}`)).total).toBe(1);
    await tenant.api.get('/v1/records?createdFrom=yesterday').expect(400);
  });

  test('field.<key> compares the normalised value, else the raw one, as text; several must all hold', async () => {
    await declare('ledger', amountField);
    await post({ amount: '12.50', customer: { name: 'Acme' }, 'a.b': 'dotted key', tags: ['x'] }, 'A');
    await post({ amount: '7', customer: { name: 'Acme' }, open: true }, 'B');
    await api.runIngest();
    const ids = async (query: string) => (await list(query)).items.map((r) => r.external_id).sort();
    expect(await ids('field.amount=12.5')).toEqual(['A']);
    expect(await ids('field.amount=12.50')).toEqual([]);
    expect(await ids('field.customer.name=Acme')).toEqual(['A', 'B']);
    expect(await ids('field.customer.name=Acme&field.amount=7')).toEqual(['B']);
    expect(await ids('field.amount=7&field.amount=12.5')).toEqual([]);
    expect(await ids('field.a.b=dotted%20key')).toEqual(['A']);
    expect(await ids('field.open=true')).toEqual(['B']);
    expect(await ids('field.nothing=1')).toEqual([]);
  });

  test.each([
    'page=0',
    'limit=101',
    'status=done',
    'unknown=1',
    'field.=1',
    'page=1&cursor=abc',
    'cursor=abc',
    'externalId=',
  ])('%s is refused', async (query) => {
    await tenant.api.get(`/v1/records?${query}`).expect(400);
  });
});

describe('DELETE /v1/records/{id}', () => {
  test('removes the record, its matches and its place among the unmatched', async () => {
    const [left, right, other] = [await post({}), await post({}), await post({})];
    const { db } = api.service.deps;
    const jobId = '01994e6d-7b30-7a51-8c11-2f4e6a8b0c3d';
    await db.system.execute(
      `insert into matches (id, tenant_id, job_id, rule_set_id, left_record_id, right_record_id, score, decision, explanation)
       select gen_random_uuid(), $1::uuid, $2::uuid, $2::uuid, l::uuid, r::uuid, 1, 'MATCH', '{}'
       from (values ($3, $4), ($4, $5), ($3, $5)) as pair (l, r)`,
      [tenant.tenantId, jobId, left, right, other],
    );
    await db.system.execute(
      `insert into matching_jobs (id, tenant_id, dataset_id, dataset_name, job_group_id) values ($2::uuid, $1::uuid, $2::uuid, 'ledger', $2::uuid)`,
      [tenant.tenantId, jobId],
    );
    await db.system.execute(
      `insert into unmatched_blocks (job_id, side, block_no, tenant_id, first_id, last_id, counts, ids, reasons)
       select $2::uuid, 0, 0, $1::uuid, (array_agg(id order by id))[1], (array_agg(id order by id desc))[1], '{0,0,0,2,0,0,0}',
              string_agg(uuid_send(id), '' order by id), '\\x0303' from unnest($3::uuid[]) r(id)`,
      [tenant.tenantId, jobId, [left, right]],
    );
    await tenant.api.delete(`/v1/records/${right}`).expect(204);
    await tenant.api.get(`/v1/records/${right}`).expect(404);
    await tenant.api.delete(`/v1/records/${right}`).expect(404);
    const matches = await db.system.query('select 1 from matches where tenant_id = $1::uuid', [tenant.tenantId]);
    expect(matches).toHaveLength(1);
    const list = (await tenant.api.get(`/v1/matching-jobs/${jobId}/unmatched?side=left`).expect(200)).body as {
      total: number;
      items: { record: { id: string } }[];
    };
    expect([list.total, list.items.map(({ record }) => record.id)]).toEqual([1, [left]]);
  });

  test('is refused for a while and deletes nothing while a job holds matches of the record', async () => {
    const [left, right] = [await post({}), await post({})];
    await api.service.deps.db.system.execute(
      `insert into matches (id, tenant_id, job_id, rule_set_id, left_record_id, right_record_id, score, decision, explanation)
       select gen_random_uuid(), $1::uuid, gen_random_uuid(), gen_random_uuid(), $2::uuid, $3::uuid, 1, 'MATCH', '{}'`,
      [tenant.tenantId, left, right],
    );
    await whileLocked(api, tenant, 'select 1 from matches where left_record_id = $1 for update', [left], async () => {
      const refused = await tenant.api.delete(`/v1/records/${right}`).expect(409);
      expect([refused.body, refused.headers['retry-after']]).toMatchObject([{ code: 'conflict' }, '5']);
    });
    await tenant.api.get(`/v1/records/${right}`).expect(200);
    await tenant.api.delete(`/v1/records/${right}`).expect(204);
  });
});
