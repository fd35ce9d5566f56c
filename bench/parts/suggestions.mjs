import { setTimeout as sleep } from 'node:timers/promises';
import { ended } from '../jobs.mjs';
import { matchableKinds } from '../matchable/index.mjs';
import { timed } from '../measure.mjs';
import { duration } from '../report.mjs';

const seed = 20;
const pollMs = 100;
const linesPerRequest = 2_000;
const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** The best that any rule set can reach is below 1 where records lack what would tell them apart. */
const minF1 = { payments: 0.96, invoices: 0.99, people: 0.995, products: 0.97 };

/** (k) Suggested rule sets, posted as they come, on generated records with known partners. */
export async function benchSuggestions(context) {
  const { report, quick } = context;
  const { client } = await context.service();
  const count = quick ? 1_500 : 5_000;
  report.section(`(k) Suggested rule sets on ${count} generated pairs of each kind, posted as they came`);
  for (const [kind, generate] of Object.entries(matchableKinds)) {
    report.announce(`(k) ${kind}`);
    const { left, right, truth } = generate(count, seed);
    const [leftDatasetId, rightDatasetId] = [
      await load(client, kind, 'left', left),
      await load(client, kind, 'right', right),
    ];
    const { value: answer, seconds } = await timed(() => suggested(client, { leftDatasetId, rightDatasetId }));
    if (!answer.connected) throw new Error(answer.reason);
    const { id } = await client.post('/v1/rule-sets', answer.rule_set);
    const job = await client.post('/v1/matching-jobs', { datasetId: leftDatasetId, ruleSetIds: [id] });
    const { status, error } = await ended(client, job.id, pollMs);
    if (status !== 'completed') throw new Error(`The job ended ${status}: ${JSON.stringify(error)}`);
    const names = new Map([...(await idsOf(client, `${kind} left`)), ...(await idsOf(client, `${kind} right`))]);
    const found = (await matchesOf(client, job.id)).map((ids) => ids.map((one) => names.get(one)).join(' '));
    const partners = new Set(truth.map((ids) => ids.join(' ')));
    const correct = found.filter((pair) => partners.has(pair)).length;
    const [precision, recall] = [correct / Math.max(1, found.length), correct / truth.length];
    report.compare({
      what: `${kind}: precision, expected ${percent(answer.expected.precision)}`,
      measured: precision,
      show: percent,
    });
    report.compare({
      what: `${kind}: recall, expected ${percent(answer.expected.recall)}`,
      measured: recall,
      show: percent,
    });
    const f1 = (2 * correct) / (found.length + truth.length);
    report.compare({ what: `${kind}: F1`, measured: f1, show: percent, atLeast: minF1[kind] });
    report.compare({ what: `${kind}: time of the suggestion`, product: duration(seconds) });
  }
  report.finish();
}

async function load(client, kind, side, records) {
  const dataset = `${kind} ${side}`;
  const { id } = await client.post('/v1/datasets', { name: dataset });
  for (let at = 0; at < records.length; at += linesPerRequest) {
    const lines = records.slice(at, at + linesPerRequest).map((record) => JSON.stringify(record));
    const headers = { 'content-type': 'application/x-ndjson' };
    await client.post('/v1/records/bulk', lines.join('\n'), { params: { dataset }, headers });
  }
  while ((await client.get('/v1/records', { dataset, status: 'ready', limit: 1 })).total < records.length)
    await sleep(pollMs);
  return id;
}

async function suggested(client, sides) {
  const { id } = await client.post('/v1/rule-sets/suggest', sides);
  for (;;) {
    const { status, error, answer } = await client.get(`/v1/suggestions/${id}`);
    if (status === 'completed') return answer;
    if (!['queued', 'running'].includes(status)) throw new Error(`The suggestion ${status}: ${JSON.stringify(error)}`);
    await sleep(pollMs);
  }
}

/** Returns the external ids of the records of a dataset, by id. */
async function idsOf(client, dataset) {
  const records = await pages(client, '/v1/records', { dataset });
  return records.map(({ id, external_id: externalId }) => [id, externalId]);
}

/** Returns the ids of the records of each MATCH. */
async function matchesOf(client, matchingJobId) {
  const matches = await pages(client, '/v1/matches', { matchingJobId, decision: 'MATCH' });
  return matches.map(({ left_record_id: left, right_record_id: right }) => [left, right]);
}

async function pages(client, path, query) {
  const all = [];
  for (let cursor; ;) {
    const page = await client.get(path, { ...query, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...page.items);
    if (!page.next_cursor) return all;
    cursor = page.next_cursor;
  }
}
