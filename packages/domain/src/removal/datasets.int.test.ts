import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { createTenant } from '../access/tenants';
import { createDataset, getDataset } from '../data/datasets';
import { tenantScope, type TenantScope } from '../kernel/scope';
import { deleteDataset, purgeDeletedDatasets } from '.';

const origin = { actor: { type: 'operator', id: null, label: null }, requestId: null } as const;
let service: TestService;
let scope: TenantScope;

beforeAll(async () => {
  service = await createTestService();
  const { id } = await createTenant(service.deps.db.system, { name: 'Acme' }, origin);
  scope = tenantScope(service.deps, id);
});

afterAll(() => service.close());

const addRecords = (datasetId: string, count: number) =>
  scope.db.execute(
    `insert into records (id, tenant_id, dataset_id, data)
     select gen_random_uuid(), $1::uuid, $2::uuid, '{}' from generate_series(1, $3::int)`,
    [scope.tenantId, datasetId, count],
  );

async function recordsOf(datasetId: string): Promise<number> {
  const rows = await scope.db.query<{ n: number }>(
    'select count(*)::int as n from records where dataset_id = $1::uuid',
    [datasetId],
  );
  return rows[0]?.n ?? -1;
}

/** Creates a deleted dataset with `count` records left. */
async function orphan(name: string, count: number): Promise<string> {
  const { id } = await createDataset(scope, { name });
  await addRecords(id, count);
  await scope.db.orm.dataset.deleteMany({ where: { id } });
  return id;
}

const stepSize = 5_000;

/** A time limit of a number of steps. */
const limitOf = (steps: number) => (): boolean => --steps <= 0;
const noLimit = limitOf(Infinity);

test('a sweep finishes deletions after a crash, and touches no other dataset', async () => {
  const kept = await createDataset(scope, { name: 'kept' });
  const halfDeleted = await createDataset(scope, { name: 'half deleted' });
  const other = await createDataset(scope, { name: 'also half deleted' });
  for (const { id } of [kept, halfDeleted, other]) await addRecords(id, 30);
  // The state after a crash between the deletion of the dataset and that of its records.
  await scope.db.orm.dataset.deleteMany({ where: { id: { in: [halfDeleted.id, other.id] } } });

  expect(await purgeDeletedDatasets(service.deps, noLimit)).toBe(60);
  expect(await Promise.all([kept, halfDeleted, other].map(({ id }) => recordsOf(id)))).toEqual([30, 0, 0]);
  expect(await purgeDeletedDatasets(service.deps, noLimit)).toBe(0);
});

test('a sweep removes records of several datasets step by step, and the next sweep removes the rest', async () => {
  const orphans = [await orphan('first', stepSize + 1), await orphan('second', stepSize + 1)];
  expect(await purgeDeletedDatasets(service.deps, limitOf(2))).toBe(2 * stepSize);
  expect(await Promise.all(orphans.map(recordsOf))).toEqual([1, 1]);
  expect(await purgeDeletedDatasets(service.deps, noLimit)).toBe(2);
});

test.each([
  ['purges', `select pg_advisory_xact_lock(hashtextextended('purge of dataset ' || $1::text, 0))::text`],
  ['holds a record of', 'select id from records where dataset_id = $1::text::uuid limit 1 for update'],
])('a sweep skips a dataset that another process %s, and purges the others', async (_action, lock) => {
  const orphans = [await orphan('held', 3), await orphan('free', 3)];
  await scope.transaction(async ({ db }) => {
    await db.query(lock, [orphans[0] as string]);
    expect(await purgeDeletedDatasets(service.deps, noLimit)).toBe(3);
    expect(await Promise.all(orphans.map(recordsOf))).toEqual([3, 0]);
  });
  expect(await purgeDeletedDatasets(service.deps, noLimit)).toBe(3);
});

test('a large dataset is gone at once, and sweeps remove the records that its deletion has no time for', async () => {
  const { id } = await createDataset(scope, { name: 'large' });
  await addRecords(id, 2 * stepSize + 1);
  await deleteDataset(scope, id, limitOf(1));
  await expect(getDataset(scope, id)).rejects.toMatchObject({ code: 'dataset_not_found' });
  const left = [await recordsOf(id)];
  while ((await purgeDeletedDatasets(service.deps, limitOf(1))) > 0) left.push(await recordsOf(id));
  expect(left).toEqual([stepSize + 1, 1, 0]);
});

test('a step of a deletion removes about 20,000 matches, unless one record has more', async () => {
  const { id } = await createDataset(scope, { name: 'often matched' });
  await addRecords(id, 4);
  await scope.db.execute(
    `insert into matches
       (id, tenant_id, job_id, rule_set_id, left_record_id, right_record_id, score, decision, explanation)
     select gen_random_uuid(), $1::uuid, gen_random_uuid(), gen_random_uuid(), r.id, gen_random_uuid(), 1, 'MATCH', '{}'
       from (select id, row_number() over (order by id) as ordinal from records where dataset_id = $2::uuid) r,
            generate_series(1, case when ordinal = 3 then 21000 else 9000 end)`,
    [scope.tenantId, id],
  );
  const left = async (): Promise<number[]> => {
    const [matches] = await scope.db.query<{ n: number }>(
      `select count(*)::int as n from matches
        where left_record_id = any(array(select id from records where dataset_id = $1::uuid))`,
      [id],
    );
    return [await recordsOf(id), matches?.n ?? -1];
  };
  await deleteDataset(scope, id, limitOf(1));
  const seen = [await left()];
  while ((await purgeDeletedDatasets(service.deps, limitOf(1))) > 0) seen.push(await left());
  expect(seen).toEqual([
    [2, 30_000],
    [1, 9_000],
    [0, 0],
  ]);
});

test('the counters of a deleted dataset are removed', async () => {
  const { id } = await createDataset(scope, { name: 'counted' });
  await addRecords(id, 3);
  await deleteDataset(scope, id);
  expect(await scope.db.query('select * from record_counts where dataset_id = $1::uuid', [id])).toEqual([]);
});

test('a dataset is deleted even if its records cannot be removed yet', async () => {
  const { id } = await createDataset(scope, { name: 'in use' });
  await addRecords(id, 3);
  await service.deps.db.system.execute(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'no deletion'; end $$`,
  );
  await service.deps.db.system.execute(
    'create trigger refuse before delete on records for each row execute function refuse()',
  );
  await deleteDataset(scope, id, noLimit).finally(() =>
    service.deps.db.system.execute('drop trigger refuse on records'),
  );
  expect([await recordsOf(id), await purgeDeletedDatasets(service.deps, noLimit)]).toEqual([3, 3]);
});

test('a dataset can only be deleted by its own tenant', async () => {
  const dataset = await createDataset(scope, { name: 'mine' });
  await addRecords(dataset.id, 3);
  const { id } = await createTenant(service.deps.db.system, { name: 'Other' }, origin);
  await expect(deleteDataset(tenantScope(service.deps, id), dataset.id)).rejects.toMatchObject({
    code: 'dataset_not_found',
  });
  expect(await recordsOf(dataset.id)).toBe(3);
  await expect(deleteDataset(scope, newId())).rejects.toMatchObject({ code: 'dataset_not_found' });
});
