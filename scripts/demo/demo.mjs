import crypto from 'node:crypto';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiClient } from '../../tools/api-client.mjs';
import { fromCsv } from '../sample/csv.mjs';
import { reportLines } from './report.mjs';
import { inRoot } from '../../tools/paths.mjs';
import { progressBar } from './progress.mjs';
import { jsonFile } from '../lib/settings.mjs';

const datasets = {
  invoices: {
    dataset: 'invoices',
    file: 'invoices.csv',
    id: 'invoice_no',
    columns: [
      ['invoice_no', 'string'],
      ['account', 'string'],
      ['customer', 'string'],
      ['issued_on', 'date'],
      ['due_on', 'date'],
      ['amount', 'amount'],
      ['terms', 'string'],
      ['status', 'string'],
    ],
    shown: ['customer', 'amount'],
  },
  bankLines: {
    dataset: 'bank_lines',
    file: 'bank-lines.csv',
    id: 'line_id',
    columns: [
      ['line_id', 'string'],
      ['booked_on', 'date'],
      ['amount', 'amount'],
      ['channel', 'string'],
      ['account', 'string'],
      ['text', 'string'],
      ['part', 'string'],
    ],
    shown: ['text', 'amount', 'channel'],
  },
  cardPurchases: {
    dataset: 'card_purchases',
    file: 'card-purchases.csv',
    id: 'purchase_id',
    columns: [
      ['purchase_id', 'string'],
      ['booked_on', 'date'],
      ['amount', 'amount'],
      ['bill', 'string'],
      ['merchant', 'string'],
    ],
    shown: ['merchant', 'amount'],
  },
};

/**
 * One job for each rule set. Invoices have two rule sets, which read different dates; their filters are disjoint. Two
 * jobs are runs of reconciliations.
 */
const jobs = [
  {
    name: 'invoices',
    left: datasets.invoices,
    right: datasets.bankLines,
    ruleSet: 'rule-set.json',
    reconciliation: { name: 'Invoices', dateKeyLeft: 'due_on', dateKeyRight: 'booked_on' },
  },
  {
    name: 'installments',
    left: datasets.invoices,
    right: datasets.bankLines,
    ruleSet: 'rule-set-installments.json',
  },
  {
    name: 'card_purchases',
    left: datasets.cardPurchases,
    right: datasets.bankLines,
    ruleSet: 'rule-set-card-bills.json',
    reconciliation: { name: 'Card bills' },
  },
];
const recordsPerRequest = 1_000;
const pollMs = 250;
const readsAtOnce = 8;
const processingTimeoutMs = 120_000;

const sample = (name) => fs.readFileSync(inRoot('sample', name), 'utf8');

/** Makes the tenant and its key once: the id is stored before the tenant is made, so a retry makes no second one. */
async function ensureTenant({ baseUrl, platformKey, state, save, signal }) {
  if (!state.tenantId) save({ tenantId: crypto.randomUUID() });
  const platform = (headers) => apiClient({ baseUrl, signal, headers: { 'x-api-key': platformKey, ...headers } });
  if (!state.apiKey) {
    try {
      await platform({}).post('/v1/tenants', { name: 'Demo', id: state.tenantId });
    } catch (error) {
      if (error.status !== 409) throw error;
    }
    const { key } = await platform({ 'x-tenant-id': state.tenantId }).post('/v1/api-keys', { label: 'demo' });
    save({ apiKey: key });
  }
  return apiClient({ baseUrl, signal, headers: { 'x-api-key': state.apiKey } });
}

async function ensureDataset(api, { dataset, columns }) {
  let found;
  for await (const entry of api.list('/v1/datasets')) if (entry.name === dataset) found = entry;
  found ??= await api.post('/v1/datasets', { name: dataset });
  await api.post(`/v1/datasets/${found.id}/fields/from-columns`, {
    columns: columns.map(([name, type]) => ({ name, type, key: name })),
  });
  return found.id;
}

