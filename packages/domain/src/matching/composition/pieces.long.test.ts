import type { CompositionParams } from '@tieout/engine';
import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { createMatchingHandlers, getMatchingJob, tenantScope, type TenantScope } from '../..';
import type { JobLimits } from '../jobs/limits';
import { tinyLimits } from '../../../testing/tiny-limits';
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

const { newRuleSet, startJob, batchesOf, runBatches, plan, finish, compositesOf, unmatchedOf } = compositionBench(
  () => ({ scope, handlers: createMatchingHandlers(service.deps) }),
);

/** Creates records with few distinct amounts and days: many groups fit, and targets compete for members. */
function crowd(count: number, prefix: string, step: number): BenchRecord[] {
  return Array.from({ length: count }, (_, i) => ({
    no: `${prefix}${i}`,
    ...(i % 9 === 7
      ? {}
      : { amount: [10, 20, 30, 12.5, 7.505, 50, -5, 100, '40.00', 22.5][(i * step) % 10] as number | string }),
    ...(i % 7 === 3 ? {} : { date: `2025-04-${String(1 + ((i * step) % 28)).padStart(2, '0')}` }),
    ...(i % 5 === 4 ? {} : { bill: `bill ${(i * step) % 4}` }),
    ...(i % 3 === 0 ? { plan: `${1 + (i % 3)}/3` } : {}),
  }));
}

const tiny: JobLimits = { ...tinyLimits, factRows: 4, groupBatches: 12 };

/** Runs a job, calling handlers twice and taking its batches from the last to the first. */
async function runInPieces(
  limits: Partial<JobLimits>,
): Promise<{ pairs: number; groups: number; counts: object | undefined; composites: object[]; unmatched: object }> {
  const run = createMatchingHandlers(service.deps, undefined, limits);
  const jobId = await startJob();
  const twice = async (step: () => Promise<unknown>): Promise<void> => {
    await step();
    await step();
  };
  await twice(() => plan(jobId, run));
  let pairs = 0;
  // A batch that is cut leaves its pieces to run.
  for (let before = -1; before !== pairs;) [before, pairs] = [pairs, await runBatches(jobId, 'pairs', run)];
  await finish(jobId, run);
  await twice(() => runBatches(jobId, 'groups', createMatchingHandlers(service.deps, undefined, limits)));
  await twice(() => finish(jobId, run));
  const job = await getMatchingJob(scope, jobId);
  expect(job.status).toBe('completed');
  return {
    pairs,
    groups: (await batchesOf(jobId, 'groups')).length,
    counts: job.entries[0]?.decisionCounts,
    composites: await compositesOf(jobId),
    unmatched: await unmatchedOf(jobId),
  };
}

test.each<[string, CompositionParams]>([
  ['one direction', { enabled: true, maxGroupSize: 4 }],
  [
    'both directions and a window',
    {
      enabled: true,
      direction: 'both',
      dateStrategy: 'window',
      dateToleranceDays: 6,
      maxGroupSize: 5,
      skipAlreadyMatched: false,
    },
  ],
  ['groups', { enabled: true, direction: 'both', groupByField: 'bill', amountTolerancePercent: 10, maxGroupSize: 30 }],
  [
    'partial ones and negative amounts',
    {
      enabled: true,
      direction: 'many_to_one',
      allowNegativeAmounts: true,
      partial: { enabled: true },
      maxGroupSize: 3,
    },
  ],
  [
    'installments',
    {
      enabled: true,
      dateStrategy: 'monthly',
      dateToleranceDays: 40,
      installmentDiscovery: { enabled: true, totalCountField: 'plan' },
      partial: { enabled: true },
    },
  ],
])(
  '%s: however a job is cut, and wherever its snapshot is, it composes the same groups',
  async (_name, composition) => {
    await newRuleSet(crowd(21, 'L', 3), crowd(37, 'R', 7), composition);
    const whole = await runInPieces({});
    const pieces = await runInPieces(tiny);
    expect(whole.composites.length).toBeGreaterThan(0);
    expect(pieces.groups).toBeGreaterThan(5);
    expect({ ...pieces, pairs: whole.pairs, groups: whole.groups }).toEqual(whole);
    const cut = await runInPieces({ paceMs: 0, longBatches: 0 });
    expect(cut.pairs).toBeGreaterThan(whole.pairs);
    expect({ ...cut, pairs: whole.pairs }).toEqual(whole);
    expect(await runInPieces({ smallJobPairs: 10_000 })).toEqual(whole);
  },
);
