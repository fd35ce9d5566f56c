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

  test('sending an external id again replaces the data, keeps id and created_at, and reprocesses it', async () => {
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
    ['a body that is not an object', { body: [1] }, '/body'],
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

  test('a change of a field has the records processed again', async () => {
    const datasetId = await declare('ledger');
    const id = await post({ amount: '7' });
    await api.runIngest();
    expect((await get(id)).fields).toEqual({});
    await tenant.api.post(`/v1/datasets/${datasetId}/fields`, amountField).expect(201);
    await api.runIngest();
    expect(await get(id)).toMatchObject({ status: 'ready', fields: { amount: 7 } });
  });
});

describe('DELETE /v1/records/{id}', () => {
  test('removes the record, its matches and its place among the unmatched', async () => {
    const [left, right, other] = [await post({}), await post({}), await post({})];
    const { db } = api.service.deps;
    const jobId = '01994e6d-7b30-7a51-8c11-2f4e6a8b0c3d';
    await db.system.execute(
      `insert into matches (id, tenant_id, job_id, rule_set_id, left_record_id, right_record_id, score, decision,
                            explanation)
       select gen_random_uuid(), $1::uuid, $2::uuid, $2::uuid, l::uuid, r::uuid, 1, 'MATCH', '{}'
       from (values ($3, $4), ($4, $5), ($3, $5)) as pair (l, r)`,
      [tenant.tenantId, jobId, left, right, other],
    );
    await db.system.execute(
      `insert into matching_jobs (id, tenant_id, dataset_id, dataset_name, job_group_id)
       values ($2::uuid, $1::uuid, $2::uuid, 'ledger', $2::uuid)`,
      [tenant.tenantId, jobId],
    );
    await db.system.execute(
      `insert into unmatched_blocks (job_id, side, block_no, tenant_id, first_id, last_id, counts, ids, reasons)
       select $2::uuid, 0, 0, $1::uuid, (array_agg(id order by id))[1], (array_agg(id order by id desc))[1],
              '{0,0,0,2,0,0,0}', string_agg(uuid_send(id), '' order by id), '\\x0303' from unnest($3::uuid[]) r(id)`,
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
      `insert into matches (id, tenant_id, job_id, rule_set_id, left_record_id, right_record_id, score, decision,
                            explanation)
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
