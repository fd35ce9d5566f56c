import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { deleteMatches } from './retention';

let service: TestService;

beforeAll(async () => {
  service = await createTestService();
});

afterAll(() => service.close());

test('a step of removing superseded matches joins nothing, whatever the statistics say', async () => {
  const rows = await service.deps.db.system.query<{ 'QUERY PLAN': string }>(`explain ${deleteMatches}`, [
    newId(),
    newId(),
    newId(),
    10_000,
  ]);
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).not.toMatch(/Join|Loop|Seq Scan/);
});
