import { groupRules, makeBooks, pairRules, type LoadedBooks } from '../../support/books';
import { pause, type FaultClient } from '../client';
import type { World } from '../world';
import { differs, type LoadActor } from './actor';

const jobTimeoutMs = 240_000;

const ruleSets: readonly object[] = [
  { name: 'pairs', ...pairRules },
  { name: 'groups', ...groupRules({ maxGroupSize: 3, dateToleranceDays: 3 }) },
];

interface Job {
  id: string;
  status: string;
  error: { code: string; message: string } | null;
  batches_expected: number;
  batches_completed: number;
  pairs_total: number;
  pairs_processed: number;
  records_total: number;
  pending_records: number;
  decision_counts: Record<string, number>;
  average_score: number | null;
  rule_sets: {
    status: string;
    pairs_total: number;
    pairs_processed: number;
    decision_counts: Record<string, number>;
  }[];
}

/**
 * Runs matching jobs, one after the other, over pairs and groups. What each one has found must be what a job finds that
 * runs over the same records when nothing fails.
 */
export const runJobs: LoadActor = async ({ world, client, random, scale, isOver }) => {
  const size = random.pick(scale.bookSizes);
  await fill(client, makeBooks(size, { invoices: random.pick([37, 41, 43]), lines: random.pick([53, 59, 61]) }));
  const problems: string[] = [];
  const watch = { world, client, problems };
  const results: { job: Job; result: Result }[] = [];
  problems.push(...(await cancelJob(watch)));
  for (let i = 0; (!isOver() && i < scale.maxJobs) || i < 1; i++) {
    const job = await runJob(watch, `job-${i}`);
    results.push({ job, result: await resultOf(world, client.tenantId, job.id) });
  }
  return async () => {
    const undisturbed = await runJob(watch, 'undisturbed');
    const expected = await resultOf(world, client.tenantId, undisturbed.id);
    const found = [...results.map(({ job }) => job), undisturbed];
    const billed = await world.query<{ jobs: number; matches: number }>(
      `select count(distinct job_id)::int as jobs, sum(matches)::int as matches from billing_entries
        where tenant_id = $1::uuid and job_id = any($2::uuid[])`,
      [client.tenantId, found.map((job) => job.id)],
    );
    return [
      ...problems,
      ...results.flatMap(({ job, result }, i) => [
        ...differs(`job ${i + 1}`, essence(job), essence(undisturbed)),
        ...differenceOf(`results of job ${i + 1}`, result, expected),
      ]),
      ...differs('jobs and matches of the bill', billed[0], {
        jobs: found.length,
        matches: found.reduce((sum, job) => sum + (job.decision_counts['MATCH'] ?? 0), 0),
      }),
    ];
  };
};

async function fill(client: FaultClient, books: LoadedBooks): Promise<void> {
  for (const [dataset, rows] of Object.entries(books) as [string, object[]][]) {
    await client.surely({
      method: 'post',
      url: '/v1/records/bulk',
      params: { dataset },
      key: dataset,
      headers: { 'content-type': 'application/x-ndjson' },
      data: rows.map((row) => JSON.stringify(row)).join('\n'),
    });
  }
  const { items } = await client.surely<{ items: { id: string; name: string }[] }>({ url: '/v1/datasets' });
  const idOf = (name: string): string => items.find((one) => one.name === name)?.id as string;
  for (const [index, ruleSet] of ruleSets.entries()) {
    const data = { ...ruleSet, leftDatasetId: idOf('invoices'), rightDatasetId: idOf('lines') };
    await client.surely({ method: 'post', url: '/v1/rule-sets', data, key: `rule-set-${index}` });
  }
  for (;;) {
    // A job would wait for them too, but not for ever.
    const { total } = await client.surely<{ total: number }>({
      url: '/v1/records',
      params: { status: 'received', limit: 1 },
    });
    if (total === 0) return;
    await pause(200);
  }
}

interface Watch {
  world: World;
  client: FaultClient;
  /** Filled with what was seen on the way. */
  problems: string[];
}

