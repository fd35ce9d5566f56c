import { setTimeout as tick } from 'node:timers/promises';
import v8 from 'node:v8';
import { collectGarbage, createTestService, type TestService } from '@tieout/testing';

function heapMiB(): number {
  collectGarbage();
  return v8.getHeapStatistics().used_heap_size / 1024 ** 2;
}

let service: TestService;

beforeAll(async () => {
  service = await createTestService();
});

afterAll(() => service.close());

test('the values of large statements in transactions are soon released', async () => {
  const { system } = service.deps.db;
  await system.transaction((tx) => tx.query('select 1'));
  const before = heapMiB();
  for (let round = 0; round < 20; round++) {
    await system.transaction(async (tx) => {
      expect(await tx.query('select length($1)::int as length', [`${round}`.padEnd(2 * 1024 ** 2, 'x')])).toEqual([
        { length: 2 * 1024 ** 2 },
      ]);
    });
  }
  while (heapMiB() > before + 10) await tick(100);
});
