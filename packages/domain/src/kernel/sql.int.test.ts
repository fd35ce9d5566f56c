import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { matchCondition } from '../results/matches/filter';
import { recordCondition } from '../data/records/filter';

let service: TestService;
const tenantId = newId();

beforeAll(async () => {
  service = await createTestService();
});

afterAll(() => service.close());

/** The plan of the first page when the planner avoids sorts and sequential scans. */
function planOf(
  table: string,
  { sql, order, parameters }: Pick<ReturnType<typeof recordCondition>, 'sql' | 'order' | 'parameters'>,
): Promise<string> {
  return service.deps.db.system.transaction(async (tx) => {
    await tx.execute('set local enable_sort = off');
    await tx.execute('set local enable_seqscan = off');
    return JSON.stringify(
      await tx.query(`explain select * from ${table} where ${sql} order by ${order} limit 26`, parameters),
    );
  });
}

const lists = [
  ['records of a dataset', 'records r', recordCondition(tenantId, { dataset: 'ledger' }), 'records_dataset_id_id_idx'],
  ['matches of a job', 'matches m', matchCondition(tenantId, { matchingJobId: newId() }), 'matches_job_id_id_idx'],
] as const;

test.each(lists)('a page of %s is read from its own index', async (_list, table, condition, index) => {
  expect(await planOf(table, condition)).toContain(`Index Scan Backward using ${index}`);
});

test.each(lists)('a page of %s never scans all rows of the tenant by id', async (_list, table, condition, index) => {
  await service.deps.db.system.execute(`drop index ${index}`);
  expect(await planOf(table, condition)).toContain('Sort');
});
