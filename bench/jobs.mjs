import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { timed } from './measure.mjs';

const usualPollMs = 20;
/** Poll interval as a share of the job's age: polling more often would take time from what is measured. */
const pollShare = 0.05;

/** Waits for the end of a job. */
export async function ended(client, id, pollMs) {
  for (const startedMs = performance.now(); ;) {
    const job = await client.get(`/v1/matching-jobs/${id}`);
    if (!['queued', 'running'].includes(job.status)) return job;
    await sleep(Math.max(pollMs, (performance.now() - startedMs) * pollShare));
  }
}

/** Counts what the clean-up after a job has still to remove: snapshots, and matches of superseded jobs. */
const leftovers = `
  select (select count(*) from pg_tables where schemaname = 'staging')::int
         + exists (select 1 from matches where job_id = any($1::uuid[]))::int as count`;

/** The server's own clean-up, which takes a core while it runs: after a million records, for minutes. */
const vacuuming = `select count(*)::int as count from pg_stat_activity where backend_type = 'autovacuum worker'`;

/** Waits until nothing of what went before is going on, so that a measurement meets the same database each time. */
async function settle(database, supersededJobs) {
  while ((await database.query(leftovers, [supersededJobs])).rows[0].count > 0) await sleep(usualPollMs);
  await database.query('vacuum analyze matches');
  while ((await database.query(vacuuming)).rows[0].count > 0) await sleep(usualPollMs);
  await database.query('checkpoint');
}

/**
 * A rule set over two loaded datasets whose jobs are run one after the other.
 *
 * @param {{ client: object, database: object }} service
 * @param {{ left: { datasetId: string }, right: { datasetId: string }, size: number }} loaded
 * @param {{ name: string, definition: object, pollMs?: number }} options `pollMs`: between two questions for the state
 *   of a job, at least
 */
export async function createRuns(
  { client, database },
  { left, right, size },
  { name, definition, pollMs = usualPollMs },
) {
  const ruleSet = await client.post('/v1/rule-sets', {
    name: `${name} ${size}`,
    leftDatasetId: left.datasetId,
    rightDatasetId: right.datasetId,
    ...definition,
  });
  const jobIds = [];
  return {
    /** Runs one job and returns what the service says of it; `seconds` from POST to completed. */
    async run() {
      await settle(database, jobIds.slice(0, -1));
      const { value: job, seconds } = await timed(async () => {
        const { id } = await client.post('/v1/matching-jobs', { dataset: left.dataset, ruleSetIds: [ruleSet.id] });
        return ended(client, id, pollMs);
      });
      if (job.status !== 'completed') throw new Error(`The job ended ${job.status}: ${JSON.stringify(job.error)}`);
      jobIds.push(job.id);
      const { MATCH, POSSIBLE } = job.decision_counts;
      return { job, seconds, pairs: job.pairs_total, kept: MATCH + POSSIBLE };
    },
  };
}

/** A job's time and stages as plain figures, for medians. */
export function jobFigures({ job, seconds }) {
  const { read_ms: read, block_ms: block, score_ms: score, write_ms: write, finish_ms: finish } = job.timings;
  return {
    seconds,
    read: read / 1000,
    block: block / 1000,
    score: score / 1000,
    write: write / 1000,
    finish: finish / 1000,
  };
}
