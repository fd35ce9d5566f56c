import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { createDataset, deleteDataset, purgeDeletedDatasets } from '.';
import { tenantScope, type TenantScope } from '../scope';
import { createTenant } from '../tenants';

let service: TestService;
let scope: TenantScope;

beforeAll(async () => {
  service = await createTestService();
  const { id } = await createTenant(service.deps.db.system, { name: 'Acme' });
  scope = tenantScope(service.deps, id);
});

afterAll(() => service.close());

const addRecords = (datasetId: string, count: number) =>
  scope.db.execute(
    `insert into records (id, tenant_id, dataset_id, data) select gen_random_uuid(), $1::uuid, $2::uuid, '{}' from generate_series(1, $3::int)`,
    [scope.tenantId, datasetId, count],
  );

async function recordsOf(datasetId: string): Promise<number> {
  const rows = await scope.db.query<{ n: number }>('select count(*)::int as n from records where dataset_id = $1::uuid', [datasetId]);
  return rows[0]?.n ?? -1;
}

test('a sweep finishes deletions that a crash cut short, and touches no other dataset', async () => {
  const kept = await createDataset(scope, { name: 'kept' });
  const halfDeleted = await createDataset(scope, { name: 'half deleted' });
  const other = await createDataset(scope, { name: 'also half deleted' });
  for (const { id } of [kept, halfDeleted, other]) await addRecords(id, 30);
  // A crash right after the dataset is gone.
  await scope.db.orm.dataset.deleteMany({ where: { id: { in: [halfDeleted.id, other.id] } } });

  expect(await purgeDeletedDatasets(service.deps)).toBe(60);
  expect(await Promise.all([kept, halfDeleted, other].map(({ id }) => recordsOf(id)))).toEqual([30, 0, 0]);
  expect(await purgeDeletedDatasets(service.deps)).toBe(0);
});

test('a dataset is deleted by its own tenant alone', async () => {
  const dataset = await createDataset(scope, { name: 'mine' });
  await addRecords(dataset.id, 3);
  const { id } = await createTenant(service.deps.db.system, { name: 'Other' });
  await expect(deleteDataset(tenantScope(service.deps, id), dataset.id)).rejects.toMatchObject({ code: 'dataset_not_found' });
  expect(await recordsOf(dataset.id)).toBe(3);
  await expect(deleteDataset(scope, newId())).rejects.toMatchObject({ code: 'dataset_not_found' });
});
