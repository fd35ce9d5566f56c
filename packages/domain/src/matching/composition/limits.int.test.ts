import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { createMatchingHandlers, getMatchingJob, tenantScope, type TenantScope } from '../..';
import { compositionBench, type BenchRecord } from '../../../testing/composition-bench';

let service: TestService;
let scope: TenantScope;

beforeAll(async () => {
  service = await createTestService();
});
beforeEach(async () => {
  const tenantId = newId();
  await service.deps.db.system.execute(`insert into tenants (id, name) values ($1::uuid, 'Acme')`, [tenantId]);
  scope = tenantScope(service.deps, tenantId);
});
afterAll(async () => {
  await service.close();
});

const { newRuleSet, startJob, plan, runBatches, finish, runJob, compositesOf } = compositionBench(() => ({
  scope,
  handlers: createMatchingHandlers(service.deps),
}));

const rows = (prefix: string, amounts: readonly (number | string)[]): BenchRecord[] =>
  amounts.map((amount, i) => ({ no: `${prefix}${i + 1}`, amount }));

/** Creates amounts without a pattern, so that no bound ends a search early. */
function scattered(count: number): number[] {
  let seed = 7;
  return Array.from({ length: count }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return (1_000_000_000 + (seed % 1_000_000_000)) / 100;
  });
}

async function entryOf(jobId: string) {
  const [entry] = (await getMatchingJob(scope, jobId)).entries;
  if (!entry) throw new Error('the job has no rule set');
  return entry;
}

test('a target whose search ended at its limit without a group is counted and named', async () => {
  await newRuleSet(rows('A', [90_000_000.07, 3]), rows('a', scattered(60)), { enabled: true });
  const { composition, errors, decisionCounts } = await entryOf(await runJob());
  const [target] = await scope.db.query<{ id: string }>(
    `select id from records where tenant_id = $1::uuid and external_id = 'A1'`,
    [scope.tenantId],
  );
  expect({ composition, errors, failed: decisionCounts.ERROR }).toEqual({
    composition: { targets: 2, searchEnded: 1, amountsOutOfRange: 0, plansTooLong: 0, failedEvaluations: 0 },
    errors: [
      {
        left_record_id: target?.id,
        right_record_id: null,
        code: 'composition_search_ended',
        message: expect.stringContaining('a smaller maxGroupSize') as string,
      },
    ],
    failed: 0,
  });
});

test.each([
  ['evidence', { evidence: { matchers: ['bad'] } }, {}, 'bad'],
  ['a filter that names both sides', {}, { filters: ['$contains(left.no, right.amount)'] }, 'filters/0'],
])('failures of %s in composition are counted apart from searches that ended, with a warning', async (...given) => {
  const [, composition, more, expression] = given;
  const matchers = [{ expr: 'left.amount = right.amount' }, { id: 'bad', expr: '$contains(left.no, right.amount)' }];
  await newRuleSet(rows('A', [100]), rows('a', [60, 40]), { enabled: true, ...composition }, { matchers, ...more });
  const entry = await entryOf(await runJob());
  expect(entry.composition).toMatchObject({ searchEnded: 0, failedEvaluations: 2 });
  expect(entry.errors).toContainEqual(expect.objectContaining({ code: 'T0410', expression }));
  expect(entry.warnings).toContainEqual({
    code: 'composition_error',
    message: expect.stringMatching(`^2 evaluations.*${expression}: T0410.*string`) as string,
  });
});

test('groups of very long values differ, and a composite names the beginning of its value', async () => {
  const bill = (end: string): string => 'invoice '.repeat(2_500) + end;
  const members: BenchRecord[] = (
    [
      [60, 'A'],
      [40, 'B'],
      [70, 'C'],
      [30, 'C'],
    ] as const
  ).map(([amount, end], i) => ({ no: `a${i + 1}`, amount, bill: bill(end) }));
  await newRuleSet(rows('A', [100]), members, { enabled: true, groupByField: 'bill' });
  const jobId = await runJob();
  expect((await compositesOf(jobId)).map((composite) => composite.members)).toEqual([
    [expect.stringMatching(/^a3/), expect.stringMatching(/^a4/)],
  ]);
  const stored = await scope.db.query<{ name: string }>(
    `select explanation ->> 'group' as name from composite_matches where tenant_id = $1::uuid and job_id = $2::uuid`,
    [scope.tenantId, jobId],
  );
  expect(stored).toEqual([
    { name: expect.stringMatching(/^(invoice ){25}… \(20001 characters, SHA-256 [0-9a-f]{64}\)$/) as string },
  ]);
});

