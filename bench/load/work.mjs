import { setTimeout as sleep } from 'node:timers/promises';
import { loadRecords } from '../loading.mjs';
import { ruleSet } from '../rule-sets.mjs';
import { records } from '../workload.mjs';

const pollMs = 100;
const bodyCount = 1_000;

/** Fields as a tenant declares them: each record that is sent is normalised. */
const fields = [
  { name: 'Amount', key: 'amount', type: 'amount' },
  { name: 'Date', key: 'date', type: 'date' },
  { name: 'Name', key: 'name', type: 'string' },
  { name: 'Invoice', key: 'invoice_no', type: 'string' },
];

/** A dataset with declared fields, and the bodies that are sent to it. */
export async function prepareTarget(client, dataset) {
  const { id } = await client.post('/v1/datasets', { name: dataset });
  await client.post(`/v1/datasets/${id}/fields/from-columns`, { columns: fields });
  const bodies = [];
  for (const { left } of records(bodyCount)) bodies.push(left);
  return bodies;
}

const totalOf = async (client, dataset, status) =>
  (await client.get('/v1/records', { dataset, status, limit: 1 })).total;

/** Resolves when no record of the dataset waits for its processing any more. */
export async function waitUntilProcessed(client, dataset) {
  while ((await totalOf(client, dataset, 'received')) > 0) await sleep(pollMs);
}

/**
 * Compares the stored records with the acknowledged ones.
 *
 * @param {string[]} acknowledged ids, one for each answer
 * @param {number} unanswered number of requests without an answer, each of which may have stored a record
 * @throws Error when a record is missing, is stored twice, or is not ready
 */
export async function verifyStored(client, dataset, acknowledged, unanswered) {
  const stored = new Map();
  for await (const { id, external_id: externalId, status } of client.scroll('/v1/records', { dataset })) {
    if (status !== 'ready') throw new Error(`Record ${id} is ${status}`);
    if (stored.has(id)) throw new Error(`Record ${id} is listed twice`);
    stored.set(id, externalId);
  }
  const missing = acknowledged.filter((id) => !stored.has(id));
  if (missing.length > 0) throw new Error(`${missing.length} acknowledged records are not stored`);
  if (new Set(acknowledged).size !== acknowledged.length) throw new Error('Two requests were answered with one id');
  if (stored.size > acknowledged.length + unanswered)
    throw new Error(`${stored.size} records are stored, but only ${acknowledged.length} were acknowledged`);
  return stored.size;
}

async function waitForJobEnd(client, id) {
  for (;;) {
    const job = await client.get(`/v1/matching-jobs/${id}`);
    if (!['queued', 'running'].includes(job.status)) return job;
    await sleep(pollMs);
  }
}

/** Makes two matched datasets of `size` records, and jobs over them that leave their matches live. */
export async function prepareJob({ client, database }, size, run) {
  const { left, right } = await loadRecords({ client, database }, size, run);
  const newRuleSet = (name) =>
    client.post('/v1/rule-sets', {
      name: `${name} ${run}`,
      leftDatasetId: left.datasetId,
      rightDatasetId: right.datasetId,
      ...ruleSet,
    });
  const runJob = async ({ id: ruleSetId }) => {
    const { id } = await client.post('/v1/matching-jobs', { dataset: left.dataset, ruleSetIds: [ruleSetId] });
    const job = await waitForJobEnd(client, id);
    if (job.status !== 'completed') throw new Error(`The job ended ${job.status}: ${JSON.stringify(job.error)}`);
    return job;
  };
  const read = await runJob(await newRuleSet('read'));
  const beside = await newRuleSet('beside');
  const recordIds = [];
  for await (const { id } of client.scroll('/v1/records', { dataset: left.dataset })) {
    recordIds.push(id);
    if (recordIds.length === 10_000) break;
  }
  return { dataset: left.dataset, recordIds, jobId: read.id, pairs: read.pairs_total, run: () => runJob(beside) };
}

/** Runs jobs one after another while the work runs, and counts those that completed. */
export async function withJobsRunning(job, work) {
  let over = false;
  let jobs = 0;
  const running = (async () => {
    while (!over) {
      await job.run();
      jobs++;
    }
  })();
  try {
    return { ...(await work()), jobs: () => jobs };
  } finally {
    over = true;
    await running;
  }
}
