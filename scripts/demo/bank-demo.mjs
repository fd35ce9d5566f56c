import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inRoot } from '../../tools/paths.mjs';
import { tableLines } from '../../tools/table.mjs';
import { openDemoTenant } from './tenant.mjs';

const pollMs = 200;
/** A delivery that fails on a busy machine is tried again within it. */
const processingTimeoutMs = 240_000;
const browse = '/v1/data-sources/openfinance/browse';

const fields = (bill) => [
  { name: 'Amount', key: 'amount', type: 'amount', sourcePath: 'signedAmount' },
  { name: 'Booked on', key: 'booked_on', type: 'date', sourcePath: 'date' },
  { name: 'Text', key: 'text', type: 'string', sourcePath: 'description' },
  { name: 'Card bill', key: 'bill', type: 'string', sourcePath: bill },
];

const purchases = { dataset: 'card_purchases', fields: fields('cardMetadata.billId'), ofCards: true };
const accountLines = { dataset: 'account_lines', fields: fields('paymentData.referenceNumber'), ofCards: false };

const ruleSets = { bills: 'rule-set-bank-bills.json', payments: 'rule-set-bank-payments.json' };

async function connect(api, receiver, say) {
  say('\n1. Connecting to the bank. Its login asks for a token.');
  const item = await api.post('/v1/items', { connectorId: 'sandbox', parameters: { user: 'mfa', password: 'any' } });
  await receiver.arrival('The question for the token', ({ event }) => event === 'ITEM_WAITING_USER_INPUT');
  await api.post(`/v1/items/${item.id}/mfa`, { parameters: { token: '123456' } });
  await receiver.arrival('The end of the first sync', ({ event }) => event === 'ITEM_UPDATED');
  return item.id;
}

async function makeDatasets(api, itemId) {
  const { accounts } = await api.get(`${browse}/accounts`, { itemId });
  const ids = new Map();
  for (const part of [purchases, accountLines]) {
    const { id } = await api.post('/v1/datasets', { name: part.dataset });
    for (const field of part.fields) await api.post(`/v1/datasets/${id}/fields`, field);
    ids.set(part, id);
    const accountIds = accounts
      .filter(({ type }) => (type === 'CREDIT_CARD') === part.ofCards)
      .map((account) => account.id);
    await api.post(`/v1/items/${itemId}/ingest`, { dataset: part.dataset, accountIds });
  }
  return ids;
}

const countRecords = async (api, dataset, status) =>
  (await api.get('/v1/records', { dataset, limit: 1, ...(status ? { status } : {}) })).total;

/** Waits until every transaction is a normalised record. Returns the number of records of each dataset. */
async function flowed(api, itemId, signal) {
  const deadlineMs = Date.now() + processingTimeoutMs;
  for (;;) {
    const { items } = await api.get(`/v1/items/${itemId}/ingests`);
    const counts = new Map();
    let open = 0;
    for (const { dataset, transactions, pending } of items) {
      const ready = await countRecords(api, dataset, 'ready');
      counts.set(dataset, ready);
      open += pending + (transactions - ready);
    }
    if (open === 0) return counts;
    if (Date.now() > deadlineMs)
      throw new Error(`${open} transactions are not records after ${processingTimeoutMs / 1000} s`);
    await sleep(pollMs, undefined, { signal });
  }
}

const countsText = (counts) =>
  [...counts].map(([name, count]) => `${count.toLocaleString('en-US')} in ${name}`).join(', ');

async function reconcile(api, receiver, ids) {
  const ruleSetIds = {};
  for (const [name, file] of Object.entries(ruleSets)) {
    const definition = JSON.parse(fs.readFileSync(inRoot('sample', file), 'utf8'));
    const { id } = await api.post('/v1/rule-sets', {
      ...definition,
      leftDatasetId: ids.get(purchases),
      rightDatasetId: ids.get(accountLines),
    });
    ruleSetIds[name] = id;
  }
  const since = receiver.events.length;
  const { id } = await api.post('/v1/matching-jobs', { dataset: purchases.dataset });
  const isEnd = ({ event, data }) => event.startsWith('MATCHING_JOB_') && data.matchingJobId === id;
  const ended = await receiver.arrival('The end of the matching job', isEnd, since).catch(async (error) => {
    const job = await api.get(`/v1/matching-jobs/${id}`);
    throw new Error(`${error.message}. The job: ${JSON.stringify(job)}`, { cause: error });
  });
  if (ended.event !== 'MATCHING_JOB_COMPLETED')
    throw new Error(`The matching job ended as ${ended.data.status}: ${JSON.stringify(ended.data.error ?? {})}`);
  return { id, ruleSetIds };
}

/** The records of the account that a rule set has found a pair for. */
async function paired(api, job, ruleSet) {
  const found = new Set();
  for await (const match of api.scroll('/v1/matches', {
    matchingJobId: job.id,
    ruleSetId: job.ruleSetIds[ruleSet],
    decision: 'MATCH',
  }))
    found.add(match.right_record_id);
  return found;
}

