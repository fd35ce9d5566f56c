import { setTimeout as sleep } from 'node:timers/promises';
import { tableLines } from '../../tools/table.mjs';
import { months, opening, passes } from './months-data.mjs';
import { openDemoTenant } from './tenant.mjs';

const pollMs = 100;
const waitMs = 60_000;
const names = ['bank', 'invoices', 'bills'];
const money = (amount) => Number(amount).toFixed(2);
const sumOf = (rows) => rows.reduce((cents, [, , amount]) => cents + Math.round(Number(amount) * 100), 0) / 100;

/** Asks again until the answer is as wanted. */
async function until(signal, what, ask) {
  const deadlineMs = Date.now() + waitMs;
  for (;;) {
    if (await ask()) return;
    if (Date.now() > deadlineMs) throw new Error(`${what} after ${waitMs / 1000} s`);
    await sleep(pollMs, undefined, { signal });
  }
}

async function openBooks(api) {
  const ids = {};
  for (const name of names) ids[name] = (await api.post('/v1/datasets', { name })).id;
  const ruleSetIds = [];
  for (const {
    name,
    datasets: [left, right],
    jsonataExpr,
    ...params
  } of passes) {
    const body = {
      name,
      leftDatasetId: ids[left],
      rightDatasetId: ids[right],
      jsonataExpr,
      params: { Tmatch: 1, Tpossible: 0.5, assignment: 'one_to_one', ...params },
    };
    ruleSetIds.push((await api.post('/v1/rule-sets', body)).id);
  }
  const { id } = await api.post('/v1/reconciliations', {
    name: 'Bank account',
    leftDatasetIds: [ids.bank],
    rightDatasetIds: [ids.invoices, ids.bills],
    ruleSetIds,
  });
  return id;
}

/** A reconciliation, with what the demo knows of its records. */
function bookkeeping({ api, id, signal }) {
  const at = `/v1/reconciliations/${id}`;
  const texts = new Map();

  async function arrive(portion) {
    for (const name of names) {
      const rows = portion[name] ?? [];
      if (rows.length === 0) continue;
      const lines = rows.map(([number, date, amount, text]) => ({
        externalId: number,
        body: { number, date, amount, text },
      }));
      for (const [number, , , text] of rows) texts.set(number, text);
      await api.post('/v1/records/bulk', lines, { params: { dataset: name } });
    }
    await until(
      signal,
      'Records are still being processed',
      async () => (await api.get('/v1/records', { status: 'received', limit: 1 })).total === 0,
    );
  }

  /** Runs the passes. Returns the groups that the run has held. */
  async function run() {
    let job = await api.post(`${at}/runs`, {});
    await until(signal, 'The run has not ended', async () => {
      job = await api.get(`/v1/matching-jobs/${job.id}`);
      return !['queued', 'running'].includes(job.status);
    });
    if (job.status !== 'completed') throw new Error(`The run ended as ${job.status}: ${JSON.stringify(job.error)}`);
    const groups = [];
    for await (const group of api.scroll('/v1/match-groups', { reconciliationId: id, jobId: job.id, sort: 'heldAt' }))
      groups.push(group);
    return { job, groups };
  }

  async function recordsOf(numbers) {
    const ids = [];
    for (const externalId of numbers) ids.push((await api.get('/v1/records', { externalId, limit: 1 })).items[0].id);
    return ids;
  }

  return { api, id, at, texts, arrive, run, recordsOf };
}

const side = (members) => members.map(({ external_id: number, amount }) => `${number} ${money(amount)}`).join(' + ');
const equation = ({ left, right }) => [side(left), side(right)].filter((text) => text !== '').join(' = ');

async function confirm({ api, recordsOf }, { invoice, why }, job) {
  const [target] = await recordsOf([invoice]);
  for await (const { id } of api.list('/v1/composite-matches', { jobId: job.id })) {
    const composite = await api.get(`/v1/composite-matches/${id}`);
    if (composite.targetRecordId !== target) continue;
    await api.post(`/v1/composite-matches/${id}/review`, { action: 'confirm', note: why });
    return `${invoice}: ${why}`;
  }
  throw new Error(`The run has not proposed anything for ${invoice}`);
}

