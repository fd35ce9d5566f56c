import { request as httpRequest } from 'node:http';
import { startTestApi, type TestApi, type TestTenant } from '../testing';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startTestApi();
  tenant = await api.newTenant();
});

afterAll(() => api.close());

const error = (code: string) => ({
  status: 'error',
  code,
  message: expect.any(String) as string,
  request_id: expect.stringMatching(/^[A-Za-z0-9_-]{8,128}$/) as string,
});

const faults = (body: unknown) =>
  (body as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => [path, code]);

/** A POST whose body goes out as it is. */
const post = (body: string | Buffer, type = 'application/json') =>
  tenant.api.post('/v1/data-sources').set('content-type', type).send(body);

describe('every answer', () => {
  test('names its request', async () => {
    for (const path of ['/healthz', '/v1/datasets', '/nowhere', '/docs']) {
      const { headers } = await api.request.get(path);
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    const { body, headers } = await tenant.api.get('/v1/nowhere').expect(404);
    expect((body as { request_id: string }).request_id).toBe(headers['x-request-id']);
  });

  test.each([
    ['abcdefgh', true],
    ['a_B-0123456789', true],
    ['x'.repeat(128), true],
    ['short', false],
    ['x'.repeat(129), false],
    ['has space in it', false],
  ])('keeps an inbound request id %s: %s', async (id, kept) => {
    const { headers } = await api.request.get('/healthz').set('x-request-id', id);
    expect(headers['x-request-id'] === id).toBe(kept);
  });

  test('says nothing about what serves it and lets no page embed it', async () => {
    const { headers } = await tenant.api.get('/v1/datasets').expect(200);
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['etag']).toBeUndefined();
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
  });
});

describe('what no operation fits', () => {
  test.each([
    ['get', '/'],
    ['get', '/v1'],
    ['get', '/v1/nowhere'],
    ['get', '/V1/datasets'],
    ['get', '/v1/datasets/'],
    ['put', '/v1/datasets'],
    ['options', '/v1/datasets'],
    ['get', '/v1/datasets/%zz'],
    ['get', '/v1/datasets/%ff/sample'],
  ] as const)('%s %s is route_not_found', async (method, path) => {
    const { body } = await api.request[method](path).set('x-api-key', tenant.key).expect(404);
    expect(body).toEqual(error('route_not_found'));
  });
});