const countRecords = async (api, dataset, status) =>
  (await api.get('/v1/records', { dataset, status, limit: 1 })).total;

/** Sends the file's rows; a row that is there already is replaced, so that sending them again does no harm. */
async function ingest(api, { dataset, file, id }, say, signal) {
  const rows = fromCsv(sample(file));
  const bar = progressBar(`Ingesting ${dataset}`, say);
  const startedAt = Date.now();
  for (let sent = 0; sent < rows.length; sent += recordsPerRequest) {
    const lines = rows
      .slice(sent, sent + recordsPerRequest)
      .map((row) => JSON.stringify({ externalId: row[id], body: row }));
    const answer = await api.post('/v1/records/bulk', `${lines.join('\n')}\n`, {
      params: { dataset },
      headers: { 'content-type': 'application/x-ndjson' },
    });
    if (answer.rejected > 0)
      throw new Error(`${answer.rejected} rows of ${file} were rejected: ${JSON.stringify(answer.errors[0])}`);
  }
  for (;;) {
    const open = await countRecords(api, dataset, 'received');
    bar.update(rows.length - open, rows.length);
    if (open === 0) break;
    if (Date.now() - startedAt > processingTimeoutMs)
      throw new Error(`${open} records of ${dataset} are still being processed`);
    await sleep(pollMs, undefined, { signal });
  }
  const failed = await countRecords(api, dataset, 'failed');
  bar.end(
    `${rows.length.toLocaleString('en-US')} records in ${seconds(startedAt)}${failed > 0 ? `, ${failed} failed` : ''}`,
  );
}

const seconds = (startedAt) => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;

/** Creates the rule set of a job. Returns its id and the ids of its datasets. */
async function ensureRuleSet(api, { left, right, ruleSet }, datasetIds) {
  const sides = { leftDatasetId: datasetIds.get(left), rightDatasetId: datasetIds.get(right) };
  const definition = JSON.parse(sample(ruleSet));
  let found;
  for await (const one of api.list('/v1/rule-sets', sides)) if (one.name === definition.name) found = one;
  found ??= await api.post('/v1/rule-sets', { ...definition, ...sides });
  return { ...sides, ruleSetIds: [found.id] };
}

async function ensureReconciliation(api, { reconciliation, ...plan }, datasetIds) {
  for await (const { name, id } of api.scroll('/v1/reconciliations')) if (name === reconciliation.name) return id;
  const { leftDatasetId, rightDatasetId, ruleSetIds } = await ensureRuleSet(api, plan, datasetIds);
  const sides = { leftDatasetIds: [leftDatasetId], rightDatasetIds: [rightDatasetId] };
  return (await api.post('/v1/reconciliations', { ...reconciliation, ...sides, ruleSetIds })).id;
}

async function startJob(api, plan, datasetIds) {
  if (plan.reconciliation)
    return api.post(`/v1/reconciliations/${await ensureReconciliation(api, plan, datasetIds)}/runs`, {});
  const { leftDatasetId, ruleSetIds } = await ensureRuleSet(api, plan, datasetIds);
  return api.post('/v1/matching-jobs', { datasetId: leftDatasetId, ruleSetIds });
}

async function reconcile({ api, say, signal }, plan, datasetIds) {
  const startedAt = Date.now();
  const bar = progressBar(`Matching ${plan.name}`, say);
  let job = await startJob(api, plan, datasetIds);
  while (job.status === 'queued' || job.status === 'running') {
    await sleep(pollMs, undefined, { signal });
    job = await api.get(`/v1/matching-jobs/${job.id}`);
    bar.update(job.pairs_processed ?? 0, job.pairs_total ?? 0);
  }
  if (job.status !== 'completed')
    throw new Error(`The matching job ended as ${job.status}: ${JSON.stringify(job.error ?? {})}`);
  bar.end(
    `${job.pairs_total.toLocaleString('en-US')} pairs of ` +
      `${job.records_total.toLocaleString('en-US')} records in ${seconds(startedAt)}`,
  );
  return job;
}

