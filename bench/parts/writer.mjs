import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { requireFrom } from '../../tools/paths.mjs';
import { createRuns } from '../jobs.mjs';
import { alternate, timed } from '../measure.mjs';
import { sizeText } from '../command-line.mjs';
import { duration, times, whole } from '../report.mjs';
import { ruleSet } from '../rule-sets.mjs';

const { from: copyFrom, to: copyTo } = requireFrom('packages/infra')('pg-copy-streams');

const largestSize = 100_000;
/** The duration of the job is not measured, and polling would slow it down but not COPY. */
const pollMs = 300;
const columns = 'id, tenant_id, job_id, rule_set_id, left_record_id, right_record_id, score, decision, explanation';

/** The rows of a job as the bytes of COPY, in the order and the format in which its batches wrote them. */
async function bytesOfMatches(database, jobId) {
  const chunks = [];
  const collect = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await pipeline(
    database.query(
      copyTo(`copy (select ${columns} from matches where job_id = '${jobId}' order by ctid) to stdout (format binary)`),
    ),
    collect,
  );
  return Buffer.concat(chunks);
}

const chunkBytes = 1 << 18;

function* chunksOf(bytes) {
  for (let from = 0; from < bytes.length; from += chunkBytes) yield bytes.subarray(from, from + chunkBytes);
}

const countOf = async (database) => Number((await database.query('select count(*) from matches')).rows[0].count);

/** (e) A job's batches writing their matches, against COPY of the same bytes into the same, empty table. */
export async function benchWriter(context) {
  const { rounds, report, sizes } = context;
  const size = Math.min(largestSize, sizes.at(-1));
  const service = await context.service();
  const { database } = service;
  const runs = await createRuns(service, await context.loaded(size), { name: 'writer', definition: ruleSet, pollMs });
  report.announce('(e)');
  await service.matchingWorkers(1, { MATCHING_CONCURRENCY: '1' });
  const emptied = async () => {
    await database.query('truncate matches');
    await database.query('checkpoint');
  };
  const writeOfJob = async () => {
    await emptied();
    const { job, kept } = await runs.run();
    const { rows } = await database.query(
      'select sum(write_ms)::float8 / 1000 as seconds from job_batches where job_id = $1',
      [job.id],
    );
    return { jobId: job.id, kept, seconds: rows[0].seconds };
  };
  const { jobId, kept } = await writeOfJob();
  const bytes = await bytesOfMatches(database, jobId);
  const copyBytes = async () => {
    await emptied();
    const { seconds } = await timed(() =>
      pipeline(
        Readable.from(chunksOf(bytes)),
        database.query(copyFrom(`copy matches (${columns}) from stdin (format binary)`)),
      ),
    );
    const copied = await countOf(database);
    if (copied !== kept) throw new Error(`The job wrote ${kept} matches, COPY ${copied}`);
    return { seconds };
  };
  await copyBytes();

  report.section(
    `(e) The match writer against raw COPY, ${whole(kept)} matches of ${sizeText(size)} a side, ` +
      'same bytes, same indexes',
  );
  const figures = await alternate(rounds, { raw: copyBytes, product: writeOfJob });
  const { raw, product } = figures;
  report.compare({
    what: 'writing',
    product: duration(product.seconds),
    reference: duration(raw.seconds),
    measured: raw.seconds / product.seconds,
    show: times,
    atLeast: 0.85,
  });
  report.compare({
    what: 'matches a second',
    product: whole(kept / product.seconds),
    reference: whole(kept / raw.seconds),
  });
  report.finish();
  await emptied();
  await service.matchingWorkers(1);
}
