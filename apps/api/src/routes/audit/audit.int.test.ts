import { startTestApi, type KeyedApi, type TestApi, type TestTenant } from '../../../testing';
import { chainOf, entriesOf, type EntryBody } from '../../../testing/audit';
import { openReconciliation } from '../../../testing/open-books';
import { runOf } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const idOf = ({ body }: { body: unknown }): string => {
  const { id, data } = body as { id?: string; data?: { id: string } };
  return id ?? data?.id ?? '';
};

const webhook = { url: 'https://hooks.example/a', secret: 'first-secret' };
const params = { Tmatch: 0.9, Tpossible: 0.5, blocking: { amountKey: 'amount', dateKey: 'date' } };

async function ruleSetOf(tenant: TestTenant): Promise<object> {
  const dataset = async (): Promise<string> =>
    idOf(await tenant.api.post('/v1/datasets', { name: `d${Math.random()}` }).expect(201));
  return {
    name: 'rules',
    leftDatasetId: await dataset(),
    rightDatasetId: await dataset(),
    jsonataExpr: '1',
    params,
  };
}

describe('each action of a person is one entry that says what changed', () => {
  let tenant: TestTenant;

  beforeAll(async () => {
    tenant = await api.newTenant();
  });

  test('keys', async () => {
    let id = '';
    const [created] = await entriesOf(tenant, async () => {
      const made = await tenant.api.post('/v1/api-keys', { label: 'ERP', scopes: ['records:read'] }).expect(201);
      id = idOf(made);
    });
    expect(created).toMatchObject({
      action: 'api_key.create',
      object: { type: 'api_key', id },
      actor: { type: 'key', label: null },
      before: null,
      after: { label: 'ERP', scopes: ['records:read'] },
      request_id: expect.any(String) as string,
    });
    expect(await entriesOf(tenant, () => tenant.api.post(`/v1/api-keys/${id}/rotate`, {}).expect(200))).toMatchObject([
      { action: 'api_key.rotate', object: { id }, before: { previous_until: null } },
    ]);
    const revoke = () => tenant.api.delete(`/v1/api-keys/${id}?descendants=true`).expect(204);
    expect(await entriesOf(tenant, revoke)).toMatchObject([
      { action: 'api_key.revoke', object: { id }, before: { active: true }, after: { active: false, ids: [id] } },
    ]);
    expect(await entriesOf(tenant, revoke)).toEqual([]);
  });

  test('webhooks, without their secrets', async () => {
    let id = '';
    const entries = await entriesOf(tenant, async () => {
      id = idOf(await tenant.api.post('/v1/webhooks', webhook).expect(201));
      await tenant.api
        .put(`/v1/webhooks/${id}`, { ...webhook, url: 'https://hooks.example/b', secret: 'second-secret' })
        .expect(200);
      await tenant.api.post(`/v1/webhooks/${id}/rotate-signing-secret`, { overlapSeconds: 5 }).expect(200);
      await tenant.api.delete(`/v1/webhooks/${id}`).expect(200);
      await tenant.api.delete(`/v1/webhooks/${id}`).expect(404);
    });
    expect(entries).toMatchObject([
      { action: 'webhook.create', object: { type: 'webhook', id }, after: { url: webhook.url, events: [] } },
      { action: 'webhook.update', before: { url: webhook.url }, after: { url: 'https://hooks.example/b' } },
      { action: 'webhook.rotate_signing_secret', after: { overlap_seconds: 5 } },
      { action: 'webhook.delete', before: { url: 'https://hooks.example/b' }, after: null },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/whsec|first-secret|second-secret/);
  });

  test('rule sets, with the difference of a change alone', async () => {
    const body = await ruleSetOf(tenant);
    let id = '';
    const entries = await entriesOf(tenant, async () => {
      id = idOf(await tenant.api.post('/v1/rule-sets', body).expect(201));
      await tenant.api.patch(`/v1/rule-sets/${id}`, { params: { ...params, Tmatch: 0.95 } }).expect(200);
      await tenant.api.delete(`/v1/rule-sets/${id}`).expect(204);
      await tenant.api.delete(`/v1/rule-sets/${id}`).expect(204);
    });
    expect(entries).toMatchObject([
      { action: 'rule_set.create', object: { type: 'rule_set', id }, after: { name: 'rules', params, version: 1 } },
      { action: 'rule_set.update' },
      { action: 'rule_set.delete', before: { name: 'rules', version: 2, reconciliation_id: null } },
    ]);
    expect(entries[1]).toMatchObject({ before: { params: { Tmatch: 0.9 }, version: 1 } });
    expect(entries[1]?.after).toEqual({ params: { Tmatch: 0.95 }, version: 2 });
  });

  test('reason codes', async () => {
    const entries = await entriesOf(tenant, async () => {
      await tenant.api.post('/v1/reason-codes', { code: 'own', label: 'Own' }).expect(201);
      await tenant.api.delete('/v1/reason-codes/own').expect(204);
    });
    expect(entries).toMatchObject([
      { action: 'reason_code.create', object: { type: 'reason_code', id: 'own' }, after: { label: 'Own' } },
      { action: 'reason_code.delete', before: { label: 'Own' } },
    ]);
  });

  test('reviews, items, groups and passes of a reconciliation', async () => {
    const date = '2026-03-10';
    const own = await openReconciliation(api, {
      lefts: [
        { ref: 'a', amount: 10, date },
        { ref: 'b', amount: 20, date },
      ],
      rights: [
        { ref: 'a', amount: 10, date },
        { ref: 'b', amount: 20, date },
      ],
      accept: 'review',
    });
    const { id: jobId } = await runOf(api, own);
    const found = await own.matches(jobId);
    const [first = '', second = ''] = [found['l0|r0']?.id, found['l1|r1']?.id];
    const review = (id: string, body: object) => own.tenant.api.post(`/v1/matches/${id}/review`, body).expect(200);
    const reject = { action: 'reject', note: 'no invoice' };
    expect(await entriesOf(own.tenant, () => review(first, reject))).toMatchObject([
      {
        action: 'match.reject',
        object: { type: 'match', id: first },
        before: { review: null },
        after: { review: { status: 'rejected', note: 'no invoice' } },
        reason: 'no invoice',
      },
    ]);
    expect(await entriesOf(own.tenant, () => review(first, reject))).toEqual([]);
    const [held, ...others] = await entriesOf(own.tenant, () => review(second, { action: 'confirm', note: 'seen' }));
    expect(others).toEqual([]);
    expect(held).toMatchObject({ action: 'match_group.hold', after: { origin: 'confirmed' } });
    const groupId = held?.object.id ?? '';
    const release = { reasonCode: 'other', note: 'wrong' };
    expect(
      await entriesOf(own.tenant, () =>
        own.tenant.api.post(`/v1/match-groups/${groupId}/release`, release).expect(200),
      ),
    ).toMatchObject([
      { action: 'match_group.release', before: { status: 'held' }, after: { status: 'released' }, reason: 'wrong' },
    ]);
  });
});

describe('the author of an entry', () => {
  // Without a body: Node.js sends the headers of a request with a text as UTF-8.
  const named = (keyed: KeyedApi, name: string) => keyed.delete('/v1/reason-codes/own').set('x-actor', name);

  test.each([
    ['in UTF-8', Buffer.from('Zoë Müller').toString('latin1'), 'Zoë Müller'],
    ['in Latin-1', 'J\u00fcrgen', 'Jürgen'],
    ['of 128 characters', 'x'.repeat(128), 'x'.repeat(128)],
  ])('is the key, labelled with the name %s that x-actor gives', async (_what, header, label) => {
    const tenant = await api.newTenant();
    await tenant.api.post('/v1/reason-codes', { code: 'own', label: 'x' }).expect(201);
    const [entry] = await entriesOf(tenant, () => named(tenant.api, header).expect(204));
    expect(entry?.actor).toEqual({ type: 'key', id: expect.any(String) as string, label });
    const { body } = await tenant.api.get(`/v1/audit?actor=${encodeURIComponent(label)}`).expect(200);
    expect(body).toMatchObject({ total: 1 });
  });

  test('is named by keys with the scope alone, whatever they ask for', async () => {
    const tenant = await api.newTenant();
    const { key } = await api.newKey(tenant, ['reconciliations:write', 'audit:read']);
    const refused = await api.withKey(key).get('/v1/audit').set('x-actor', 'Anna').expect(403);
    expect(refused.body).toMatchObject({
      code: 'insufficient_scope',
      message: expect.stringContaining('actors:name') as string,
    });
    const { key: naming } = await api.newKey(tenant, ['audit:read', 'actors:name']);
    await api.withKey(naming).get('/v1/audit').set('x-actor', 'Anna').expect(200);
  });

  test.each([
    ['nothing', ''],
    ['more than 128 characters', 'x'.repeat(129)],
    ['a mark that turns the direction', Buffer.from('a\u202eb').toString('latin1')],
  ])('is refused where x-actor is %s', async (_what, name) => {
    const tenant = await api.newTenant();
    const { body } = await tenant.api.get('/v1/audit').set('x-actor', name).expect(400);
    expect(body).toMatchObject({ code: 'validation_error', errors: [{ path: '/headers/x-actor' }] });
  });

  test('is the operator for the platform key, with tenants and on behalf of them', async () => {
    const tenant = await api.newTenant();
    const entries = await entriesOf(tenant, async () => {
      await api.platform
        .patch(`/v1/tenants/${tenant.tenantId}`, { status: 'suspended' })
        .set('x-actor', 'Op')
        .expect(200);
      await api.platform
        .patch(`/v1/tenants/${tenant.tenantId}`, { status: 'active', quotas: { files: 7 } })
        .expect(200);
      await api.platform.patch(`/v1/tenants/${tenant.tenantId}`, { status: 'active' }).expect(200);
    });
    expect(entries).toMatchObject([
      { action: 'tenant.update', actor: { type: 'operator', id: null, label: 'Op' }, before: { status: 'active' } },
      {
        action: 'tenant.update',
        before: { status: 'suspended', quotas: { files: null } },
        after: { quotas: { files: 7 } },
      },
    ]);
    expect(entries[0]?.object).toEqual({ type: 'tenant', id: tenant.tenantId });
    const [first, second] = await chainOf(tenant);
    expect([first, second]).toMatchObject([
      { seq: 1, action: 'tenant.create', actor: { type: 'operator' } },
      { seq: 2, action: 'api_key.create', actor: { type: 'operator' } },
    ]);
  });
});

describe('reading', () => {
  let tenant: TestTenant;

  beforeAll(async () => {
    tenant = await api.newTenant();
    for (const code of ['a', 'b', 'c', 'd'])
      await tenant.api
        .post('/v1/reason-codes', { code, label: `=${code}` })
        .set('x-actor', `P-${code}`)
        .expect(201);
  });

  test.each([
    ['action=reason_code.create', 4],
    ['action=reason_code.create&actor=P-b', 1],
    ['objectType=reason_code&objectId=c', 1],
    ['actorType=operator', 2],
    ['from=2000-01-01T00:00:00Z', 6],
    ['to=2000-01-01T00:00:00Z', 0],
    ['actor=nobody', 0],
  ])('%s finds %d entries', async (query, total) => {
    const { body } = await tenant.api.get(`/v1/audit?${query}`).expect(200);
    expect(body).toMatchObject({ total });
    expect((body as { items: EntryBody[] }).items).toHaveLength(total);
  });

  test('by cursor gives each entry once, newest first', async () => {
    const seen: number[] = [];
    for (let cursor = ''; ;) {
      const { body } = await tenant.api.get(`/v1/audit?limit=4${cursor}`).expect(200);
      const page = body as { items: EntryBody[]; next_cursor: string | null };
      seen.push(...page.items.map(({ seq }) => seq));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen).toEqual([6, 5, 4, 3, 2, 1]);
  });

  test.each(['WyJhIl0', 'WzEuNV0', 'W251bGxd', 'x'])('the cursor %s is refused', async (cursor) => {
    const { body } = await tenant.api.get(`/v1/audit?cursor=${cursor}`).expect(400);
    expect(body).toMatchObject({ errors: [{ path: '/query/cursor' }] });
  });

  test('as CSV gives all entries of the filters, oldest first, and runs no formula', async () => {
    await tenant.api.post('/v1/reason-codes', { code: 'e', label: 'x' }).set('x-actor', '=1+1').expect(201);
    const { text, headers } = await tenant.api.get('/v1/audit/export.csv?objectType=reason_code').expect(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'seq,at,actor_type,actor_id,actor_label,action,object_type,object_id,' +
        'before,after,reason,request_id,prev_hash,hash',
    );
    expect(lines.slice(1).map((line) => line.split(',').filter((_cell, i) => i === 4 || i === 7))).toEqual([
      ...['a', 'b', 'c', 'd'].map((code) => [`P-${code}`, code]),
      ["'=1+1", 'e'],
    ]);
  });

  test('without records:read shows who did what to which object, and not what it holds', async () => {
    const { key } = await api.newKey(tenant, ['audit:read']);
    const { body } = await api.withKey(key).get('/v1/audit').expect(200);
    const [entry] = (body as { items: object[] }).items;
    expect(Object.keys(entry ?? {})).not.toEqual(expect.arrayContaining(['before']));
    expect(entry).toMatchObject({ action: expect.any(String) as string });
    await api.withKey(key).get('/v1/audit/export.csv').expect(403);
    await api.withKey(key).get('/v1/audit/verify').expect(200);
  });
});

describe('verifying', () => {
  /** Lets the owner of the table change an entry, as somebody with the keys to the database would. */
  async function forge(change: string, tenantId: string): Promise<void> {
    const { system } = api.service.deps.db;
    await system.transaction(async (tx) => {
      await tx.execute('alter table audit_entries disable trigger user');
      await tx.execute(change, [tenantId]);
      await tx.execute('alter table audit_entries enable trigger user');
    });
  }

  const where = 'where tenant_id = $1::uuid and seq = 4';

  test.each([
    ['the action', `update audit_entries set action = action || 'x' ${where}`, 'hash'],
    ['a byte of the state after', `update audit_entries set after = '{"label": "y"}' ${where}`, 'hash'],
    ['the time', `update audit_entries set at = at + interval '1 ms' ${where}`, 'hash'],
    ['the author', `update audit_entries set actor = actor || '{"label": "z"}' ${where}`, 'hash'],
    ['a removed reason', `update audit_entries set reason = 'r' ${where}`, 'hash'],
    ['a removed entry', `delete from audit_entries ${where}`, 'missing'],
    ['the hash before', `update audit_entries set prev_hash = repeat('a', 64) ${where}`, 'previous_hash'],
  ])('finds the entry where somebody has changed %s', async (_what, change, reason) => {
    const tenant = await api.newTenant();
    for (const code of ['a', 'b', 'c', 'd'])
      await tenant.api.post('/v1/reason-codes', { code, label: 'x' }).expect(201);
    expect((await tenant.api.get('/v1/audit/verify').expect(200)).body).toMatchObject({ valid: true, entries: 6 });
    await forge(change, tenant.tenantId);
    expect((await tenant.api.get('/v1/audit/verify').expect(200)).body).toMatchObject({
      valid: false,
      entries: 3,
      broken: { seq: 4, reason },
    });
  });

  test('fifty requests at once make one chain without gaps', async () => {
    const tenant = await api.newTenant();
    const codes = Array.from({ length: 50 }, (_, i) => `c${i}`);
    await Promise.all(codes.map((code) => tenant.api.post('/v1/reason-codes', { code, label: 'x' }).expect(201)));
    expect((await tenant.api.get('/v1/audit/verify').expect(200)).body).toMatchObject({ valid: true, entries: 52 });
  });
});
