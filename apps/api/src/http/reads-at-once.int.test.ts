import { get as httpGet } from 'node:http';
import { featureRoutes } from '../routes';
import { eventually, startTestApi, type TestApi, type TestTenant } from '../testing';
import { closed, defineRoute, reply, tenantAccess } from '.';

const lock = 4711;

const slowRead = defineRoute({
  method: 'get',
  path: '/v1/slow-read',
  operationId: 'slowRead',
  tag: 'Test',
  summary: 'Slow read',
  access: tenantAccess('records:read'),
  query: closed({}),
  responses: { 204: { description: 'Read' } },
  handler: async ({ scope }) => {
    await scope.db.query(`select pg_advisory_xact_lock_shared(${lock})`);
    return reply(204);
  },
});

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ routes: [slowRead, ...featureRoutes] });
});

afterAll(() => api.close());

function ask({ key }: TestTenant): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    httpGet(`${api.url}/v1/slow-read`, { agent: false, headers: { 'x-api-key': key } }, (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
}

test('slow reads of several tenants leave connections to what others write, and all are answered', async () => {
  const [reader, otherReader, writer] = [await api.newTenant(), await api.newTenant(), await api.newTenant()];
  const answers = await api.service.deps.db.forTenant(writer.tenantId).session(async (client) => {
    await client.query(`select pg_advisory_lock(${lock})`);
    try {
      const reads = Array.from({ length: 10 }, () => [ask(reader), ask(otherReader)]).flat();
      await eventually(() => new Promise<number>((resolve) => setImmediate(() => resolve(api.app.inFlight()))), (count) => count === reads.length);
      await writer.api.post('/v1/datasets', { name: 'ledger' }).expect(201);
      return reads;
    } finally {
      await client.query(`select pg_advisory_unlock(${lock})`);
    }
  });
  expect(await Promise.all(answers)).toEqual(Array<number>(20).fill(204));
});
