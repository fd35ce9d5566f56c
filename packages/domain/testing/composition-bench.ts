import type { CompositionParams, RuleSetParams } from '@tieout/engine';
import { newId } from '@tieout/infra';
import {
  createRuleSet,
  getMatchingJob,
  listUnmatched,
  startMatchingJobs,
  type createMatchingHandlers,
  type TenantScope,
  type UnmatchedRecord,
} from '../src';

/** A record as sent. `no` is its external id. */
export interface BenchRecord {
  no: string;
  amount?: number | string;
  date?: string;
  bill?: string;
  plan?: string;
}

/** An invoice with three payments, one with a single payment, one without any, and a payment without an invoice. */
export const invoices: BenchRecord[] = [
  { no: 'A', amount: 100, date: '2025-03-10' },
  { no: 'B', amount: 55.5, date: '2025-03-11' },
  { no: 'C', amount: 7, date: '2025-03-12' },
];
export const payments: BenchRecord[] = [
  { no: 'a1', amount: 50, date: '2025-03-11' },
  { no: 'a2', amount: '29.99', date: '2025-03-12' },
  { no: 'a3', amount: '20.01' },
  { no: 'b1', amount: 55.5, date: '2025-03-11' },
  { no: 'x', amount: 901, date: '2025-03-12' },
];
const base: RuleSetParams = {
  Tmatch: 0.9,
  Tpossible: 0.5,
  assignment: 'one_to_one',
  blocking: { amountKey: 'amount', dateKey: 'date', dateToleranceDays: 40 },
  matchers: [{ id: 'amount', expr: 'left.amount = right.amount' }],
};

interface BatchRow {
  entryId: string;
  batchNo: number;
  kind: string;
}

interface Bench {
  scope: TenantScope;
  handlers: ReturnType<typeof createMatchingHandlers>;
}

/** Runs composing jobs step by step for the tenant that `now` returns, and reads their results. */
export function compositionBench(now: () => Bench) {
  /** Stores the rows in an order that differs from that of their ids. */
  async function newDataset(name: string, rows: readonly BenchRecord[]): Promise<string> {
    const id = newId();
    await now().scope.db.execute(
      `insert into datasets (id, tenant_id, name, kind) values ($1::uuid, $2::uuid, $3, 'records')`,
      [id, now().scope.tenantId, name],
    );
    await now().scope.db.execute(
      `insert into records (id, tenant_id, dataset_id, external_id, data, fields, status)
       select r.id, $1::uuid, $2::uuid, r.data ->> 'no', r.data, '{}', 'ready'
         from unnest($3::uuid[], $4::jsonb[]) with ordinality as r(id, data, ordinal) order by md5(r.ordinal::text)`,
      [now().scope.tenantId, id, rows.map(() => newId()), rows.map((row) => JSON.stringify(row))],
    );
    return id;
  }

  async function newRuleSet(
    left: readonly BenchRecord[],
    right: readonly BenchRecord[],
    composition: CompositionParams,
    more: Partial<RuleSetParams> = {},
  ): Promise<string> {
    const ruleSet = await createRuleSet(now().scope, {
      name: 'rules',
      leftDatasetId: await newDataset('left', left),
      rightDatasetId: await newDataset('right', right),
      engine: 'jsonata-batch',
      jsonataExpr: null,
      logicJson: null,
      params: { ...base, ...more, composition },
    });
    return ruleSet.id;
  }

  async function startJob(): Promise<string> {
    const { jobIds } = await startMatchingJobs(now().scope, [{ dataset: 'left', path: '/dataset' }], undefined);
    return jobIds[0] as string;
  }

  const batchesOf = (jobId: string, kind: 'pairs' | 'groups'): Promise<BatchRow[]> =>
    now().scope.db.query(
      `select entry_id as "entryId", batch_no as "batchNo", kind from job_batches
        where job_id = $1::uuid and kind = $2 order by batch_no desc`,
      [jobId, kind],
    );

  async function runBatches(jobId: string, kind: 'pairs' | 'groups', run = now().handlers): Promise<number> {
    const batches = await batchesOf(jobId, kind);
    for (const { entryId, batchNo } of batches)
      await run['matching.batch']({ tenantId: now().scope.tenantId, jobId, entryId, batchNo });
    return batches.length;
  }

  const plan = (jobId: string, run = now().handlers): Promise<void> =>
    run['matching.plan']({ tenantId: now().scope.tenantId, jobId });
  const finish = (jobId: string, run = now().handlers): Promise<void> =>
    run['matching.finish']({ tenantId: now().scope.tenantId, jobId });

  /** Runs a job step by step, its batches from the last to the first. */
  async function runJob(): Promise<string> {
    const jobId = await startJob();
    await plan(jobId);
    await runBatches(jobId, 'pairs');
    await finish(jobId);
    await runBatches(jobId, 'groups');
    await finish(jobId);
    const { status } = await getMatchingJob(now().scope, jobId);
    if (status !== 'completed') throw new Error(`the job is ${status}`);
    return jobId;
  }

  /** Reads the composites of a job; records are named by their external ids. */
  const compositesOf = (
    jobId: string,
  ): Promise<{ target: string; members: string[]; decision: string; status: string }[]> =>
    now().scope.db.query(
      `select t.external_id as target, c.decision, c.status, c.direction, c.score,
              c.expected_member_count as "expected", c.explanation, c.target_amount as "targetAmount",
              c.composed_amount as "composedAmount", c.amount_delta as "amountDelta",
              array(select r.external_id || ' ' || m.amount || ' ' || coalesce(m.day::text, '-')
                      from composite_members m join records r on r.id = m.record_id
                     where m.composite_id = c.id order by m.position) as members
         from composite_matches c join records t on t.id = c.target_record_id
        where c.tenant_id = $1::uuid and c.job_id = $2::uuid order by c.id`,
      [now().scope.tenantId, jobId],
    );

  async function unmatchedOf(jobId: string): Promise<Record<string, string>> {
    const lists = await Promise.all(
      (['left', 'right'] as const).map((side) =>
        listUnmatched(now().scope, jobId, { side, include: ['filtered', 'failed'] }, { page: 1, limit: 1_000 }),
      ),
    );
    const named = ({ record, reason }: UnmatchedRecord): [string, string] => [
      ('externalId' in record ? record.externalId : null) ?? record.id,
      reason,
    ];
    return Object.fromEntries(lists.flatMap(({ items }) => items.map(named)));
  }

  return { newRuleSet, startJob, batchesOf, runBatches, plan, finish, runJob, compositesOf, unmatchedOf };
}
