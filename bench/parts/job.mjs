import { alternate } from '../measure.mjs';
import { assertSameCounts, startDuckDb } from '../duckdb.mjs';
import { createRuns, jobFigures } from '../jobs.mjs';
import { copySeconds } from '../loading.mjs';
import { sizeText } from '../command-line.mjs';
import { duration, share, whole } from '../report.mjs';
import { ruleSet } from '../rule-sets.mjs';

const stages = ['read', 'block', 'score', 'write', 'finish'];
const maxMiB = 768;

/** (d) Jobs through API, queue, workers and PostgreSQL, against DuckDB that loads files and joins. */
export async function benchJobs(context) {
  for (const size of context.sizes) await benchSize(context, size);
  const { report } = context;
  const peaks = (await context.service()).memoryPeaks();
  // Only Linux tells.
  if (peaks.length === 0) return;
  const largest = peaks.reduce((a, b) => (b.mib > a.mib ? b : a));
  report.section('(d) Memory of the service');
  report.compare({
    what: `largest process: ${largest.name}`,
    product: `${largest.mib} MiB`,
    measured: largest.mib,
    show: (mib) => `${mib} MiB`,
    atMost: maxMiB,
  });
  report.finish();
}

async function benchSize(context, size) {
  const { rounds, report, directory, cleanup } = context;
  const service = await context.service();
  const loaded = await context.loaded(size);
  report.announce(`(d) ${sizeText(size)} a side`);
  const duckDb = await startDuckDb({ size, directory, cleanup });
  const runs = await createRuns(service, loaded, { name: 'four matchers', definition: ruleSet });
  await duckDb.run();
  const expected = await duckDb.counts();
  const first = await runs.run();
  assertSameCounts(first, expected);

  report.section(
    `(d) A job end to end, ${sizeText(size)} a side, ` +
      `${whole(expected.pairs)} pairs, ${whole(expected.kept)} kept, as DuckDB counts them`,
  );
  const figures = await alternate(rounds, {
    duckDb: () => duckDb.run(),
    job: async () => {
      const run = await runs.run();
      assertSameCounts(run, expected);
      return jobFigures(run);
    },
  });
  const { job, duckDb: reference } = figures;
  if (size <= 20_000) {
    report.compare({
      what: 'POST to completed',
      product: duration(job.seconds),
      measured: job.seconds,
      show: duration,
      atMost: 1.5,
    });
  }
  const goal = size >= 1_000_000 ? { atMost: 3.5 } : {};
  const line = {
    what: 'POST to completed, against load + join',
    product: duration(job.seconds),
    reference: duration(reference.both),
  };
  report.compare({ ...line, measured: job.seconds / reference.both, show: share, ...goal });
  for (const stage of stages)
    report.compare({ what: `  ${stage}, summed over workers`, product: duration(job[stage]) });
  report.compare({ what: '  score, a pair', product: duration(job.score / expected.pairs) });
  report.compare({ what: '  DuckDB: load', reference: duration(reference.load) });
  report.compare({ what: '  DuckDB: join', reference: duration(reference.join) });
  if (loaded.ingestSeconds !== null) {
    const copied = 2 * (await copySeconds(service, size));
    report.compare({
      what: 'ingest until ready, against COPY',
      product: duration(loaded.ingestSeconds),
      reference: duration(copied),
      measured: loaded.ingestSeconds / copied,
      show: share,
    });
  }
  report.note(`The first job of the size took ${duration(first.seconds)}; it is not among the rounds.`);
  report.finish();
  report.peak(`(d) DuckDB, ${sizeText(size)}`, duckDb.peakMiB());
  await duckDb.stop();
}
