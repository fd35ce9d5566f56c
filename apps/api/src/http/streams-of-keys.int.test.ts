import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { startTestApi, type TestApi, type TestTenant } from '../../testing';
import { defineRoute, replyStream, tenantAccess } from '.';

let released = 0;

async function* endless(): AsyncGenerator<string> {
  try {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      yield 'x'.repeat(1024);
    }
  } finally {
    released++;
  }
}

const stream = defineRoute({
  method: 'get',
  path: '/v1/stream',
  operationId: 'stream',
  tag: 'Test',
  summary: 'Stream',
  access: tenantAccess('records:read', 'whole'),
  responses: { 200: { description: 'Text', contentType: 'text/csv; charset=utf-8' } },
  handler: () => replyStream(200, 'text/csv; charset=utf-8', endless()),
});

let api: TestApi;
let streaming: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  streaming = await startTestApi({ service: api.service, routes: [stream] });
});

afterAll(async () => {
  await streaming.close();
  await api.close();
});

function open(key: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpGet(`${streaming.url}/v1/stream`, { agent: false, headers: { 'x-api-key': key } }, resolve).on('error', reject);
  });
}

test.each([
  ['its key is revoked', (tenant: TestTenant, id: string) => tenant.api.delete(`/v1/api-keys/${id}`).expect(204)],
  [
    'its tenant is suspended',
    ({ tenantId }: TestTenant) => api.platform.patch(`/v1/tenants/${tenantId}`, { status: 'suspended' }).expect(200),
  ],
])('a stream is cut soon after %s', async (_, end) => {
  const tenant = await api.newTenant();
  const { id, key } = await api.newKey(tenant, ['records:read']);
  const before = released;
  const response = await open(key);
  response.resume();
  const cut = once(response, 'end');
  cut.catch(() => undefined);
  await end(tenant, id);
  await expect(cut).rejects.toThrow(/aborted|hang up/);
  expect(released).toBe(before + 1);
});