async function tie({ api, id, recordsOf }, { left, right, adjustment, why }) {
  const group = await api.post('/v1/match-groups', {
    reconciliationId: id,
    left: await recordsOf(left),
    right: await recordsOf(right),
    adjustments: [adjustment],
    note: why,
  });
  return `${equation(group)}, ${adjustment.reasonCode} ${money(adjustment.amount)}: ${why}`;
}

function openLines(items, texts) {
  const rows = items.map((item) => [
    item.side === 'left' ? 'bank' : 'books',
    item.external_id,
    item.date,
    String(item.age_days),
    texts.get(item.external_id),
    money(item.remaining_amount),
  ]);
  const columns = [
    { title: 'Open' },
    { title: 'Item' },
    { title: 'Date' },
    { title: 'Days', right: true },
    { title: 'Text' },
    { title: 'Amount', right: true },
  ];
  return rows.length === 0 ? ['  Nothing is open.'] : tableLines(columns, rows);
}

function proofLines({ balances, open, held, excluded, stale, unexplained }) {
  const row = (name, left, right) => [name, money(left), money(right), money(left - right)];
  const rows = [
    row('Balance', balances.left.amount, balances.right.amount),
    row('Open items', open.left, open.right),
    row('Held groups', held.left, held.right),
    row('Excluded items', excluded.left, excluded.right),
    row('Changed since', stale.left, stale.right),
    ['Unexplained', '', '', money(unexplained)],
  ];
  const amounts = ['Bank', 'Books', 'Difference'].map((title) => ({ title, right: true }));
  return tableLines([{ title: 'Proof' }, ...amounts], rows);
}

/** The balances that the bank and the books state at the end of a month. */
async function stateBalances({ api, at }, { day, bank, books }) {
  await api.post(`${at}/balances`, { side: 'left', date: day, amount: money(bank) });
  await api.post(`${at}/balances`, { side: 'right', date: day, amount: money(books) });
}

const lastDays = { '2026-01': '2026-01-31', '2026-02': '2026-02-28', '2026-03': '2026-03-31' };

/**
 * Three months of a company, all through the REST interface: they arrive in portions, are matched on arrival, by hand
 * and by proposals, and each is proved and closed. Fails unless every difference is explained.
 *
 * @param {{ baseUrl: string, platformKey: string, say: (line: string) => void, signal: AbortSignal }} options
 */
export async function runMonthsDemo({ baseUrl, platformKey, say, signal }) {
  const api = await openDemoTenant({ baseUrl, platformKey, signal }, 'Months demo');
  const books = bookkeeping({ api, id: await openBooks(api), signal });
  const all = { bank: new Map(), books: new Map() };
  let unexplained = 0;
  for (const { month, portions, confirm: proposals = [], tie: ties = [] } of months) {
    say(`\n${month}`);
    let job;
    for (const portion of portions) {
      await books.arrive(portion);
      const done = await books.run();
      job = done.job;
      for (const name of names)
        for (const row of portion[name] ?? []) all[name === 'bank' ? 'bank' : 'books'].set(row[0], row);
      say(`  ${portionText(portion)} → ${done.groups.map(equation).join(', ') || 'nothing to tie'}`);
    }
    for (const proposal of proposals) say(`  Confirmed ${await confirm(books, proposal, job)}`);
    for (const group of ties) say(`  By hand ${await tie(books, group)}`);
    const day = lastDays[month];
    await stateBalances(books, {
      day,
      bank: opening + sumOf([...all.bank.values()]),
      books: opening + sumOf([...all.books.values()]),
    });
    const { certificate } = await api.post(`${books.at}/periods/${month}/close`, {});
    const report = await api.get(`${books.at}/report`, { period: month, format: 'json' });
    say(`  Closed, certificate ${certificate.digest.length * 4} bits\n`);
    for (const line of openLines(report.open_items, books.texts)) say(line);
    say('');
    for (const line of proofLines(report.summary.proof[0])) say(line);
    unexplained += Math.abs(report.summary.proof[0].unexplained);
  }
  if (unexplained !== 0) throw new Error('A difference is not explained.');
}

const portionText = (portion) =>
  portion.correction
    ? `${portion.invoices[0][0]} is corrected`
    : names
        .filter((name) => portion[name])
        .map((name) => `${portion[name].length} ${name === 'bank' ? 'bank lines' : name}`)
        .join(', ');
