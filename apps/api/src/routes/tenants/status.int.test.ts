import { newId } from '@tieout/infra';
import { startTestApi, type TestApi, type TestTenant } from '../../../testing';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const change = (id: string, body: object) => api.platform.patch(`/v1/tenants/${id}`, body);
/** A key's status is read again after half a second. */
const forgetStatus = (): Promise<unknown> => api.service.deps.db.system.query('select pg_sleep(0.6)');

async function suspend(tenant: TestTenant): Promise<void> {
  await change(tenant.tenantId, { status: 'suspended' }).expect(200);
  await forgetStatus();
}

describe('changing a tenant', () => {
  test('changes what is named, and nothing else', async () => {
    const { tenantId } = await api.newTenant('Before');
    await change(tenantId, { quotas: { records: 5 } }).expect(200);
    const { body } = await change(tenantId, { name: 'After' }).expect(200);
    expect(body).toMatchObject({
      id: tenantId,
      name: 'After',
      status: 'active',
      quotas: { records: { limit: 5, used: 0 } },
    });
    expect(body).toEqual((await api.platform.get(`/v1/tenants/${tenantId}`).expect(200)).body);
    expect((await change(tenantId, {}).expect(200)).body).toEqual(body);
  });

  test.each([
    [{ name: '' }, '/name'],
    [{ status: 'deleting' }, '/status'],
    [{ status: 'deleted' }, '/status'],
    [{ status: null }, '/status'],
    [{ quotas: { records: -1 } }, '/quotas/records'],
    [{ quotas: { records: 1.5 } }, '/quotas/records'],
    [{ quotas: { records: '10' } }, '/quotas/records'],
    [{ quotas: { records: 2 ** 53 } }, '/quotas/records'],
    [{ quotas: { webhooks: 1_001 } }, '/quotas/webhooks'],
    [{ quotas: { rows: 1 } }, '/quotas/rows'],
    [{ quotas: null }, '/quotas'],
    [{ suspended: true }, '/suspended'],
  ])('refuses %j at %s', async (body, path) => {
    const { tenantId } = await api.newTenant();
    expect((await change(tenantId, body).expect(400)).body).toMatchObject({
      code: 'validation_error',
      errors: expect.arrayContaining([expect.objectContaining({ path })]) as unknown,
    });
  });

  test('answers 404 for an unknown tenant', async () => {
    for (const id of [newId(), 'nonsense']) {
      expect((await change(id, { name: 'x' }).expect(404)).body).toMatchObject({ code: 'tenant_not_found' });
      await api.platform.get(`/v1/tenants/${id}`).expect(404);
    }
  });

  test('is refused to keys of the tenant', async () => {
    const { tenantId, api: own } = await api.newTenant();
    for (const call of [
      own.get(`/v1/tenants/${tenantId}`),
      own.patch(`/v1/tenants/${tenantId}`, { quotas: { records: 1 } }),
      own.delete(`/v1/tenants/${tenantId}`),
    ])
      expect((await call.expect(403)).body).toMatchObject({ code: 'insufficient_scope' });
  });
});

describe('a suspended tenant', () => {
  let tenant: TestTenant;

  beforeAll(async () => {
    tenant = await api.newTenant();
    await tenant.api.post('/v1/records?dataset=a', { body: { n: 1 } }).expect(202);
    await suspend(tenant);
  });

  const routesOf = () => api.app.routes.filter(({ access }) => access.kind === 'tenant');
  const send = (
    path: string,
    method: string,
    headers: Record<string, string>,
  ): Promise<{ status: number; code?: string }> =>
    fetch(`${api.url}${path.replace(/:\w+/g, newId())}`, { method: method.toUpperCase(), headers }).then(
      async (response) => ({
        status: response.status,
        code: ((await response.json().catch(() => ({}))) as { code?: string }).code as string,
      }),
    );

  test('is refused every operation with its own keys', async () => {
    expect(routesOf().length).toBeGreaterThan(50);
    for (const { path, method, operationId } of routesOf()) {
      const answer = await send(path, method, { 'x-api-key': tenant.key });
      expect({ operationId, ...answer }).toEqual({ operationId, status: 403, code: 'tenant_suspended' });
    }
  });

  const endingAccess = [
    'revokeApiKey',
    'rotateApiKey',
    'deleteWebhook',
    'rotateWebhookSigningSecret',
    'updateUser',
    'deleteUser',
  ];

  test('can be read with the platform key, and not changed, except to end an access', async () => {
    for (const { path, method, operationId, access } of routesOf()) {
      const isRead = access.kind === 'tenant' && access.scope?.endsWith(':read') === true;
      const isRefused = !isRead && !endingAccess.includes(operationId);
      const { code } = await send(path, method, { 'x-api-key': api.platformKey, 'x-tenant-id': tenant.tenantId });
      expect({ operationId, isRefused: code === 'tenant_suspended' }).toEqual({ operationId, isRefused });
    }
    const { body } = await api.platform.get('/v1/records').set('x-tenant-id', tenant.tenantId).expect(200);
    expect(body).toMatchObject({ total: 1 });
  });

  test('loses keys and webhooks to the operator', async () => {
    const other = await api.newTenant();
    const as = ['x-tenant-id', other.tenantId] as const;
    const key = ((await other.api.post('/v1/api-keys', { label: 'leaked' }).expect(201)).body as { id: string }).id;
    const hook = { url: 'https://hooks.example/a', secret: 'whsec_topsecret' };
    const { data } = (await other.api.post('/v1/webhooks', hook).expect(201)).body as { data: { id: string } };
    await suspend(other);
    await api.platform
      .post(`/v1/api-keys/${key}/rotate`, { overlapSeconds: 0 })
      .set(...as)
      .expect(200);
    await api.platform
      .delete(`/v1/api-keys/${key}?descendants=true`)
      .set(...as)
      .expect(204);
    await api.platform
      .delete(`/v1/webhooks/${data.id}`)
      .set(...as)
      .expect(200);
    const { body } = await api.platform
      .get(`/v1/api-keys/${key}`)
      .set(...as)
      .expect(200);
    expect(body).toMatchObject({ active: false });
    const hooks = await api.platform
      .get('/v1/webhooks')
      .set(...as)
      .expect(200);
    expect(hooks.body).toMatchObject({ data: { webhooks: [] } });
  });

  test.each(['/v1/setup/core', '/v1/data-sources/core/setup-reconciliation'])('gets nothing by %s', async (path) => {
    const { body } = await api.platform.post(path, { companyId: tenant.tenantId }).expect(403);
    expect(body).toMatchObject({ code: 'tenant_suspended' });
    const datasets = await api.platform.get('/v1/datasets').set('x-tenant-id', tenant.tenantId).expect(200);
    expect(datasets.body).toMatchObject({ items: [{ name: 'a' }] });
  });

  test('does not hinder another one, and works again once it is active', async () => {
    await (await api.newTenant()).api.get('/v1/records').expect(200);
    expect((await change(tenant.tenantId, { status: 'active' }).expect(200)).body).toMatchObject({ status: 'active' });
    await forgetStatus();
    await tenant.api.post('/v1/records?dataset=a', { body: { n: 2 } }).expect(202);
    expect((await tenant.api.get('/v1/records').expect(200)).body).toMatchObject({ total: 2 });
  });
});

test('the list of tenants has their status', async () => {
  const tenant = await api.newTenant('Suspended');
  await suspend(tenant);
  const { body } = await api.platform.get('/v1/tenants?limit=1').expect(200);
  expect(body).toMatchObject({ items: [{ id: tenant.tenantId, status: 'suspended' }] });
});
