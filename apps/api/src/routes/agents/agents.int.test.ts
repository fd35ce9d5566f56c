import { openUser, startTestApi, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';
import type { ApiCall } from '../../../testing/call';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const all = [
  'records:read',
  'matches:write',
  'reconciliations:write',
  'rule-sets:write',
  'jobs:read',
  'audit:read',
] as const;

interface ProposalBody {
  id: string;
  action: string;
  status: string;
  result_id: string | null;
}

interface AuditedEntry {
  action: string;
  actor: { type: string; id: string | null; label: string | null };
  request_id: string;
  reason: string | null;
}

const agent = 'helper 1.0';
const asAgent = (call: ApiCall): ApiCall => call.set('x-agent', agent);
const codeOf = (answer: { body: unknown }): string => (answer.body as { code: string }).code;
const proposalOf = (answer: { body: unknown }): ProposalBody => answer.body as ProposalBody;

const books = (more: object = {}): Promise<ReconciledBooks> => {
  const records = [100, 200, 300].map((amount, i) => ({ ref: `r${i}`, amount, date: '2026-03-10' }));
  return openReconciliation(api, { lefts: records, rights: records, ...more });
};

const pair = (own: ReconciledBooks, name = '0') => ({
  reconciliationId: own.id,
  left: [{ recordId: own.recordIds.get(`l${name}`) }],
  right: [{ recordId: own.recordIds.get(`r${name}`) }],
});

const ruleSetOf = ({ leftId, rightId }: ReconciledBooks) => ({
  name: 'drafted',
  leftDatasetId: leftId,
  rightDatasetId: rightId,
  jsonataExpr: 'left.ref = right.ref',
  params: { Tmatch: 1, Tpossible: 1 },
});

async function open(more: object = {}, scopes: readonly string[] = all) {
  const own = await books(more);
  const key = await api.newKey(own.tenant, scopes);
  const propose = (body: object): ApiCall =>
    asAgent(key.api.post('/v1/agent-proposals', { reason: 'they belong together', ...body }));
  const entries = async (query: string): Promise<AuditedEntry[]> =>
    ((await own.tenant.api.get(`/v1/audit?${query}`).expect(200)).body as { items: AuditedEntry[] }).items;
  return { own, key, propose, entries };
}

describe('a call of an agent', () => {
  test('is in the audit as that agent, with the request id of what it does', async () => {
    const { key, propose, own, entries } = await open();
    const body = { tool: 'propose_match_group', arguments: { a: 1 }, reason: 'why' };
    await asAgent(key.api.post('/v1/agent-calls', body)).set('x-request-id', 'call-0001').expect(201);
    await propose({ matchGroup: pair(own) })
      .set('x-request-id', 'call-0001')
      .expect(201);
    const actor = { type: 'agent', id: key.id, label: agent };
    expect(await entries('actorType=agent')).toMatchObject([
      { action: 'agent_proposal.create', actor, request_id: 'call-0001', reason: 'they belong together' },
      { action: 'agent.call', actor, request_id: 'call-0001', reason: 'why' },
    ]);
  });

  test('needs the name of the agent, and no scope', async () => {
    const { own } = await open();
    const key = await api.newKey(own.tenant, ['billing:read']);
    const { body } = await key.api.post('/v1/agent-calls', { tool: 'summary' }).expect(400);
    expect(body).toMatchObject({ errors: [{ path: '/headers/x-agent' }] });
    await asAgent(key.api.post('/v1/agent-calls', { tool: 'summary' })).expect(201);
  });
});

describe('what an agent proposes', () => {
  test('changes nothing until a person confirms it, and is then theirs', async () => {
    const { own, propose, entries } = await open();
    const { id } = proposalOf(await propose({ matchGroup: pair(own) }).expect(201));
    expect(Object.keys(await own.open('side=left'))).toHaveLength(3);
    const preparer = await openUser(api, own.tenant, { role: 'preparer' });
    const listed = await preparer.api.get(`/v1/agent-proposals?status=pending&reconciliationId=${own.id}`).expect(200);
    expect(listed.body).toMatchObject({ total: 1, items: [{ id, reason: 'they belong together' }] });
    const confirmed = proposalOf(
      await preparer.api.post(`/v1/agent-proposals/${id}/confirm`, { note: 'seen' }).expect(200),
    );
    const group = await own.tenant.api.get(`/v1/match-groups/${confirmed.result_id}`).expect(200);
    expect(group.body).toMatchObject({
      status: 'held',
      note: 'they belong together',
      held_by: { type: 'user', label: preparer.email },
    });
    expect((await entries('actorType=user')).slice(0, 2).map(({ action }) => action)).toEqual([
      'agent_proposal.confirm',
      'match_group.hold',
    ]);
    expect((await preparer.api.get(`/v1/agent-proposals/${id}`).expect(200)).body).toMatchObject({
      status: 'confirmed',
      decided_by: { label: preparer.email },
      decision_note: 'seen',
    });
  });

  test.each<[string, (own: ReconciledBooks) => object, (own: ReconciledBooks, made: ProposalBody) => Promise<unknown>]>(
    [
      [
        'an annotation',
        (own) => ({
          annotation: { reconciliationId: own.id, recordIds: [own.recordIds.get('l1')], set: { note: 'ask the bank' } },
        }),
        async (own) => (await own.tenant.api.get(`/v1/reconciliations/${own.id}/open-items?explained=true`)).body,
      ],
      [
        'a rule set',
        (own) => ({ ruleSet: ruleSetOf(own) }),
        async (own, { result_id: id }) => (await own.tenant.api.get(`/v1/rule-sets/${id}`).expect(200)).body,
      ],
      [
        'a run',
        (own) => ({ run: { reconciliationId: own.id } }),
        async (own, { result_id: id }) => (await own.tenant.api.get(`/v1/matching-jobs/${id}`).expect(200)).body,
      ],
    ],
  )('%s is carried out once it is confirmed, once', async (_what, actionOf, read) => {
    const { own, propose } = await open();
    const { id } = proposalOf(await propose(actionOf(own)).expect(201));
    const preparer = await openUser(api, own.tenant, { role: 'preparer' });
    const at = `/v1/agent-proposals/${id}/confirm`;
    const answers = await Promise.all([preparer.api.post(at), preparer.api.post(at)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const made = proposalOf(answers.find(({ status }) => status === 200) as { body: unknown });
    expect(await read(own, made)).toBeTruthy();
  });

  test('is refused as the action would be', async () => {
    const { own, propose } = await open();
    const unequal = { ...pair(own), right: [{ recordId: own.recordIds.get('r1') }] };
    expect(codeOf(await propose({ matchGroup: unequal }).expect(422))).toBe('not_balanced');
    expect(codeOf(await propose({ ruleSet: { ...ruleSetOf(own), jsonataExpr: 'left.' } }).expect(400))).toBe(
      'validation_error',
    );
    expect((await propose({}).expect(400)).body).toMatchObject({ errors: [{ code: 'one_of' }] });
    expect((await propose({ matchGroup: pair(own), reason: ' ' }).expect(400)).body).toMatchObject({
      errors: [{ path: '/reason' }],
    });
    expect((await own.tenant.api.get('/v1/agent-proposals').expect(200)).body).toMatchObject({ total: 0 });
  });

  test('waits once, however often it is proposed', async () => {
    const { own, propose } = await open();
    const [first, second] = [
      proposalOf(await propose({ matchGroup: pair(own) }).expect(201)),
      proposalOf(await propose({ matchGroup: pair(own), reason: 'again' }).expect(201)),
    ];
    expect(second.id).toBe(first.id);
  });

  test('that has become impossible is refused with the reason, and waits for its rejection', async () => {
    const { own, propose } = await open();
    const { id } = proposalOf(await propose({ matchGroup: pair(own) }).expect(201));
    await own.tie(['l0'], ['r0']).expect(201);
    const preparer = await openUser(api, own.tenant, { role: 'preparer' });
    expect(codeOf(await preparer.api.post(`/v1/agent-proposals/${id}/confirm`).expect(409))).toBe('record_held');
    const rejected = await preparer.api.post(`/v1/agent-proposals/${id}/reject`, { note: 'done' }).expect(200);
    expect(rejected.body).toMatchObject({ status: 'rejected', decision_note: 'done', result_id: null });
    expect(codeOf(await preparer.api.post(`/v1/agent-proposals/${id}/confirm`).expect(409))).toBe('conflict');
  });

  test('above the limit of approval waits for another person than the one who confirms it', async () => {
    const { own, propose } = await open({ approvalAbove: 50 });
    const { id } = proposalOf(await propose({ matchGroup: pair(own) }).expect(201));
    const approver = await openUser(api, own.tenant, { role: 'approver' });
    const { result_id: group } = proposalOf(await approver.api.post(`/v1/agent-proposals/${id}/confirm`).expect(200));
    expect((await own.tenant.api.get(`/v1/match-groups/${group}`)).body).toMatchObject({ status: 'pending' });
    await approver.api.post(`/v1/match-groups/${group}/approve`).expect(403);
  });
});

describe('who decides', () => {
  test('is no agent, no key alone, not the key that proposed, and nobody without the scope of the action', async () => {
    const { own, key, propose } = await open({}, [...all, 'actors:name', 'agents:commit']);
    const other = await api.newKey(own.tenant, all);
    const { id } = proposalOf(
      await asAgent(other.api.post('/v1/agent-proposals', { reason: 'why', matchGroup: pair(own) })).expect(201),
    );
    const at = `/v1/agent-proposals/${id}/confirm`;
    expect((await asAgent(key.api.post(at)).expect(400)).body).toMatchObject({ errors: [{ code: 'no_person' }] });
    expect((await other.api.post(at).expect(400)).body).toMatchObject({ errors: [{ code: 'no_person' }] });
    const viewer = await openUser(api, own.tenant, { role: 'viewer' });
    await viewer.api.post(at).expect(403);
    await asAgent(viewer.api.get('/v1/me')).expect(403);
    await key.api.post(at).set('x-actor', 'Ana').expect(200);
    expect(proposalOf(await propose({ matchGroup: pair(own, '1') }).expect(201)).status).toBe('confirmed');
  });

  test('is not the key that has proposed it, whomever it names', async () => {
    const { own, key, propose } = await open({}, [...all, 'actors:name']);
    const { id } = proposalOf(await propose({ matchGroup: pair(own) }).expect(201));
    const refused = await key.api.post(`/v1/agent-proposals/${id}/confirm`).set('x-actor', 'Ana').expect(403);
    expect(codeOf(refused)).toBe('insufficient_scope');
  });
});

describe('a key', () => {
  test.each([
    ['that may do everything', []],
    ['with the scopes of the action', all],
  ])('%s does not let an agent change anything by itself', async (_what, scopes) => {
    const { own, key } = await open({}, scopes);
    const refused = await asAgent(key.api.post('/v1/match-groups', pair(own))).expect(403);
    expect(refused.body).toMatchObject({ message: expect.stringContaining('agents:commit') as string });
    await asAgent(key.api.patch(`/v1/reconciliations/${own.id}`, { name: 'x' })).expect(403);
    await asAgent(key.api.delete(`/v1/records/${own.recordIds.get('l0')}`)).expect(403);
    await asAgent(key.api.get(`/v1/reconciliations/${own.id}`)).expect(200);
    await asAgent(key.api.post('/v1/rule-sets/simulate', { ruleSet: ruleSetOf(own) })).expect(202);
  });

  test('whose scopes name agents:commit carries a proposal out at once, as the agent', async () => {
    const { own, key, propose, entries } = await open({}, [...all, 'agents:commit']);
    const made = proposalOf(await propose({ matchGroup: pair(own) }).expect(201));
    expect(made).toMatchObject({ status: 'confirmed', decided_by: { type: 'agent', id: key.id } });
    expect((await own.tenant.api.get(`/v1/match-groups/${made.result_id}`)).body).toMatchObject({
      held_by: { type: 'agent', label: agent },
    });
    expect((await entries('actorType=agent')).map(({ action }) => action)).toEqual([
      'agent_proposal.commit',
      'match_group.hold',
    ]);
    await asAgent(key.api.post('/v1/match-groups', pair(own, '1'))).expect(201);
  });

  test('proposes nothing without the scope of the action', async () => {
    const { own, propose } = await open({}, ['records:read', 'reconciliations:read', 'matches:read', 'rule-sets:read']);
    const refused = await propose({ matchGroup: pair(own) }).expect(403);
    expect(refused.body).toMatchObject({ message: expect.stringContaining('matches:write') as string });
  });

  test('names an agent or a person, not both', async () => {
    const tenant = await api.newTenant();
    const { body } = await asAgent(tenant.api.get('/v1/audit')).set('x-actor', 'Ana').expect(400);
    expect(body).toMatchObject({ errors: [{ path: '/headers/x-agent' }] });
  });
});
