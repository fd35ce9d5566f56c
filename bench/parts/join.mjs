import { startChild } from '../child.mjs';
import { assertSameCounts, startDuckDb } from '../duckdb.mjs';
import { createRuns, jobFigures } from '../jobs.mjs';
import { handOverSeconds } from '../loading.mjs';
import { alternate, warmUp } from '../measure.mjs';
import { sizeText } from '../options.mjs';
import { duration, share, whole } from '../report.mjs';
import { ruleSet } from '../rule-sets.mjs';

/** Smaller sides are measured for information: DuckDB's own start-up is much of its time there. */
const smallestWithGoal = 100_000;
const heapMb = 4096;
/** Only the stages of the job are measured, and questions for its state would slow them down. */
const pollMs = 300;

/** (c) Block and score in one process, and the same from PostgreSQL, against DuckDB on two threads. */
export async function benchJoin(context) {
  const perPair = new Map();
  for (const size of context.sizes) perPair.set(size, await benchSize(context, size));
  const [small, large] = [perPair.get(100_000), perPair.get(1_000_000)];
  if (small === undefined || large === undefined) return;
  const { report } = context;
  report.section('(c) Cost of a candidate pair, 1M against 100k');
  report.compare({ what: 'the loop over pairs', product: duration(large), reference: duration(small), measured: large / small, show: share, atMost: 1.2 });
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
  const reading = await oneWorker(context, size, expected);

  report.section(`(c) Block and score, ${sizeText(size)} a side, ${whole(expected.pairs)} pairs, ${whole(expected.kept)} kept, as DuckDB counts them`);
  const figures = await alternate(rounds, { duckDb: () => duckDb.run(), core: () => core.call('run'), job: reading.run });
  await reading.end();
  const { core: product, duckDb: reference, job } = figures;
  const goal = (atMost) => (size >= smallestWithGoal ? { atMost } : {});
  const against = (what, seconds, limits = {}) => report.compare({
    what, product: duration(seconds), reference: duration(reference.join), measured: seconds / reference.join, show: share, ...limits,
  });
  against('block + score, against the join', product.seconds, goal(0.8));
  against('  the same, block keys read beforehand', product.seconds - product.keys);
  const loop = product.loop / expected.pairs;
  for (const step of ['keys', 'sort', 'columns', 'loop', 'collect']) report.compare({ what: `  ${step}`, product: duration(product[step]) });
  report.compare({ what: '  loop, a pair', product: duration(loop) });
  const readBlockScore = job.read + job.block + job.score;
  report.compare({
    what: 'read + block + score, against load + join',
    product: duration(readBlockScore),
    reference: duration(reference.both),
    measured: readBlockScore / reference.both,
    show: share,
    ...goal(1.5),
  });
  report.compare({ what: '  of it PostgreSQL alone, handing the fields over', product: duration(job.handOver), reference: duration(reference.both), measured: job.handOver / reference.both, show: share });
  report.note('block + score: of parsed records, as DuckDB joins loaded tables. They are parsed 256 at a time in the order of their keys, as in a job.');
  report.note('  keys: read from parsed records; a job reads them from the bytes, which costs less.');
  report.note('read + block + score: those stages of a job on one worker that runs one batch at a time, from PostgreSQL.');
  report.finish();
  report.peak(`(c) block and score, ${sizeText(size)}, rows in memory`, core.peakMiB());
  report.peak(`(c) DuckDB, ${sizeText(size)}`, duckDb.peakMiB());
  await core.stop();
  await duckDb.stop();
  return loop;
}

/** Jobs of the same work on one worker that runs one batch at a time: its stages follow each other. */
async function oneWorker(context, size, expected) {
  const service = await context.service();
  const loaded = await context.loaded(size);
  const runs = await createRuns(service, loaded, { name: 'one worker', definition: ruleSet, pollMs });
  await service.matchingWorkers(1, { MATCHING_CONCURRENCY: '1' });
  const run = async () => {
    const outcome = await runs.run();
    assertSameCounts(outcome, expected);
    return { ...jobFigures(outcome), handOver: await handOverSeconds(service, loaded) };
  };
  await warmUp(run);
  return { run, end: () => service.matchingWorkers(1) };
}
