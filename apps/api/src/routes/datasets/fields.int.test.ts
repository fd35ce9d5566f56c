import { startTestApi, type TestApi, type TestTenant } from '../../../testing';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startTestApi();
  tenant = await api.newTenant();
});

afterAll(() => api.close());

interface Field {
  id: string;
  key: string;
  name: string;
  type: string;
  source_path: string | null;
}

let serial = 0;

async function newDataset(): Promise<string> {
  const { body } = await tenant.api.post('/v1/datasets', { name: `d${serial++}` }).expect(201);
  return (body as { id: string }).id;
}

async function newField(datasetId: string, field: object = {}): Promise<Field> {
  const { body } = await tenant.api
    .post(`/v1/datasets/${datasetId}/fields`, { name: 'Amount', key: 'amount', type: 'amount', ...field })
    .expect(201);
  return body as Field;
}

async function fieldsVersion(datasetId: string): Promise<number> {
  const rows = await api.service.deps.db.system.query<{ v: number }>(
    'select fields_version as v from datasets where id = $1::uuid',
    [datasetId],
  );
  return rows[0]?.v ?? -1;
}

const fromColumns = async (datasetId: string, columns: readonly object[]): Promise<Field[]> => {
  const { body } = await tenant.api.post(`/v1/datasets/${datasetId}/fields/from-columns`, { columns }).expect(200);
  return body as Field[];
};

