import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { newId, withContext, currentContext, type Logger } from '@tieout/infra';
import { startTestApi, type TestApi, type TestTenant } from '../../testing';

type Line = Record<string, unknown>;

const lines: Line[] = [];
const lineOf = (line: Line, message: string): void => void lines.push({ ...currentContext(), ...line, message });
const logger = {
  child: () => logger,
  isLevelEnabled: (level: string) => level !== 'debug',
  debug: () => undefined,
  info: lineOf,
  warn: lineOf,
  error: lineOf,
} as unknown as Logger;

const previousPlatformKey = `previous-${newId()}`;
let api: TestApi;
let tenant: TestTenant;
let keyId: string;

beforeAll(async () => {
  api = await withContext({}, () => startTestApi({ logger, trustedProxies: ['loopback'], previousPlatformKey }));
  tenant = await api.newTenant();
  keyId = tenant.key.split('_')[1] as string;
});

beforeEach(() => void lines.splice(0));

afterAll(() => api.close());

const requests = (): Line[] => lines.filter(({ message }) => message === 'request');
const idOf = ({ body }: { body: unknown }): string => (body as { id: string }).id;

test('a line says who did what to which objects, from where, and how it ended', async () => {
  const source = idOf(await tenant.api.post('/v1/data-sources', { name: 'secret name', kind: 'files' }).expect(201));
  await tenant.api.get(`/v1/data-sources/${source}`).set('x-forwarded-for', '203.0.113.9').expect(200);
  expect(requests()).toEqual([
    {
      message: 'request',
      requestId: expect.any(String) as string,
      tenantId: tenant.tenantId,
      apiKeyId: keyId,
      method: 'POST',
      route: '/v1/data-sources',
      operation: 'createDataSource',
      status: 201,
      durationMs: expect.any(Number) as number,
      address: '127.0.0.1',
      ids: [source],
    },
    expect.objectContaining({ operation: 'getDataSource', address: '203.0.113.9', ids: [source], status: 200 }),
  ]);
});

test('what a leaked key has made is named: keys, webhooks and jobs', async () => {
  const key = idOf(await tenant.api.post('/v1/api-keys', { label: 'more' }).expect(201));
  const hook = { url: 'https://hooks.example/a', secret: 'whsec_topsecret' };
  const webhook = ((await tenant.api.post('/v1/webhooks', hook).expect(201)).body as { data: { id: string } }).data.id;
  const dataset = idOf(await tenant.api.post('/v1/datasets', { name: 'x' }).expect(201));
  await tenant.api.get(`/v1/api-keys?createdBy=${key}`).expect(200);
  await tenant.api.post('/v1/records/export.csv', { fields: ['a'], filters: { dataset: 'x' } }).expect(200);
  await tenant.api.post('/v1/matching-jobs', { datasetId: dataset, ruleSetIds: [key, webhook] }).expect(400);
  expect(requests().map(({ operation, ids }) => [operation, ids])).toEqual([
    ['createApiKey', [key]],
    ['createWebhook', [webhook]],
    ['createDataset', [dataset]],
    ['listApiKeys', undefined],
    ['exportRecords', [dataset]],
    ['startMatchingJob', [dataset, key, webhook]],
  ]);
});

test('what reads or writes a dataset by its name is logged with its id', async () => {
  const datasetId = idOf(await tenant.api.post('/v1/datasets', { name: 'named' }).expect(201));
  await tenant.api.post('/v1/records/bulk?dataset=named', [{ body: { a: 1 } }]).expect(202);
  await tenant.api.post('/v1/records/export.csv', { fields: ['a'], filters: { dataset: 'named' } }).expect(200);
  await tenant.api.get('/v1/records?dataset=named').expect(200);
  expect(requests().slice(1)).toEqual([
    expect.objectContaining({ operation: 'createRecords', apiKeyId: keyId, tenantId: tenant.tenantId, datasetId }),
    expect.objectContaining({ operation: 'exportRecords', apiKeyId: keyId, tenantId: tenant.tenantId, datasetId }),
    expect.objectContaining({ operation: 'listRecords', ids: [datasetId] }),
  ]);
  expect(requests()[1]).toMatchObject({ ids: [datasetId] });
});

test('changes by a filter are logged with the names of its conditions and the ids in them only', async () => {
  const [reconciliationId, ruleSetId] = [newId(), newId()];
  const release = { filter: { reconciliationId, minAmount: 77.01 }, reasonCode: 'other' };
  await tenant.api.post('/v1/match-groups/release', release).expect(200);
  await tenant.api.post('/v1/matches/review', { filter: { ruleSetId, minScore: 0.5 }, action: 'reject' }).expect(200);
  const annotate = { filter: { side: 'left', q: 'Ms Hidden' }, set: { note: 'x' } };
  await tenant.api.post(`/v1/reconciliations/${reconciliationId}/open-items/annotate`, annotate).expect(404);
  expect(requests().map(({ operation, ids, filter }) => ({ operation, ids, filter }))).toEqual([
    { operation: 'releaseMatchGroups', ids: [reconciliationId], filter: ['reconciliationId', 'minAmount'] },
    { operation: 'reviewMatches', ids: [ruleSetId], filter: ['ruleSetId', 'minScore'] },
    { operation: 'annotateOpenItems', ids: [reconciliationId], filter: ['side', 'q'] },
  ]);
  expect(JSON.stringify(requests())).not.toMatch(/Hidden|77\.01/);
});