/** The bills that were paid from the account, with what the purchases and the card's own line say of each. */
async function paidBills(api, job) {
  const composites = new Map();
  for await (const { id } of api.list('/v1/composite-matches', { jobId: job.id })) {
    const composite = await api.get(`/v1/composite-matches/${id}`);
    composites.set(composite.targetRecordId, composite);
  }
  // A bill of one purchase is a pair.
  const [single, received] = [await paired(api, job, 'bills'), await paired(api, job, 'payments')];
  const bills = [];
  for await (const record of api.scroll('/v1/records', { dataset: accountLines.dataset })) {
    if (!record.fields.bill) continue;
    const composite = composites.get(record.id);
    const purchaseCount = single.has(record.id) ? 1 : (composite?.members.length ?? 0);
    const decision = single.has(record.id)
      ? 'MATCH'
      : composite
        ? `${composite.status} ${composite.decision}`
        : 'nothing found';
    bills.push({ record, purchaseCount, decision, isReceived: received.has(record.id) });
  }
  return bills.sort((a, b) => (a.record.fields.booked_on < b.record.fields.booked_on ? -1 : 1));
}

function billLines(bills) {
  return tableLines(
    [
      { title: 'Paid on' },
      { title: 'From the account', maxWidth: 40 },
      { title: 'Amount', right: true },
      { title: 'Purchases', right: true },
      { title: 'Decision' },
    ],
    bills.map(
      ({
        record: {
          fields: { booked_on: day, text, amount },
        },
        purchaseCount,
        decision,
      }) => [day, text, amount.toFixed(2), String(purchaseCount), decision],
    ),
  );
}

async function refresh(api, receiver, itemId, signal) {
  const since = receiver.events.length;
  await api.patch(`/v1/items/${itemId}`, {});
  await receiver.arrival('The end of the second sync', ({ event }) => event === 'ITEM_UPDATED', since);
  return flowed(api, itemId, signal);
}

/** Resolves when nothing is on its way any more. */
async function delivered(api, webhookId, signal) {
  const total = async (status) =>
    (await api.get(`/v1/webhooks/${webhookId}/deliveries`, { limit: 1, ...(status ? { status } : {}) })).data.total;
  const deadlineMs = Date.now() + processingTimeoutMs;
  for (;;) {
    const [all, done] = [await total(), await total('delivered')];
    if (all === done) return all;
    if (Date.now() > deadlineMs) throw new Error(`${all - done} of ${all} events are not delivered`);
    await sleep(pollMs, undefined, { signal });
  }
}

/**
 * A bank feed from the login to the reconciled card bill, all through the REST interface. Fails unless every bill that
 * was paid has the purchases that make it up, and every event has come once.
 *
 * @param {{ baseUrl: string, platformKey: string, receiver:
 *   Awaited<ReturnType<import('./bank-receiver.mjs').startBankReceiver>>, secret: string, say: (line: string) => void,
 *   signal: AbortSignal }} options
 */
export async function runBankDemo({ baseUrl, platformKey, receiver, secret, say, signal }) {
  const api = await openDemoTenant({ baseUrl, platformKey, signal }, 'Bank demo');
  const webhook = await api.post('/v1/webhooks', { url: receiver.url, secret });
  const itemId = await connect(api, receiver, say);
  say('\n2. Its transactions become records of two datasets.');
  const ids = await makeDatasets(api, itemId);
  const first = await flowed(api, itemId, signal);
  say(`    ${countsText(first)}`);
  say(
    '\n3. Reconciling: which purchases make up each card bill that was paid, and which payment the card has received.',
  );
  const bills = await paidBills(api, await reconcile(api, receiver, ids));
  say('\n4. Syncing again: new transactions flow into the datasets by themselves.');
  const second = await refresh(api, receiver, itemId, signal);
  say(`    ${countsText(second)}`);
  const deliveries = await delivered(api, webhook.data.id, signal);
  say('');
  for (const line of billLines(bills)) say(line);
  const composed = bills.filter(({ decision }) => decision === 'COMPLETE MATCH' || decision === 'MATCH').length;
  const matched = bills.filter(({ isReceived }) => isReceived).length;
  say('');
  say(`  Card bills composed    ${composed} of ${bills.length}`);
  say(`  Payments matched       ${matched} of ${bills.length}`);
  say(`  Events received        ${receiver.events.length} of ${deliveries}`);
  const added = [...second].map(([name, count]) => `${count - (first.get(name) ?? 0)} in ${name}`);
  say(`  New by the second sync ${added.join(', ')}`);
  if (bills.length === 0 || composed < bills.length || matched < bills.length)
    throw new Error('Not every card bill was reconciled.');
  if (receiver.events.length !== deliveries || receiver.refused() > 0)
    throw new Error('Not every event has come, or one came without the secret.');
}