describe('one field', () => {
  test('is created with what is absent as null', async () => {
    const datasetId = await newDataset();
    expect(await newField(datasetId)).toEqual({
      id: expect.any(String) as string,
      dataset_id: datasetId,
      name: 'Amount',
      key: 'amount',
      type: 'amount',
      source_path: null,
      transform_expr: null,
      is_identity: false,
      created_at: expect.any(String) as string,
    });
  });

  test('keeps its path, its expression and that it identifies', async () => {
    const given = { sourcePath: 'total.value', transform_expr: '$number(total)', isIdentity: true, key: 'a.b-c_1' };
    expect(await newField(await newDataset(), given)).toMatchObject({
      source_path: 'total.value',
      transform_expr: '$number(total)',
      is_identity: true,
      key: 'a.b-c_1',
    });
  });

  test.each([
    [{ key: undefined }, '/key'],
    [{ type: undefined }, '/type'],
    [{ name: '' }, '/name'],
    [{ key: '1a' }, '/key'],
    [{ key: 'a b' }, '/key'],
    [{ key: 'x'.repeat(65) }, '/key'],
    [{ type: 'money' }, '/type'],
    [{ isIdentity: 'yes' }, '/isIdentity'],
    [{ sourcePath: 5 }, '/sourcePath'],
    [{ source_path: 'a' }, '/source_path'],
  ])('is refused with %j', async (change, path) => {
    const datasetId = await newDataset();
    const { body } = await tenant.api
      .post(`/v1/datasets/${datasetId}/fields`, { name: 'A', key: 'a', type: 'string', ...change })
      .expect(400);
    const errors = (body as { errors: { path: string }[] }).errors;
    expect(errors.map((error) => error.path)).toContain(path);
  });

  test('takes an expression of 65,536 characters and no longer one', async () => {
    const datasetId = await newDataset();
    const transform_expr = `"${'é'.repeat(65534)}"`;
    await newField(datasetId, { transform_expr });
    const { body } = await tenant.api
      .post(`/v1/datasets/${datasetId}/fields`, {
        name: 'B',
        key: 'b',
        type: 'string',
        transform_expr: `${transform_expr} `,
      })
      .expect(400);
    expect(body).toMatchObject({ errors: [{ path: '/transform_expr', code: 'maxLength' }] });
  });

  test('is refused with an expression that does not parse, with the place of the fault', async () => {
    const datasetId = await newDataset();
    const { body } = await tenant.api
      .post(`/v1/datasets/${datasetId}/fields`, { name: 'A', key: 'a', type: 'string', transform_expr: 'a + )' })
      .expect(400);
    expect(body).toMatchObject({
      code: 'validation_error',
      errors: [{ path: '/transform_expr', code: expect.stringMatching(/^S\d{4}$/) as string, position: 5, token: ')' }],
    });
  });

  test('is refused when its key is taken', async () => {
    const datasetId = await newDataset();
    await newField(datasetId);
    const { body } = await tenant.api
      .post(`/v1/datasets/${datasetId}/fields`, { name: 'Other', key: 'amount', type: 'string' })
      .expect(409);
    expect(body).toMatchObject({ code: 'conflict' });
    await newField(await newDataset());
  });

  test('is created once by 50 equal requests at the same time', async () => {
    const datasetId = await newDataset();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        tenant.api.post(`/v1/datasets/${datasetId}/fields`, { name: 'A', key: 'a', type: 'string' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  });
});

test('fields are listed as an array in the order of their creation', async () => {
  const datasetId = await newDataset();
  for (const key of ['c', 'a', 'b']) await newField(datasetId, { key });
  const { body } = await tenant.api.get(`/v1/datasets/${datasetId}/fields`).expect(200);
  expect((body as Field[]).map(({ key }) => key)).toEqual(['c', 'a', 'b']);
});

test('PATCH changes what it names; null takes a path or an expression away', async () => {
  const datasetId = await newDataset();
  const field = await newField(datasetId, { sourcePath: 'a', transform_expr: 'b' });
  const changed = await tenant.api
    .patch(`/v1/datasets/fields/${field.id}`, { name: 'New', type: 'number', key: 'new', isIdentity: true })
    .expect(200);
  expect(changed.body).toMatchObject({
    id: field.id,
    name: 'New',
    type: 'number',
    key: 'new',
    is_identity: true,
    source_path: 'a',
    transform_expr: 'b',
  });
  const cleared = await tenant.api
    .patch(`/v1/datasets/fields/${field.id}`, { sourcePath: null, transform_expr: null })
    .expect(200);
  expect(cleared.body).toMatchObject({ source_path: null, transform_expr: null, name: 'New' });
});

test.each([
  [{ name: '' }, '/name'],
  [{ type: '' }, '/type'],
  [{ type: 'money' }, '/type'],
  [{ key: '' }, '/key'],
  [{ key: 'no spaces' }, '/key'],
  [{ transform_expr: '(' }, '/transform_expr'],
  [{ is_identity: true }, '/is_identity'],
])('PATCH of a field refuses %j', async (body, path) => {
  const field = await newField(await newDataset());
  const response = await tenant.api.patch(`/v1/datasets/fields/${field.id}`, body).expect(400);
  const errors = (response.body as { errors: { path: string }[] }).errors;
  expect(errors.map((error) => error.path)).toContain(path);
});

test('PATCH refuses the key of another field', async () => {
  const datasetId = await newDataset();
  await newField(datasetId, { key: 'a' });
  const field = await newField(datasetId, { key: 'b' });
  await tenant.api.patch(`/v1/datasets/fields/${field.id}`, { key: 'a' }).expect(409);
});

test('a deleted field is gone', async () => {
  const datasetId = await newDataset();
  const field = await newField(datasetId);
  await tenant.api.delete(`/v1/datasets/fields/${field.id}`).expect(204);
  await tenant.api.delete(`/v1/datasets/fields/${field.id}`).expect(404);
  const { body } = await tenant.api.get(`/v1/datasets/${datasetId}/fields`).expect(200);
  expect(body).toEqual([]);
});

test('the version of the fields rises with every change that records depend on, and with no other', async () => {
  const datasetId = await newDataset();
  let version = await fieldsVersion(datasetId);
  const expectRise = async (rises: boolean): Promise<void> => {
    const now = await fieldsVersion(datasetId);
    expect(now > version).toBe(rises);
    version = now;
  };
  const field = await newField(datasetId);
  await expectRise(true);
  const patch = (body: object) => tenant.api.patch(`/v1/datasets/fields/${field.id}`, body).expect(200);
  for (const body of [
    { key: 'k' },
    { type: 'number' },
    { sourcePath: 'p' },
    { transform_expr: 'e' },
    { isIdentity: true },
  ]) {
    await patch(body);
    await expectRise(true);
    await patch(body);
    await expectRise(false);
  }
  await patch({ name: 'Only a name' });
  await expectRise(false);
  await patch({});
  await expectRise(false);
  await fromColumns(datasetId, [{ name: 'x', type: 'string' }]);
  await expectRise(true);
  await fromColumns(datasetId, [{ name: 'x', type: 'string' }]);
  await expectRise(false);
  await tenant.api.delete(`/v1/datasets/fields/${field.id}`).expect(204);
  await expectRise(true);
});

test('records are processed again after a field has changed', async () => {
  const datasetId = await newDataset();
  const { name } = (await tenant.api.get(`/v1/datasets/${datasetId}`)).body as { name: string };
  const created = await tenant.api.post(`/v1/records?dataset=${name}`, { body: { total: '12.50' } }).expect(202);
  const { id } = created.body as { id: string };
  const normalised = async (): Promise<unknown> => {
    await api.runIngest();
    const { body } = await tenant.api.get(`/v1/records/${id}`).expect(200);
    return (body as { status: string; fields: Record<string, unknown> }).fields;
  };
  expect(await normalised()).toEqual({});
  const field = await newField(datasetId, { key: 'amount', type: 'string', sourcePath: 'total' });
  expect(await normalised()).toEqual({ amount: '12.50' });
  await tenant.api.patch(`/v1/datasets/fields/${field.id}`, { transform_expr: '"x" & total' }).expect(200);
  expect(await normalised()).toEqual({ amount: 'x12.50' });
  await tenant.api.delete(`/v1/datasets/fields/${field.id}`).expect(204);
  expect(await normalised()).toEqual({});
});

test('a field of another tenant answers exactly like an unknown one', async () => {
  const datasetId = await newDataset();
  const field = await newField(datasetId);
  const other = await api.newTenant();
  const operations = [
    (id: string) => other.api.patch(`/v1/datasets/fields/${id}`, { name: 'stolen' }),
    (id: string) => other.api.delete(`/v1/datasets/fields/${id}`),
  ];
  for (const operation of operations) {
    const texts = new Set<string>();
    for (const id of [field.id, '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10', 'nonsense']) {
      texts.add((await operation(id).set('x-request-id', 'same-for-all').expect(404)).text);
    }
    expect([...texts]).toEqual([expect.stringContaining('"code":"dataset_field_not_found"')]);
  }
  const { body } = await tenant.api.get(`/v1/datasets/${datasetId}/fields`).expect(200);
  expect(body).toEqual([field]);
});
