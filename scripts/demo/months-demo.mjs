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

  async function release({ release: number, why: note }) {
    const [recordId] = await recordsOf([number]);
    const { items } = await api.get('/v1/match-groups', { reconciliationId: id, recordId, status: 'held' });
    await api.post(`/v1/match-groups/${items[0].id}/release`, { reasonCode: 'other', note });
  }

  return { api, id, at, texts, arrive, run, recordsOf, release };
}

const side = (members) => members.map(({ external_id: number, amount }) => `${number} ${money(amount)}`).join(' + ');
const inOrder = (a, b) => a.localeCompare(b, 'en', { numeric: true });
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

/** The rows that have come so far, by number: one that comes again takes the place of the first. */
function ledger() {
  const rows = { bank: new Map(), books: new Map() };
  return {
    add: (portion) => {
      for (const name of names)
        for (const row of portion[name] ?? []) rows[name === 'bank' ? 'bank' : 'books'].set(row[0], row);
    },
    balance: (of) => opening + sumOf([...rows[of].values()]),
  };
}

/** Closes a month. Returns what stays unexplained. */
async function close({ api, at, texts }, { month, unexplainedBecause }, say) {
  await api.post(`${at}/periods/${month}/close`, unexplainedBecause ? { note: unexplainedBecause } : {});
  const { open_items: items, summary } = await api.get(`${at}/report`, { period: month, format: 'json' });
  const [proof] = summary.proof;
  say('');
  for (const line of openLines(items, texts)) say(line);
  say('');
  for (const line of proofLines(proof)) say(line);
  if (unexplainedBecause) say(`  Closed with a note: ${unexplainedBecause}`);
  return proof.unexplained;
}

/**
 * Three months of a company, all through the REST interface: they arrive in portions, are matched by runs, by proposals
 * and by hand, and each is proved and closed. Fails unless each difference is explained, or was meant not to be.
 *
 * @param {{ baseUrl: string, platformKey: string, say: (line: string) => void, signal: AbortSignal }} options
 */
export async function runMonthsDemo({ baseUrl, platformKey, say, signal }) {
  const api = await openDemoTenant({ baseUrl, platformKey, signal }, 'Months demo');
  const books = bookkeeping({ api, id: await openBooks(api), signal });
  const { add, balance } = ledger();
  for (const month of months) {
    say(`\n${month.month}`);
    let job;
    for (const portion of month.portions) {
      await (portion.release ? books.release(portion) : books.arrive(portion));
      add(portion);
      const done = await books.run();
      job = done.job;
      say(`  ${portionText(portion)}: ${done.groups.map(equation).sort(inOrder).join(', ') || 'nothing ties'}`);
    }
    for (const proposal of month.confirm ?? []) say(`  Confirmed: ${await confirm(books, proposal, job)}`);
    for (const group of month.tie ?? []) say(`  By hand: ${await tie(books, group)}`);
    const bank = balance('bank') + Number(month.unseen ?? 0);
    await stateBalances(books, { day: month.lastDay, bank, books: balance('books') });
    const unexplained = await close(books, month, say);
    if (unexplained !== Number(month.unseen ?? 0)) throw new Error(`${month.month} leaves ${unexplained} unexplained.`);
  }
}

const kinds = { bank: 'bank line', invoices: 'invoice', bills: 'bill' };

function portionText({ release, why, correction, ...portion }) {
  if (release) return `${release} released, because ${why}`;
  if (correction) return `${portion.invoices[0][0]} corrected to ${portion.invoices[0][2]}`;
  return names
    .filter((name) => portion[name])
    .map((name) => `${portion[name].length} ${kinds[name]}${portion[name].length === 1 ? '' : 's'}`)
    .join(', ');
}