/** Starts a job and follows it to its end. Its progress never goes back, unless a crash emptied its snapshot. */
async function runJob({ world, client, problems }: Watch, key: string): Promise<Job> {
  const { crashes } = world;
  const { id } = await client.surely<{ id: string }>({
    method: 'post',
    url: '/v1/matching-jobs',
    data: { dataset: 'invoices' },
    key,
  });
  const deadlineMs = Date.now() + jobTimeoutMs;
  let last: Job | undefined;
  for (;;) {
    const job = await client.surely<Job>({ url: `/v1/matching-jobs/${id}` });
    const wentBack =
      last && (job.pairs_processed < last.pairs_processed || job.batches_completed < last.batches_completed);
    if (last && wentBack && world.crashes === crashes)
      problems.push(`the progress of job ${id} went from ${progress(last)} to ${progress(job)}`);
    if (job.pairs_processed > job.pairs_total || job.batches_completed > job.batches_expected)
      problems.push(`the progress of job ${id} is ${progress(job)}`);
    if (['completed', 'failed', 'cancelled'].includes(job.status)) {
      problems.push(
        ...differs(
          `job ${key}`,
          { status: job.status, error: job.error, pending: job.pending_records },
          { status: 'completed', error: null, pending: 0 },
        ),
      );
      problems.push(
        ...differs(
          `progress of job ${key}`,
          progress(job),
          `${job.pairs_total}/${job.pairs_total} pairs, ${job.batches_expected}/${job.batches_expected} batches`,
        ),
      );
      return job;
    }
    if (Date.now() > deadlineMs) throw new Error(`job ${id} does not end: ${job.status}, ${progress(job)}`);
    last = job;
    await pause(100);
  }
}

/** Checks that a job cancelled while it runs stays cancelled and leaves no live result. */
async function cancelJob({ world, client }: Watch): Promise<string[]> {
  const { id } = await client.surely<{ id: string }>({
    method: 'post',
    url: '/v1/matching-jobs',
    data: { dataset: 'invoices' },
    key: 'cancelled',
  });
  const look = (): Promise<Job> => client.surely<Job>({ url: `/v1/matching-jobs/${id}` });
  while ((await look()).status === 'queued') await pause(50);
  // A job that has completed in the meantime, or whose cancellation was not answered, cannot be cancelled.
  await client.surely({ method: 'post', url: `/v1/matching-jobs/${id}/cancel` }).catch(() => undefined);
  const { status } = await look();
  if (status === 'completed') return [];
  const live = await world.query(`select 1 from rule_sets where tenant_id = $1::uuid and live_job_id = $2::uuid`, [
    client.tenantId,
    id,
  ]);
  return [
    ...differs('status of the cancelled job', status, 'cancelled'),
    ...differs('rule sets for which a cancelled job is live', live.length, 0),
  ];
}

const progress = (job: Job): string =>
  `${job.pairs_processed}/${job.pairs_total} pairs, ${job.batches_completed}/${job.batches_expected} batches`;

/** A job without ids and times. */
const essence = (job: Job): object => ({
  records: job.records_total,
  batches: job.batches_expected,
  decisions: job.decision_counts,
  score: job.average_score,
  ruleSets: job.rule_sets.map((entry) => ({
    status: entry.status,
    pairs: entry.pairs_total,
    processed: entry.pairs_processed,
    decisions: entry.decision_counts,
  })),
});

type Result = Record<'matches' | 'composites' | 'unmatched', string[]>;

/** Reads the results of a job as lines, without ids and times of the results themselves. */
async function resultOf({ query }: World, tenantId: string, jobId: string): Promise<Result> {
  const lines = async (sql: string): Promise<string[]> =>
    (await query<{ line: string }>(sql, [tenantId, jobId])).map(({ line }) => line).sort();
  return {
    matches: await lines(
      `select concat_ws(' ', rule_set_id, left_record_id, right_record_id, score, decision, explanation) as line
         from matches where tenant_id = $1::uuid and job_id = $2::uuid`,
    ),
    composites: await lines(
      `select concat_ws(' ', rule_set_id, direction, target_record_id, status, decision, score, amount_delta,
        explanation,
                array(select record_id from composite_members m where m.composite_id = c.id order by position)) as line
         from composite_matches c where tenant_id = $1::uuid and job_id = $2::uuid`,
    ),
    unmatched: await lines(
      `select concat_ws(' ', side, block_no, counts, encode(ids, 'hex'), encode(reasons, 'hex')) as line
         from unmatched_blocks where tenant_id = $1::uuid and job_id = $2::uuid`,
    ),
  };
}

function differenceOf(what: string, found: Result, expected: Result): string[] {
  return (['matches', 'composites', 'unmatched'] as const).flatMap((kind) => {
    const [a, b] = [new Set(found[kind]), new Set(expected[kind])];
    const [more, less] = [found[kind].filter((line) => !b.has(line)), expected[kind].filter((line) => !a.has(line))];
    const doubled = found[kind].length - a.size;
    return more.length + less.length + doubled === 0
      ? []
      : [
          `${what}: of ${expected[kind].length} ${kind}, ${less.length} are missing, ${more.length} are too many and ` +
            `${doubled} are doubled: ${[...less, ...more].slice(0, 2).join(' | ')}`,
        ];
  });
}