describe('bodies', () => {
  test.each([['{"name": "x", }'], ['{"name": "x"'], ['nonsense'], ["{'name': 'x'}"], ['{"name": "a\0b"}']])(
    '%j is malformed_json',
    async (text) => {
      const { body } = await post(text).expect(400);
      expect(body).toEqual(error('malformed_json'));
    },
  );

  test('text that is not UTF-8 is malformed_json', async () => {
    const answer = await chunkedPost(Buffer.from([0x22, 0xff, 0x22]));
    expect(answer).toEqual({ status: 400, body: error('malformed_json') });
  });

  test.each([
    ['', ''],
    ['[]', ''],
    ['null', ''],
    ['"text"', ''],
  ])('%j is not an object', async (text, path) => {
    const { body } = await post(text).expect(400);
    expect(body).toMatchObject({ code: 'validation_error', errors: [{ path }] });
  });

  test('all faults are listed, with pointers in the casing of the request', async () => {
    const { body } = await tenant.api
      .post('/v1/datasets?a=1&a=2&b/c=3', { nmae: 'x', dataSourceId: 5, 'a/b~c': 1 })
      .set('idempotency-key', 'not visible')
      .expect(400);
    expect(faults(body)).toEqual(
      expect.arrayContaining([
        ['/query/a', 'duplicate_parameter'],
        ['/query/b~1c', 'unknown_key'],
        ['/headers/idempotency-key', 'idempotency_key'],
        ['/name', 'required'],
        ['/nmae', 'unknown_key'],
        ['/a~1b~0c', 'unknown_key'],
        ['/dataSourceId', 'type'],
      ]),
    );
    expect(
      (body as { errors: { path: string; message: string }[] }).errors.find(({ path }) => path === '/nmae')?.message,
    ).toContain('name');
  });

  test.each([
    ['{"name": "a\\u0000b", "kind": "x"}', '/name', 'nul_character'],
    ['{"name": "a\\ud800b", "kind": "x"}', '/name', 'invalid_text'],
    ['{"name": 1e999, "kind": "x"}', '/name', 'number_out_of_range'],
    ['{"a\\u0000": 1}', '', 'nul_character'],
  ])('%s holds what cannot be stored', async (text, path, code) => {
    const { body } = await post(text).expect(400);
    expect(faults(body)).toEqual([[path, code]]);
  });

  test('64 levels of nesting are taken, 65 are refused', async () => {
    const nested = (levels: number): string =>
      `{"name":"n${levels}","selection":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
    const create = (text: string) => tenant.api.post('/v1/datasets').set('content-type', 'application/json').send(text);
    await create(nested(64)).expect(201);
    const { body } = await create(nested(65)).expect(400);
    expect(faults(body)[0]?.[1]).toBe('nesting_too_deep');
    await create(nested(10_000)).expect(400);
  });

  test('__proto__ and constructor are keys like any other', async () => {
    const { body } = await post('{"name":"x","kind":"y","__proto__":{"a":1}}').expect(400);
    expect(faults(body)).toEqual([['/__proto__', 'unknown_key']]);
    const kept = await tenant.api.post('/v1/datasets', { name: 'keys', selection: { constructor: 1 } }).expect(201);
    expect(kept.text).toContain('"selection":{"constructor":1}');
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'multipart/form-data',
  ])('the media type %s is unsupported', async (type) => {
    const { body } = await post('{"name":"x","kind":"y"}', type).expect(415);
    expect(body).toEqual(error('unsupported_media_type'));
  });

  test('the media type may carry UTF-8 as its charset and be written in capitals', async () => {
    await post('{"name":"é","kind":"y"}', 'application/json; charset=UTF-8').expect(201);
    await post('{"name":"x","kind":"y"}', 'APPLICATION/JSON').expect(201);
  });

  test('compressed bodies are unsupported', async () => {
    const { body } = await post('{}').set('content-encoding', 'gzip').expect(415);
    expect(body).toEqual(error('unsupported_media_type'));
  });

  test('100 KiB are taken, a byte more is too large, announced or not', async () => {
    const limit = 100 * 1024;
    const sized = (bytes: number): string => {
      const frame = '{"name":"x","kind":"y"}';
      return frame.slice(0, -1) + ' '.repeat(bytes - frame.length) + '}';
    };
    await post(sized(limit)).expect(201);
    const { body } = await post(sized(limit + 1)).expect(413);
    expect(body).toEqual(error('body_too_large'));
    expect(await chunkedPost(sized(limit + 1))).toMatchObject({ status: 413, body: error('body_too_large') });
    expect(await chunkedPost(sized(4 * 1024 * 1024))).toMatchObject({ status: 413 });
    expect(await chunkedPost(sized(limit))).toMatchObject({ status: 201 });
  });
});

/** Sends a body without saying how long it is. */
function chunkedPost(text: string | Buffer): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': tenant.key, 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const request = httpRequest(`${api.url}/v1/data-sources`, { method: 'POST', headers }, (response) => {
      let answer = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (answer += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(answer) as unknown }));
    });
    request.on('error', reject);
    request.end(text);
  });
}

describe('the order of refusals', () => {
  test('who may not ask learns nothing about the request', async () => {
    const { body } = await api.request.post('/v1/datasets?x=1').set('content-type', 'text/plain').send('{').expect(401);
    expect(body).toMatchObject({ code: 'missing_api_key' });
    const reader = await api.newKey(tenant, ['records:read']);
    await reader.api.post('/v1/datasets', { nmae: 1 }).expect(403);
  });
});

describe('a failure of ours', () => {
  test('shows nothing of its insides', async () => {
    const { system } = api.service.deps.db;
    const other = await api.newTenant();
    await system.execute('alter table data_sources rename to hidden');
    try {
      const { body, text } = await other.api.get('/v1/data-sources').expect(500);
      expect(body).toEqual(error('internal_error'));
      expect(text).not.toMatch(/data_sources|prisma|relation|select/i);
    } finally {
      await system.execute('alter table hidden rename to data_sources');
    }
  });
});

describe('Idempotency-Key', () => {
  const create = (key: string, body: object = { name: 'once', kind: 'k' }, path = '/v1/data-sources') =>
    tenant.api.post(path, body).set('idempotency-key', key);
  const named = async (name: string): Promise<number> => {
    const { body } = await tenant.api.get('/v1/data-sources?limit=100').expect(200);
    return (body as { items: { name: string }[] }).items.filter((item) => item.name === name).length;
  };

  test('a repetition is answered with the stored status and bytes', async () => {
    const first = await create('repeat', { name: 'repeat', kind: 'k' }).expect(201);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    const second = await create('repeat', { kind: 'k', name: 'repeat' }).expect(201);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.headers['content-type']).toBe(first.headers['content-type']);
    expect(second.text).toBe(first.text);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(await named('repeat')).toBe(1);
  });

  test('another body with the same key is refused', async () => {
    await create('other body').expect(400);
    await create('other-body').expect(201);
    const { body } = await create('other-body', { name: 'two', kind: 'k' }).expect(422);
    expect(body).toEqual(error('idempotency_key_reused'));
  });

  test('the key means something else for another operation and for another tenant', async () => {
    await create('scoped').expect(201);
    await create('scoped', { name: 'a dataset' }, '/v1/datasets').expect(201);
    const other = await api.newTenant();
    await other.api
      .post('/v1/data-sources', { name: 'theirs', kind: 'k' })
      .set('idempotency-key', 'scoped')
      .expect(201);
  });

  test('the same operation on another path is another request', async () => {
    const ids = [];
    for (const name of ['path one', 'path two']) {
      const { body } = await tenant.api.post('/v1/datasets', { name }).expect(201);
      ids.push((body as { id: string }).id);
    }
    const field = { name: 'A', key: 'a', type: 'string' };
    await create('path', field, `/v1/datasets/${ids[0]}/fields`).expect(201);
    await create('path', field, `/v1/datasets/${ids[1]}/fields`).expect(422);
  });

  test('failures are not stored', async () => {
    await tenant.api.post('/v1/datasets', { name: 'taken already' }).expect(201);
    await create('retry', { name: 'taken already' }, '/v1/datasets').expect(409);
    await create('retry', {}, '/v1/datasets').expect(400);
    await create('retry', { name: 'free' }, '/v1/datasets').expect(201);
  });

  test('of 50 equal concurrent requests one takes effect; the others get the same answer or have to wait', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create('race', { name: 'race', kind: 'k' })));
    const created = answers.filter(({ status }) => status === 201);
    const waiting = answers.filter(({ status }) => status === 409);
    expect(created.length + waiting.length).toBe(50);
    expect(created.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    for (const { body, headers } of waiting) {
      expect(body).toEqual(error('idempotency_key_in_use'));
      expect(headers['retry-after']).toBe('1');
    }
    expect(await named('race')).toBe(1);
  });

  test('a request whose first run has not ended is told to wait, and runs when that one has failed', async () => {
    await api.service.deps.db.system.transaction(async (tx) => {
      // The first run holds this lock until it ends.
      const held = `idempotency ${tenant.tenantId} createDataSource slow`;
      await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))::text', [held]);
      const { body, headers } = await create('slow', { name: 'slow', kind: 'k' }).expect(409);
      expect(body).toEqual(error('idempotency_key_in_use'));
      expect(headers['retry-after']).toBe('1');
    });
    await create('slow', { name: 'slow', kind: 'k' }).expect(201);
    expect(await named('slow')).toBe(1);
  });

  test('after 24 hours the key is free again', async () => {
    await create('old', { name: 'old', kind: 'k' }).expect(201);
    const changed = await api.service.deps.db.system.execute(
      `update idempotency_keys set expires_at = expires_at - interval '24 hours' where key = 'old'`,
    );
    expect(changed).toBe(1);
    await create('old', { name: 'new', kind: 'k' }).expect(201);
    const replay = await create('old', { name: 'new', kind: 'k' }).expect(201);
    expect(replay.headers['idempotent-replayed']).toBe('true');
  });

  test.each(['', 'a b', 'x'.repeat(256), 'é'])('the key %j is refused', async (key) => {
    const { body } = await create(key).expect(400);
    expect(faults(body)).toEqual([['/headers/idempotency-key', 'idempotency_key']]);
  });

  test('255 visible characters are taken', async () => {
    await create('~'.repeat(255)).expect(201);
  });
});
