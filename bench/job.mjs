import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { tableLines } from '../scripts/lib/table.mjs';
import { startService } from './service.mjs';
import { ruleSet, sqlReference, workload } from './workload.mjs';

const { from: copyFrom } = createRequire(new URL('../packages/infra/package.json', import.meta.url))('pg-copy-streams');
const jsonata = createRequire(new URL('../packages/engine/package.json', import.meta.url))('jsonata');

const linesPerRequest = 10_000;
const pollMs = 50;
const sampledPairs = 5_000;

const seconds = async (work) => {
  const startedAt = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - startedAt) / 1000 };
};
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const ndjson = (rows) => rows.map((row) => JSON.stringify(row)).join('\n');

async function ingest(client, dataset, rows) {
  for (let i = 0; i < rows.length; i += linesPerRequest) {
    await client.post('/v1/records/bulk', ndjson(rows.slice(i, i + linesPerRequest)), {
      params: { dataset },
      headers: { 'content-type': 'application/x-ndjson' },
    });
  }
}

async function ready(client, dataset, count) {
  while ((await client.get('/v1/records', { dataset, status: 'ready', limit: 1 })).total < count) await sleep(pollMs);
}

async function datasetId(client, name) {
  const { items } = await client.get('/v1/datasets', { limit: 100 });
  return items.find((dataset) => dataset.name === name).id;
}

/** The same rows by COPY into the same table, under a dataset of their own. */
async function rawCopy(database, tenantId, rows) {
  const dataset = '00000000-0000-7000-8000-000000000001';
  const text = rows.map((row, i) => `00000000-0000-7000-8001-${i.toString(16).padStart(12, '0')}\t${tenantId}\t${dataset}\t${row.externalId}\t${JSON.stringify(row.body).replaceAll('\\', '\\\\')}\n`);
  const measured = await seconds(() =>
    pipeline(Readable.from(text.join('')), database.query(copyFrom('copy records (id, tenant_id, dataset_id, external_id, data) from stdin'))),
  );
  await database.query('delete from records where tenant_id = $1 and dataset_id = $2', [tenantId, dataset]);
  return measured.seconds;
}

/** Seconds that a plain loop over the same matchers takes for a pair: `await evaluate` for each, nothing else. */
async function plainLoop({ left, right }) {
  const expressions = ruleSet.params.matchers.map(({ expr }) => jsonata(expr));
  const measured = await seconds(async () => {
    for (let i = 0; i < sampledPairs; i += 1) {
      const input = { left: left[i % left.length].body, right: right[(i * 7) % right.length].body };
      for (const expression of expressions) await expression.evaluate(input);
    }
  });
  return measured.seconds / sampledPairs;
}

async function ended(client, id) {
  for (;;) {
    const job = await client.get(`/v1/matching-jobs/${id}`);
    if (!['queued', 'running'].includes(job.status)) return job;
    await sleep(pollMs);
  }
}

/**
 * Ingest and reconcile `size` records a side through the whole service, and the same work by others in the same run.
 *
 * @param {{ size: number, say: (line: string) => void }} options
 */
export async function benchJob({ size, say }) {
  const data = workload(size);
  const service = await startService({ say });
  const database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
  try {
    const { client, tenantId } = service;
    const ingested = await seconds(async () => {
      await ingest(client, 'left', data.left);
      await ingest(client, 'right', data.right);
    });
    const settled = await seconds(() => Promise.all([ready(client, 'left', size), ready(client, 'right', size)]));
    const copied = await rawCopy(database, tenantId, data.left);
    const datasets = { leftDatasetId: await datasetId(client, 'left'), rightDatasetId: await datasetId(client, 'right') };
    await client.post('/v1/rule-sets', { name: 'bench', ...datasets, ...ruleSet });
    const run = await seconds(async () => ended(client, (await client.post('/v1/matching-jobs', { dataset: 'left' })).id));
    const job = run.value;
    await database.query('analyze records');
    const sql = await seconds(() => database.query(sqlReference, [tenantId, datasets.leftDatasetId, datasets.rightDatasetId]));
    const reference = sql.value.rows[0];
    const loop = await plainLoop(data);
    if (job.status !== 'completed') throw new Error(`The job ended ${job.status}: ${JSON.stringify(job.error)}`);
    const kept = job.decision_counts.MATCH + job.decision_counts.POSSIBLE;
    if (job.pairs_total !== reference.pairs || kept !== reference.kept) {
      throw new Error(`The job found ${job.pairs_total} pairs and ${kept} matches, SQL ${reference.pairs} and ${reference.kept}`);
    }

    const whole = (n) => Math.round(n).toLocaleString('en');
    const ratio = (a, b) => (a / b).toFixed(2);
    say(`\n${whole(size)} x ${whole(size)} records, ${whole(job.pairs_total)} candidate pairs, ${whole(kept)} matches (the same as SQL finds)\n`);
    const stages = job.timings;
    const loopSeconds = loop * job.pairs_total;
    for (const line of tableLines(
      [{ title: 'what' }, { title: 'seconds', right: true }, { title: 'per second', right: true }, { title: 'against', most: 60 }],
      [
        ['ingest, until answered', ingested.seconds.toFixed(2), `${whole((2 * size) / ingested.seconds)} records`, `${ratio((2 * copied) / ingested.seconds, 1)} of raw COPY's speed`],
        ['ingest, until ready', (ingested.seconds + settled.seconds).toFixed(2), `${whole((2 * size) / (ingested.seconds + settled.seconds))} records`, ''],
        ['job, POST to completed', run.seconds.toFixed(2), `${whole(job.pairs_total / run.seconds)} pairs`, `${ratio(run.seconds, loopSeconds)} of a plain jsonata loop, ${ratio(run.seconds, sql.seconds)} of SQL`],
        ['  read', (stages.read_ms / 1000).toFixed(2), '', 'summed over workers'],
        ['  block', (stages.block_ms / 1000).toFixed(2), '', ''],
        ['  score', (stages.score_ms / 1000).toFixed(2), `${whole((1000 * job.pairs_total) / stages.score_ms)} pairs`, `${ratio(stages.score_ms / 1000, loopSeconds)} of a plain jsonata loop`],
        ['  write', (stages.write_ms / 1000).toFixed(2), '', ''],
        ['  finish', (stages.finish_ms / 1000).toFixed(2), '', ''],
        ['plain jsonata loop', loopSeconds.toFixed(2), `${whole(1 / loop)} pairs`, `${whole(sampledPairs)} pairs measured, the rest by proportion`],
        ['SQL join and score', sql.seconds.toFixed(2), `${whole(job.pairs_total / sql.seconds)} pairs`, 'without reading results out or writing them'],
      ],
    )) say(line);
    const memory = service.peakMemory();
    if (memory !== null) say(`\nLargest process: ${memory} MiB`);
  } finally {
    await database.end();
    await service.stop();
  }
}