/** The records of a dataset by id, with the fields that the report shows, from the CSV export. */
async function exported(api, { dataset, shown }) {
  const text = await api.post(
    '/v1/records/export.csv',
    { fields: shown, filters: { dataset } },
    { responseType: 'text' },
  );
  return fromCsv(text).map((row) => [row['record.id'], row]);
}

/** The composites of a job, with their targets and members. */
async function composites(api, jobId) {
  const ids = [];
  for await (const { id } of api.list('/v1/composite-matches', { jobId })) ids.push(id);
  const found = [];
  for (let at = 0; at < ids.length; at += readsAtOnce) {
    found.push(
      ...(await Promise.all(ids.slice(at, at + readsAtOnce).map((id) => api.get(`/v1/composite-matches/${id}`)))),
    );
  }
  return found;
}

/** Counts why records of a side have no match in any of the jobs. Each job filters out the records of the others. */
async function unmatchedReasons(api, jobs, side) {
  const found = new Map();
  for (const { id } of jobs) {
    const query = { side, include: 'filtered,failed' };
    for await (const { record, reason } of api.list(`/v1/matching-jobs/${id}/unmatched`, query))
      found.set(record.id, [...(found.get(record.id) ?? []), reason]);
  }
  const counts = new Map();
  for (const reasons of found.values()) {
    if (reasons.length < jobs.length) continue;
    const reason = reasons.find((one) => one !== 'filtered') ?? 'filtered';
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts;
}

async function report(api, jobs, say) {
  const [invoiceJob, planJob, cardJob] = jobs;
  const matches = [];
  for await (const match of api.scroll('/v1/matches', { matchingJobId: invoiceJob.id })) matches.push(match);
  const records = [];
  for (const dataset of Object.values(datasets)) records.push(...(await exported(api, dataset)));
  const summary = await api.get(`/v1/reconciliations/${cardJob.reconciliation_id}/summary`);
  const lines = reportLines({
    jobs,
    purchases: summary.left,
    matches,
    composites: (await Promise.all(jobs.map(({ id }) => composites(api, id)))).flat(),
    records: new Map(records),
    unmatched: {
      left: await unmatchedReasons(api, [invoiceJob, planJob], 'left'),
      right: await unmatchedReasons(api, [invoiceJob, planJob], 'right'),
    },
    truth: { pairs: fromCsv(sample('truth.csv')), composites: fromCsv(sample('truth-composites.csv')) },
  });
  for (const line of lines) say(line);
}

/**
 * Makes the demo tenant, ingests the sample, reconciles it and prints the result, all through the REST interface. Runs
 * once for each state file, and reuses what an interrupted run made.
 *
 * @param {{ baseUrl: string, platformKey: string, stateFile: string, say: (line: string) => void, signal?: AbortSignal
 *   }} options
 */
export async function runDemo({ baseUrl, platformKey, stateFile, say, signal }) {
  const file = jsonFile(stateFile);
  const state = file.read() ?? {};
  if (state.completedAt) return;
  const save = (changes) => file.write(Object.assign(state, changes));
  say('\nDemo: a year of invoices and card purchases against the bank account');
  const api = await ensureTenant({ baseUrl, platformKey, state, save, signal });
  const datasetIds = new Map();
  for (const dataset of Object.values(datasets)) datasetIds.set(dataset, await ensureDataset(api, dataset));
  // A record that arrives later becomes an open item at once. The console shows the newest reconciliation first.
  for (const plan of jobs.toReversed()) if (plan.reconciliation) await ensureReconciliation(api, plan, datasetIds);
  for (const dataset of Object.values(datasets)) await ingest(api, dataset, say, signal);
  const done = [];
  for (const job of jobs) done.push(await reconcile({ api, say, signal }, job, datasetIds));
  await report(api, done, say);
  const reconciliationId = done.find((job) => job.reconciliation_id)?.reconciliation_id;
  save({ jobId: done[0].id, reconciliationId, completedAt: new Date().toISOString() });
}
