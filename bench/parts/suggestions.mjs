import { setTimeout as sleep } from 'node:timers/promises';
import { ended } from '../jobs.mjs';
import { loadDataset } from '../loading.mjs';
import { matchableKinds } from '../matchable/index.mjs';
import { listings } from '../matchable/listings.mjs';
import { timed } from '../measure.mjs';
import { duration } from '../report.mjs';
import { benchLearningCosts } from './learning-costs.mjs';

const seed = 20;
const pollMs = 100;
const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** The best that any rule set can reach is below 1 where records lack what would tell them apart. */
const minF1 = { payments: 0.96, invoices: 0.99, people: 0.995, products: 0.97 };

/** More than this beyond what is reached is too good an opinion of itself. */
const maxPromise = 0.025;

/** The same of records that are so much alike that a warning calls what is expected a guess. */
const maxPromiseAlike = 0.12;

const f1Of = ({ precision, recall }) => (2 * precision * recall) / (precision + recall);

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
      await loadDataset(client, `${kind} left`, left),
      await loadDataset(client, `${kind} right`, right),
    ];
    const { value: answer, seconds } = await timed(async () =>
      suggestion(client, await client.post('/v1/rule-sets/suggest', { leftDatasetId, rightDatasetId })),
    );
    if (!answer.connected) throw new Error(answer.reason);
    const { id } = await client.post('/v1/rule-sets', answer.rule_set);
    const names = await namesOf(client, kind);
    const { precision, recall, f1 } = await measured(client, { id, leftDatasetId, names, truth });
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
    report.compare({ what: `${kind}: F1`, measured: f1, show: percent, atLeast: minF1[kind] });
    report.compare({
      what: `${kind}: F1 that is expected beyond it`,
      measured: f1Of(answer.expected) - f1,
      show: percent,
      atMost: maxPromise,
    });
    report.compare({ what: `${kind}: time of the suggestion`, product: duration(seconds) });
  }
  await benchAnswers(context, count);
  report.finish();
  await benchLearningCosts(context);
}

const answers = 40;
const draws = 3;

/** Measures what answers to questions are worth where a rule set that was learnt without labels is poor. */
async function benchAnswers({ report, service }, count) {
  const { client } = await service();
  const gains = [];
  for (let draw = 0; draw < draws; draw++) {
    const kind = `listings ${draw + 1}`;
    report.announce(`(k) ${kind}`);
    const { left, right, truth } = listings(count, seed + draw);
    const leftDatasetId = await loadDataset(client, `${kind} left`, left);
    const rightDatasetId = await loadDataset(client, `${kind} right`, right);
    const answer = await suggestion(
      client,
      await client.post('/v1/rule-sets/suggest', { leftDatasetId, rightDatasetId }),
    );
    const { id } = await client.post('/v1/rule-sets', answer.rule_set);
    const names = await namesOf(client, kind);
    const before = await measured(client, { id, leftDatasetId, names, truth });
    report.compare({
      what: `${kind}: recall that is expected beyond what is reached`,
      measured: answer.expected.recall - before.recall,
      show: percent,
      atMost: maxPromiseAlike,
    });
    const partners = new Set(truth.map((ids) => ids.join(' ')));
    const { items } = await client.get(`/v1/rule-sets/${id}/questions`, { limit: answers });
    for (const action of ['confirm', 'reject']) {
      const isTrue = (pair) =>
        partners.has([pair.left_record_id, pair.right_record_id].map((one) => names.get(one)).join(' '));
      const ids = items.filter((pair) => isTrue(pair) === (action === 'confirm')).map(({ match_id: match }) => match);
      await client.post('/v1/matches/review', { ids, action });
    }
    const trained = await suggestion(client, await client.post(`/v1/rule-sets/${id}/train`));
    await client.patch(`/v1/rule-sets/${id}`, trained.rule_set);
    const after = await measured(client, { id, leftDatasetId, names, truth });
    gains.push(after.f1 - before.f1);
    report.compare({
      what: `${kind}: F1 with ${answers} answers, against none`,
      product: percent(after.f1),
      reference: percent(before.f1),
    });
  }
  report.compare({
    what: `${answers} answers: mean gain of F1`,
    measured: gains.reduce((sum, gain) => sum + gain, 0) / gains.length,
    show: percent,
    atLeast: 0.05,
  });
}

/** Runs a rule set, and compares its live matches with the truth. */
async function measured(client, { id, leftDatasetId, names, truth }) {
  const job = await client.post('/v1/matching-jobs', { datasetId: leftDatasetId, ruleSetIds: [id] });
  const { status, error } = await ended(client, job.id, pollMs);
  if (status !== 'completed') throw new Error(`The job ended ${status}: ${JSON.stringify(error)}`);
  const found = (await matchesOf(client, id)).map((ids) => ids.map((one) => names.get(one)).join(' '));
  const partners = new Set(truth.map((ids) => ids.join(' ')));
  const correct = found.filter((pair) => partners.has(pair)).length;
  return {
    precision: correct / Math.max(1, found.length),
    recall: correct / truth.length,
    f1: (2 * correct) / (found.length + truth.length),
  };
}

/** Returns the external ids of the records of both sides, by id. */
const namesOf = async (client, kind) =>
  new Map([...(await idsOf(client, `${kind} left`)), ...(await idsOf(client, `${kind} right`))]);

/** Waits for a suggestion or a training, and returns its answer. */
async function suggestion(client, { id }) {
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

/** Returns the ids of the records of each live MATCH, those that were confirmed included. */
async function matchesOf(client, ruleSetId) {
  const matches = (await pages(client, '/v1/matches', { ruleSetId })).filter(
    ({ decision, review }) => (decision === 'MATCH' || review?.status === 'confirmed') && review?.status !== 'rejected',
  );
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
