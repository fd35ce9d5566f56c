import { startChild } from '../child.mjs';
import { assertSameCounts, startDuckDb } from '../duckdb.mjs';
import { createRuns } from '../jobs.mjs';
import { handOverSeconds } from '../loading.mjs';
import { alternate, warmUp } from '../measure.mjs';
import { sizeText } from '../command-line.mjs';
import { duration, share, whole } from '../report.mjs';
import { ruleSet } from '../rule-sets.mjs';

/** Smaller sides are measured for information only, not by `--quick`: DuckDB's start-up dominates its time there. */
const smallestWithGoal = 100_000;
const heapMb = 4096;
/** Only the phases of the job are measured, and polling would slow them down. */
const pollMs = 300;
/**
 * Warm-up: any process of a worker may plan a job, so each plans rarely, and its code is optimised after a dozen jobs
 * of 100k a side. `--quick` warms up part of it.
 */
const jobsWarmUpMs = { whole: 30_000, quick: 12_000 };

/** (c) Block and score in one process, and the same from PostgreSQL, against DuckDB on two threads. */
export async function benchJoin(context) {
  const perPair = new Map();
  const withGoal = context.sizes.filter((size) => size >= smallestWithGoal);
  for (const size of context.quick && withGoal.length > 0 ? withGoal : context.sizes)
    perPair.set(size, await benchSize(context, size));
  const [small, large] = [perPair.get(100_000), perPair.get(1_000_000)];
  if (small === undefined || large === undefined) return;
  const { report } = context;
  report.section('(c) Cost of a candidate pair, 1M against 100k');
  report.compare({
    what: 'the loop over pairs',
    product: duration(large),
    reference: duration(small),
    measured: large / small,
    show: share,
    atMost: 1.2,
  });
  report.finish();
}

/** Returns the seconds that the loop takes for a candidate pair. */
async function benchSize(context, size) {
  const { rounds, report, directory, cleanup } = context;
  report.announce(`(c) ${sizeText(size)} a side`);
  const duckDb = await startDuckDb({ size, directory, cleanup });
  await warmUp(() => duckDb.run());
  const expected = await duckDb.counts();
  const core = startChild('pairs', { heapMb });
  cleanup.add(() => core.stop());
  await core.call('load', size);
  assertSameCounts(await warmUp(() => core.call('run')), expected);
  const reading = await stagesOfJobs(context, size, expected);

  report.section(
    `(c) Block and score, ${sizeText(size)} a side, ` +
      `${whole(expected.pairs)} pairs, ${whole(expected.kept)} kept, as DuckDB counts them`,
  );
  const figures = await alternate(rounds, {
    duckDb: () => duckDb.run(),
    core: () => core.call('run'),
    job: reading.run,
  });
  const { core: product, duckDb: reference, job } = figures;
  const goal = (atMost) => (size >= smallestWithGoal ? { atMost } : {});
  const against = (what, seconds, limits = {}) =>
    report.compare({
      what,
      product: duration(seconds),
      reference: duration(reference.join),
      measured: seconds / reference.join,
      show: share,
      ...limits,
    });
  against('block + score, against the join', product.seconds, goal(0.8));
  against('  the same, block keys read beforehand', product.seconds - product.keys);
  const loop = product.loop / expected.pairs;
  for (const step of ['keys', 'sort', 'columns', 'loop', 'collect'])
    report.compare({ what: `  ${step}`, product: duration(product[step]) });
  report.compare({ what: '  loop, a pair', product: duration(loop) });
  report.compare({
    what: 'read + block + score, against load + join',
    product: duration(job.readBlockScore),
    reference: duration(reference.both),
    measured: job.readBlockScore / reference.both,
    show: share,
    ...goal(1.5),
  });
  report.compare({ what: '  of it planning: read, key and sort both sides', product: duration(job.plan) });
  report.compare({ what: '  of it the batches: read again and score', product: duration(job.batches) });
  report.compare({
    what: '  PostgreSQL alone, handing the fields over',
    product: duration(job.handOver),
    reference: duration(reference.both),
    measured: job.handOver / reference.both,
    show: share,
  });
  // The core parses each row twice, once for its keys.
  const parsing = product.parse / 2;
  const least = job.handOver + parsing + product.seconds;
  report.compare({ what: '  parsing the rows', product: duration(parsing) });
  report.compare({
    what: '  these two and block + score, one after the other: the floor',
    product: duration(least),
    reference: duration(reference.both),
    measured: least / reference.both,
    show: share,
  });
  report.note(
    'block + score: of parsed records, as DuckDB joins loaded tables. ' +
      'They are parsed 256 at a time in the order of their keys, as in a job.',
  );
  report.note('  keys: read from parsed records; a job reads them from the bytes, which costs less.');
  report.note(
    'read + block + score: those phases of a job, from PostgreSQL, on one worker with its default settings: ' +
      'a batch at a time for each core.',
  );
  report.note('  of the time in which batches run, the share of their work that is not writing.');
  report.note(
    '  The floor is the least work that two cores can share; docs/explanation/performance.md has the profile.',
  );
  report.finish();
  report.peak(`(c) block and score, ${sizeText(size)}, rows in memory`, core.peakMiB());
  report.peak(`(c) DuckDB, ${sizeText(size)}`, duckDb.peakMiB());
  await core.stop();
  await duckDb.stop();
  return loop;
}

/** Runs jobs of the same work and measures the stages that DuckDB has too. */
async function stagesOfJobs(context, size, expected) {
  const service = await context.service();
  const loaded = await context.loaded(size);
  const runs = await createRuns(service, loaded, { name: 'stages', definition: ruleSet, pollMs });
  const run = async () => {
    const outcome = await runs.run();
    assertSameCounts(outcome, expected);
    const { plan, batches } = await stageSeconds(service.database, outcome.job.id);
    return { plan, batches, readBlockScore: plan + batches, handOver: await handOverSeconds(service, loaded) };
  };
  await warmUp(run, context.quick ? jobsWarmUpMs.quick : jobsWarmUpMs.whole);
  return { run };
}

/** A batch is marked with the time at which it began. */
async function stageSeconds(database, jobId) {
  const { rows } = await database.query(
    `select (max(ended_at) - min(done_at)) * sum(read_ms + score_ms) / sum(read_ms + score_ms + write_ms) as batches,
            (select sum((timings ->> 'readMs')::float8 + (timings ->> 'blockMs')::float8) / 1000
               from job_rule_sets where job_id = $1) as plan
       from (select extract(epoch from done_at)::float8 as done_at, read_ms, score_ms, write_ms,
                    extract(epoch from done_at)::float8 + (read_ms + score_ms + write_ms) / 1000.0 as ended_at
               from job_batches where job_id = $1) b`,
    [jobId],
  );
  return { plan: Number(rows[0].plan), batches: Number(rows[0].batches) };
}
