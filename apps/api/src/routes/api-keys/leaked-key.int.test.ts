import { readFileSync } from 'node:fs';
import path from 'node:path';
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
const keyIdOf = ({ key }: Owned): string => key.split('_')[1] as string;

test('the queries of the runbook find a key by each secret that it had, and name them all', async () => {
  const first = await mint(tenant.api);
  const child = await mint(first.api);
  const keyIds = [keyIdOf(first)];
  for (const overlapSeconds of [60, 0, 60]) keyIds.push(keyIdOf(await rotate(tenant.api, first, overlapSeconds)));
  const runbook = readFileSync(path.join(__dirname, '../../../../../docs/how-to/runbook.md'), 'utf8');
  const [find, descend] = [...runbook.matchAll(/^ops sql "(.* from (?:api_keys where .*|f))"$/gm)].map(
    ([, sql]) => sql,
  );
  const ask = (sql = '') => api.service.deps.db.system.query<{ ids: string }>(sql);
  for (const id of keyIds)
    expect(await ask(find?.replaceAll('<id>', id))).toMatchObject([{ key: first.id, ids: keyIds.join('|') }]);
  const family = await ask(descend?.replaceAll('<key>', first.id));
  expect(family.map(({ ids }) => ids).sort()).toEqual([keyIds.join('|'), keyIdOf(child)].sort());
});