test.each([
  ['an unknown path', 'GET', '/v1/nothing', 404],
  ['an unknown method', 'PUT', '/v1/records', 404],
  ['OPTIONS', 'OPTIONS', '/v1/records', 404],
  ['a path that cannot be decoded', 'GET', '/v1/records/%zz', 404],
])('a request for %s is logged with the key that it sent', async (_what, method, at, status) => {
  expect((await fetch(`${api.url}${at}`, { method, headers: { 'x-api-key': tenant.key } })).status).toBe(status);
  expect(requests()).toEqual([expect.objectContaining({ apiKeyId: keyId, operation: null, status })]);
});

test.each([
  ['203.0.113.9:5678', '203.0.113.9'],
  ['[2001:db8::1]:80', '2001:db8::1'],
  ['198.51.100.1:1, 127.0.0.1:2', '198.51.100.1'],
])('when a trusted proxy reports the address %s with a port, only the address counts', async (sent, address) => {
  const { key } = (await tenant.api.post('/v1/api-keys', { label: 'here', allowedCidrs: [address] })).body as {
    key: string;
  };
  await api.withKey(key).get('/v1/records').set('x-forwarded-for', sent).expect(200);
  expect(requests().at(-1)).toMatchObject({ address, status: 200 });
});

test('refused requests say which key was sent, if it could be one', async () => {
  const { id, key } = await api.newKey(tenant, ['records:read']);
  await api.withKey(key).get('/v1/webhooks').expect(403);
  await tenant.api.delete(`/v1/api-keys/${id}`).expect(204);
  let status = 0;
  for (const deadlineMs = Date.now() + 1_000; status !== 401 && Date.now() < deadlineMs;)
    status = (await api.withKey(key).get('/v1/records')).status;
  await api.withKey('rk_nonsense').get('/v1/records').expect(401);
  const known = (status: number): unknown[] =>
    requests()
      .filter((line) => line['status'] === status)
      .map((line) => line['apiKeyId']);
  expect(known(403)).toEqual([key.split('_')[1]]);
  expect(known(401)).toEqual([key.split('_')[1], undefined]);
});

test('the platform key is named, and the previous one also warned of', async () => {
  await api.platform.get('/v1/tenants').expect(200);
  await api.withKey(previousPlatformKey).get('/v1/records').set('x-tenant-id', tenant.tenantId).expect(200);
  expect(requests().map(({ apiKeyId, tenantId }) => [apiKeyId, tenantId])).toEqual([
    ['platform key', undefined],
    ['previous platform key', tenant.tenantId],
  ]);
  expect(lines).toContainEqual(
    expect.objectContaining({ message: 'the previous platform key is in use', address: '127.0.0.1' }),
  );
});

test('no line holds a secret or what records hold, wherever a request puts it', async () => {
  const hidden = newId();
  await tenant.api.post('/v1/records?dataset=x', { externalId: hidden, body: { id: hidden } }).expect(202);
  await tenant.api.get(`/v1/records?externalId=${hidden}&field.id=${hidden}`).expect(200);
  await tenant.api.get(`/v1/records?itemId=${hidden}`).expect(400);
  await tenant.api.get(`/v1/records/${tenant.key}`).expect(404);
  await tenant.api.get('/v1/records').set('x-forwarded-for', tenant.key).expect(200);
  await tenant.api.post('/v1/items', { connectorId: 'sandbox', clientUserId: hidden, parameters: { user: hidden } });
  const logged = JSON.stringify(requests().map(({ ids, ...line }) => ({ ...line, ids })));
  expect(logged).not.toContain(tenant.key);
  expect(requests()).toHaveLength(6);
  expect(logged.split(hidden)).toHaveLength(1);
});

test('the command of the runbook shows what a key did', async () => {
  const runbook = readFileSync(path.join(__dirname, '../../../../docs/how-to/runbook.md'), 'utf8');
  const command = /^did\(\) .*$/m.exec(runbook)?.[0] as string;
  const source = idOf(await tenant.api.post('/v1/data-sources', { name: 'x', kind: 'files' }).expect(201));
  await tenant.api.get('/v1/data-sources').expect(200);
  await tenant.api.get(`/v1/data-sources/${source}`).set('x-forwarded-for', 'garbage').expect(200);
  await tenant.api.get('/v1/nothing').expect(404);
  const release = { filter: { reconciliationId: source, status: 'held' }, reasonCode: 'other' };
  await tenant.api.post('/v1/match-groups/release', release).set('x-request-id', 'request-1').expect(200);
  await api.platform.get('/v1/tenants').expect(200);
  const log = requests().map(({ message: msg, ...line }) =>
    JSON.stringify({ time: '2026-11-26T21:43:25Z', ...line, msg }),
  );
  const shown = execFileSync('bash', ['-c', `logs() { cat; }\n${command}\ndid "$1"`, '_', keyId], {
    input: `${log.join('\n')}\n`,
    encoding: 'utf8',
  });
  expect(shown.split('\n').map((line) => line.replace(/ [\da-f]{8}-[-\da-f]{27} /, ' <request> '))).toEqual([
    `2026-11-26T21:43:25Z 201 createDataSource 127.0.0.1 <request> ["${source}"] `,
    '2026-11-26T21:43:25Z 200 listDataSources 127.0.0.1 <request>  ',
    `2026-11-26T21:43:25Z 200 getDataSource null <request> ["${source}"] `,
    '2026-11-26T21:43:25Z 404 null 127.0.0.1 <request>  ',
    `2026-11-26T21:43:25Z 200 releaseMatchGroups 127.0.0.1 request-1 ["${source}"] ["reconciliationId","status"]`,
    '',
  ]);
});
