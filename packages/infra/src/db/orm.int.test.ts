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

test('what the work of a transaction holds is released with it', async () => {
  const { system } = service.deps.db;
  const work = (round: number): Promise<unknown> => {
    const held = Buffer.from(`${round}`.padEnd(1024 ** 2, 'x')).toString('utf8');
    return system.transaction((tx) => tx.query('select $1::int', [held.length]));
  };
  await work(0);
  const before = heapMiB();
  for (let round = 0; round < 30; round++) await work(round);
  expect(heapMiB()).toBeLessThan(before + 10);
});

describe('statements and calls of Prisma in one transaction', () => {
  const named = (name: string) =>
    service.deps.db.system.query(`select 1 from tenants where name = $1`, [name]).then((rows) => rows.length);

  test('see each other, and are undone together', async () => {
    const work = service.deps.db.system.transaction(async (tx) => {
      await tx.execute(`insert into tenants (id, name) values (gen_random_uuid(), 'both')`);
      expect(await tx.orm.tenant.count({ where: { name: 'both' } })).toBe(1);
      await tx.orm.tenant.updateMany({ where: { name: 'both' }, data: { name: 'changed' } });
      expect(await tx.query(`select 1 from tenants where name = 'changed'`)).toHaveLength(1);
      throw new Error('undone');
    });
    await expect(work).rejects.toThrow('undone');
    expect(await named('changed')).toBe(0);
  });

  test('are refused once it is over: they would be transactions of their own', async () => {
    const { system } = service.deps.db;
    const tx = await system.transaction((running) => Promise.resolve(running));
    const late = `insert into tenants (id, name) values (gen_random_uuid(), 'late')`;
    await expect(tx.execute(late)).rejects.toMatchObject({ code: 'P2028' });
    expect(await named('late')).toBe(0);
  });
});
