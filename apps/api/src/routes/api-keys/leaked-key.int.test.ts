import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openUser, password } from '../../../testing/people';
import { startTestApi, type KeyedApi, type TestApi, type TestTenant } from '../../../testing';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startTestApi();
});

beforeEach(async () => {
  tenant = await api.newTenant();
});

afterAll(() => api.close());

interface Owned {
  id: string;
  key: string;
  api: KeyedApi;
}

const owned = (body: unknown): Owned => {
  const { id, key } = body as { id: string; key: string };
  return { id, key, api: api.withKey(key) };
};
const mint = async (as: KeyedApi): Promise<Owned> =>
  owned((await as.post('/v1/api-keys', { label: 'made' }).expect(201)).body);
const rotate = async (as: KeyedApi, { id }: { id: string }, overlapSeconds: number): Promise<Owned> =>
  owned((await as.post(`/v1/api-keys/${id}/rotate`, { overlapSeconds }).expect(200)).body);
const readRunbook = (): string => readFileSync(path.join(__dirname, '../../../../../docs/how-to/runbook.md'), 'utf8');
const keyIdOf = ({ key }: Owned): string => key.split('_')[1] as string;

test('the queries of the runbook find a key by each secret that it had, and name them all', async () => {
  const first = await mint(tenant.api);
  const child = await mint(first.api);
  const keyIds = [keyIdOf(first)];
  for (const overlapSeconds of [60, 0, 60]) keyIds.push(keyIdOf(await rotate(tenant.api, first, overlapSeconds)));
  const [find, descend] = [...readRunbook().matchAll(/^ops sql "(.* from (?:api_keys where .*|f))"$/gm)].map(
    ([, sql]) => sql,
  );
  const ask = (sql = '') => api.service.deps.db.system.query<{ ids: string }>(sql);
  for (const id of keyIds)
    expect(await ask(find?.replaceAll('<id>', id))).toMatchObject([{ key: first.id, ids: keyIds.join('|') }]);
  const family = await ask(descend?.replaceAll('<key>', first.id));
  expect(family.map(({ ids }) => ids).sort()).toEqual([keyIds.join('|'), keyIdOf(child)].sort());
});

describe('revoking with descendants', () => {
  const isActive = async ({ id }: Owned): Promise<boolean> =>
    ((await tenant.api.get(`/v1/api-keys/${id}`).expect(200)).body as { active: boolean }).active;
  const activeAfterRevoking = async (leaked: Owned, others: readonly Owned[]): Promise<boolean[]> => {
    await tenant.api.delete(`/v1/api-keys/${leaked.id}?descendants=true`).expect(204);
    return Promise.all(others.map(isActive));
  };

  test.each([0, 60])('ends what a key made while its secret was taken, %i s of overlap', async (overlapSeconds) => {
    const [leaked, victim] = [await mint(tenant.api), await mint(tenant.api)];
    const madeBefore = await mint(victim.api);
    const taken = await rotate(leaked.api, victim, overlapSeconds);
    const madeByTaken = await mint(taken.api);
    const madeInTurn = await mint(madeByTaken.api);
    const rotatedByTaken = await mint(tenant.api);
    await rotate(taken.api, rotatedByTaken, 0);
    const takenBack = await rotate(tenant.api, victim, 0);
    const madeAfter = await mint(takenBack.api);
    expect(await activeAfterRevoking(leaked, [madeByTaken, madeInTurn, rotatedByTaken])).toEqual([false, false, false]);
    expect(await Promise.all([takenBack, madeBefore, madeAfter].map(isActive))).toEqual([true, true, true]);
  });

  test('ends a key that was taken and rotates itself, however often', async () => {
    const [leaked, victim] = [await mint(tenant.api), await mint(tenant.api)];
    let taken = await rotate(leaked.api, victim, 0);
    for (const overlapSeconds of [0, 60, 60, 0]) taken = await rotate(taken.api, victim, overlapSeconds);
    expect(await activeAfterRevoking(leaked, [taken, await mint(taken.api)])).toEqual([false, false]);
  });

  test('ends the users that a key invited with their sessions, and the keys of these users', async () => {
    const leaked = await mint(tenant.api);
    const invited = await openUser(api, { ...tenant, api: leaked.api }, { role: 'admin' });
    const keyOfInvited = await mint(invited.api);
    const other = await openUser(api, tenant, { role: 'viewer' });
    expect(await activeAfterRevoking(leaked, [keyOfInvited])).toEqual([false]);
    await invited.api.get('/v1/me').expect(401);
    expect((await tenant.api.get(`/v1/users/${invited.id}`).expect(200)).body).toMatchObject({ active: false });
    await other.api.get('/v1/me').expect(200);
  });

  test('leaves no password and no invitation that the key knew, should such a user be active again', async () => {
    const leaked = await mint(tenant.api);
    const accepted = await openUser(api, { ...tenant, api: leaked.api }, { role: 'admin' });
    const body = { email: 'waits@example.com', name: 'Waits', role: 'admin' };
    const { id, invitation } = (await leaked.api.post('/v1/users', body).expect(201)).body as {
      id: string;
      invitation: { token: string };
    };
    await activeAfterRevoking(leaked, []);
    for (const user of [accepted.id, id]) await tenant.api.patch(`/v1/users/${user}`, { active: true }).expect(200);
    const { token } = invitation;
    await api.request.post('/v1/users/accept').send({ token, password }).expect(404);
    await api.request.post('/v1/sessions').send({ email: accepted.email, password }).expect(401);
  });

  test('ends a key whose taken secret is still accepted beside later ones', async () => {
    const [leaked, victim] = [await mint(tenant.api), await mint(tenant.api)];
    const taken = await rotate(leaked.api, victim, 60);
    await rotate(taken.api, victim, 60);
    await rotate(tenant.api, victim, 60);
    expect(await activeAfterRevoking(leaked, [victim])).toEqual([false]);
  });
});