test('an amount too large for composition is counted and its record named', async () => {
  await newRuleSet(rows('A', [100]), rows('a', [60, 40, 2e12, '99999999999999999999']), { enabled: true });
  const { composition, errors } = await entryOf(await runJob());
  const named = await scope.db.query<{ no: string }>(
    `select external_id as no from records where tenant_id = $1::uuid and id = any($2::uuid[]) order by 1`,
    [scope.tenantId, errors.filter(({ code }) => code === 'amount_out_of_range').map((error) => error.right_record_id)],
  );
  expect([composition, named.map(({ no }) => no)]).toEqual([
    { targets: 1, searchEnded: 0, amountsOutOfRange: 2, plansTooLong: 0, failedEvaluations: 0 },
    ['a3', 'a4'],
  ]);
});

test('a plan of too many installments is counted and its record named', async () => {
  const left = rows('A', [100]);
  const right = rows('a', [60, 40, 7]).map((row, i) => ({
    ...row,
    plan: ['1/600', 'Parcela 2 de 12', 'ref. 03/2025'][i] as string,
  }));
  await newRuleSet(left, right, { enabled: true, installmentDiscovery: { enabled: true, totalCountField: 'plan' } });
  const { composition, errors, decisionCounts } = await entryOf(await runJob());
  const [record] = await scope.db.query<{ id: string }>(
    `select id from records where tenant_id = $1::uuid and external_id = 'a1'`,
    [scope.tenantId],
  );
  expect([composition?.plansTooLong, decisionCounts.COMPOSITE_MATCH, errors]).toEqual([
    1,
    1,
    [
      {
        left_record_id: null,
        right_record_id: record?.id,
        code: 'plan_too_long',
        message: expect.stringContaining('installmentDiscovery.totalCountField') as string,
      },
    ],
  ]);
});

test('a rule set without composition has no counts of composition', async () => {
  await newRuleSet(rows('A', [100]), rows('a', [60, 40]), { enabled: false });
  expect((await entryOf(await runJob())).composition).toBeNull();
});

const reject = (jobId: string): Promise<number> =>
  scope.db.execute(
    `update composite_matches set review_status = 'rejected', reviewed_at = now() where job_id = $1::uuid`,
    [jobId],
  );

async function rejectRepeatedly(times: number): Promise<string[]> {
  const seen: string[] = [];
  for (let time = 0; time <= times; time++) {
    const jobId = await runJob();
    for (const { target, members, decision } of await compositesOf(jobId)) {
      seen.push(
        `${decision} ${target}: ${members
          .map((member) => member.split(' ')[0])
          .sort()
          .join(' ')}`,
      );
    }
    await reject(jobId);
  }
  return seen;
}

test('a target whose group was rejected gets the next best group', async () => {
  await newRuleSet(rows('A', [100]), rows('a', [60, 40, 70, 30]), { enabled: true });
  expect(await rejectRepeatedly(2)).toEqual(['POSSIBLE A1: a1 a2', 'MATCH A1: a3 a4']);
});

test('a group rejected while a job composes is replaced by the next best group', async () => {
  await newRuleSet(rows('A', [100]), rows('a', [60, 40, 70, 30]), { enabled: true });
  const first = await runJob();
  const second = await startJob();
  await plan(second);
  await runBatches(second, 'pairs');
  await finish(second);
  await runBatches(second, 'groups');
  await reject(first);
  await finish(second);
  expect((await compositesOf(second)).map(({ members }) => members)).toEqual([['a3 70 -', 'a4 30 -']]);
});

test('each pair of equal members is proposed once, whatever the rejections', async () => {
  await newRuleSet(rows('A', [100]), rows('a', [50, 50, 50, 50]), { enabled: true });
  const seen = await rejectRepeatedly(5);
  expect([seen.length, new Set(seen).size]).toEqual([6, 6]);
});

test('equally good groups stay ambiguous after a better one is rejected', async () => {
  await newRuleSet(rows('A', [100]), rows('a', [60, 40, 55, 5, 33, 7]), { enabled: true });
  expect(await rejectRepeatedly(1)).toEqual(['MATCH A1: a1 a2', expect.stringMatching(/^POSSIBLE/)]);
});
