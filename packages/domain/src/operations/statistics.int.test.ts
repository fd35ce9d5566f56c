import { createTestService, type TestService } from '@tieout/testing';
import { newId } from '@tieout/infra';
import { analyseGrownTables } from './statistics';

let service: TestService;

beforeAll(async () => {
  service = await createTestService();
});

afterAll(() => service.close());

test('the planner knows a table that has filled up after the next sweep, before autovacuum does', async () => {
  const { system } = service.deps.db;
  const known = async () =>
    (
      await system.query<{ rows: number }>(
        `select reltuples::int as rows from pg_class where oid = 'records'::regclass`,
      )
    )[0]?.rows;
  expect(await known()).toBeLessThan(1);
  await system.execute(
    `insert into records (id, tenant_id, dataset_id, data)
     select gen_random_uuid(), $1::uuid, $2::uuid, '{}' from generate_series(1, 2000)`,
    [newId(), newId()],
  );
  await analyseGrownTables(system);
  expect(await known()).toBe(2_000);
  await system.execute('delete from records where id in (select id from records limit 1000)');
  await analyseGrownTables(system);
  expect(await known()).toBe(2_000);
});

test('JSON columns are left to autovacuum', async () => {
  const { system } = service.deps.db;
  await system.execute(
    `insert into matches (id, tenant_id, job_id, rule_set_id, left_record_id, right_record_id, score, decision,
                          explanation)
     select gen_random_uuid(), $1::uuid, $1::uuid, $1::uuid, gen_random_uuid(), gen_random_uuid(), 1, 'MATCH', '[]'
       from generate_series(1, 2000)`,
    [newId()],
  );
  await analyseGrownTables(system);
  const analysed = await system.query<{ column: string }>(
    `select attname as column from pg_stats
      where tablename = 'matches' and attname in ('job_id', 'explanation')`,
  );
  expect(analysed).toEqual([{ column: 'job_id' }]);
});
