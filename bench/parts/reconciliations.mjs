import { setTimeout as sleep } from 'node:timers/promises';
import { requireFrom } from '../../tools/paths.mjs';
import { arrive, createBooks, filled, seedItems } from '../books.mjs';
import { sizeText } from '../command-line.mjs';
import { createRuns, ended } from '../jobs.mjs';
import { cpuSince } from '../load/cpu.mjs';
import { alternate, median, timed } from '../measure.mjs';
import { duration, share, whole } from '../report.mjs';
import { ruleSet } from '../rule-sets.mjs';

const pollMs = 5;
/** A tiny run and all that follows it are over by then. */
const runAndRestMs = 600;
const asTime = { show: duration };

/** (j) Reconciliations: runs beside what is held, open items, matches by hand, the audit chain. */
export async function benchReconciliations(context) {
  const { quick, report } = context;
  const service = await context.service();
  const held = quick ? 100_000 : 1_000_000;
  report.announce('(j) runs');
  const empty = await createBooks(service, 'empty');
  const full = await createBooks(service, 'full');
  await seedItems(service, full, { from: 0, to: held / 2, held: true });
  const bench = { context, service, held };
  report.section(`(j) Runs and matches by hand, beside ${sizeText(held)} held items`);
  await benchTinyRuns(bench, empty);
  await benchRuns(bench, { empty, full });
  await benchByHand(bench, full);
  await benchMonth(bench, full);
  report.finish();
  report.announce('(j) open items');
  report.section(`(j) ${sizeText(held)} open items`);
  await benchOpenItems(bench);
  report.finish();
  report.section('(j) The audit chain');
  await benchAudit(bench);
  report.finish();
  await benchHolding(context);
}

/** Runs once; `seconds` from POST to completed. */
async function runOnce({ client, database }, { id }, mode = 'incremental') {
  const { value: job, seconds } = await timed(async () => {
    const { id: jobId } = await client.post(`/v1/reconciliations/${id}/runs`, { mode });
    return ended(client, jobId, pollMs);
  });
  if (job.status !== 'completed') throw new Error(`The run ended ${job.status}: ${JSON.stringify(job.error)}`);
  const { rows } = await database.query(
    `select count(*)::int as groups from match_groups where matching_job_id = $1 and status = 'held'`,
    [job.id],
  );
  return { job, seconds, groups: rows[0].groups };
}

/** The record numbers of a side, each used once. */
const numbers = { next: 20_000_000 };
const take = (count) => (numbers.next += count) - count;

async function arriveAndRun(service, books, count) {
  await arrive(service, books, { from: take(count), count });
  const run = await runOnce(service, books);
  if (run.groups !== count) throw new Error(`${run.groups} of ${count} pairs were held`);
  return run;
}

/** Seconds of all processes for what happens within some time. */
async function cpuSeconds({ processes }, work) {
  const used = cpuSince(processes());
  await work();
  await sleep(runAndRestMs);
  return used()
    .filter(({ name }) => name !== 'generator')
    .reduce((sum, { seconds }) => sum + seconds, 0);
}

async function benchTinyRuns({ context: { report, quick }, service }, books) {
  const rounds = quick ? 20 : 60;
  for (let i = 0; i < 5; i++) await arriveAndRun(service, books, 20);
  const times = [];
  let cpu = 0;
  let idle = 0;
  for (let i = 0; i < rounds; i++) {
    const { seconds } = await arriveAndRun(service, books, 20);
    times.push(seconds);
  }
  for (let i = 0; i < rounds; i++) {
    await arrive(service, books, { from: take(20), count: 20 });
    await sleep(runAndRestMs);
    cpu += await cpuSeconds(service, () => service.client.post(`/v1/reconciliations/${books.id}/runs`, {}));
    idle += await cpuSeconds(service, async () => undefined);
  }
  report.compare({ what: '20 new a side, POST to completed', measured: median(times), ...asTime, atMost: 0.1 });
  report.compare({
    what: '20 new a side, processor time of all processes',
    reference: duration(idle / rounds),
    measured: (cpu - idle) / rounds,
    ...asTime,
    atMost: 0.06,
  });
}

async function benchRuns({ context: { report, rounds }, service }, { empty, full }) {
  const run = async (books) => ({ seconds: (await arriveAndRun(service, books, 1_000)).seconds });
  await run(empty);
  await run(full);
  const figures = await alternate(Math.max(rounds, 3), { empty: () => run(empty), full: () => run(full) });
  const [one, other] = [figures.full.seconds, figures.empty.seconds];
  report.compare({
    what: '1,000 new a side, against an empty reconciliation',
    product: duration(one),
    reference: duration(other),
    measured: one / other,
    show: share,
    atMost: 1.5,
  });
  report.compare({ what: '1,000 new a side', measured: one, ...asTime, atMost: 2 });
}

/** Two left and three right records that add up, 20 requests at a time. */
async function benchByHand({ context: { report, quick }, service, held }, books) {
  const sets = quick ? 200 : 1_000;
  const from = held;
  await seedItems(service, books, { from, to: from + 3 * sets, held: false });
  const { rows } = await service.database.query(
    `select record_id::text as id, side, row_number() over (partition by side order by record_id)::int - 1 as n
       from reconciliation_items where reconciliation_id = $1 and open`,
    [books.id],
  );
  const ids = [[], []];
  for (const { id, side, n } of rows) ids[side][n] = id;
  const request = (set) => ({
    reconciliationId: books.id,
    left: [0, 1].map((i) => ({ recordId: ids[0][3 * set + i], amount: [3, 2][i] })),
    right: [0, 1, 2].map((i) => ({ recordId: ids[1][3 * set + i], amount: [2, 2, 1][i] })),
  });
  const times = [];
  let next = 0;
  const worker = async () => {
    while (next < sets) {
      const set = next++;
      const { seconds } = await timed(() => service.client.post('/v1/match-groups', request(set)));
      if (set >= sets / 10) times.push(seconds);
    }
  };
  await Promise.all(Array.from({ length: 20 }, worker));
  times.sort((a, b) => a - b);
  report.compare({
    what: '2:3 by hand, 20 at a time, p99',
    product: `median ${duration(median(times))}`,
    measured: times[Math.ceil(0.99 * times.length) - 1],
    ...asTime,
    atMost: 0.1,
  });
}

/** The open items of the last month with records, which is open: few beside what is held. */
async function benchMonth({ context: { report }, service }, { id }) {
  const times = [];
  for (let i = 0; i < 7; i++) {
    const { seconds } = await timed(() => service.client.get(`/v1/reconciliations/${id}/periods/2025-12/open-items`));
    times.push(seconds);
  }
  report.compare({ what: 'open items of an open month', measured: median(times), ...asTime, atMost: 0.2 });
}

const sorts = ['age', '-age', 'date', '-date', 'amount', '-amount'];
const filters = {
  none: {},
  'a rare word': { q: 'INV-4711' },
  'a common word': { q: 'company' },
  'the beginning of a word': { q: 'inv-12' },
  'few amounts': { amountMin: 500, amountMax: 501 },
  'many amounts': { amountMin: 500 },
  'a day': { dateFrom: '2024-06-01', dateTo: '2024-06-01' },
  'many days': { dateFrom: '2024-06-01' },
  'an age': { minAgeDays: 400 },
  'a day and an amount': { dateFrom: '2024-06-01', dateTo: '2024-06-03', amountMin: 500, amountMax: 600 },
  'a word and an amount': { q: 'company', amountMin: 500, amountMax: 501 },
  'an assignee': { assignee: 'ana' },
  'a reason': { reasonCode: 'timing' },
  snoozed: { snoozed: true },
  'not snoozed': { snoozed: false },
  excluded: { excluded: true },
  suggested: { suggested: true },
  'not suggested': { suggested: false },
};

async function benchOpenItems({ context: { report }, service, held }) {
  const { client } = service;
  const books = await createBooks(service, 'open');
  await seedItems(service, books, { from: 0, to: held / 2, held: false });
  const at = `/v1/reconciliations/${books.id}`;
  const { items } = await client.get(`${at}/open-items`, { side: 'left', limit: 10, totals: false });
  const ids = items.map((item) => item.record_id);
  const set = { assignee: 'ana', reasonCode: 'timing', snoozedUntil: '2999-01-01' };
  await client.post(`${at}/open-items/annotate`, { recordIds: ids.slice(0, 8), set });
  await client.patch(`${at}/open-items/${ids[9]}`, { excluded: { reasonCode: 'other' } });

  const slowest = async (totals) => {
    let worst = { seconds: 0, what: '' };
    for (const [name, filter] of Object.entries(filters)) {
      for (const side of ['left', undefined]) {
        for (const sort of sorts) {
          const query = { ...filter, side, sort, totals };
          const times = [];
          for (let i = 0; i < 3; i++) times.push((await timed(() => client.get(`${at}/open-items`, query))).seconds);
          const seconds = median(times);
          if (seconds > worst.seconds) worst = { seconds, what: `${name}, ${side ?? 'both sides'}, by ${sort}` };
        }
      }
    }
    return worst;
  };
  for (const totals of [false, true]) {
    const { seconds, what } = await slowest(totals);
    report.compare({
      what: `the slowest first page of open items${totals ? ', with totals' : ''}`,
      product: what,
      measured: seconds,
      ...asTime,
      atMost: 0.2,
    });
  }
  const middle = async (work) => {
    const times = [];
    for (let i = 0; i < 7; i++) times.push((await timed(() => work(i))).seconds);
    return median(times);
  };
  report.compare({
    what: 'candidates of an item',
    measured: await middle((i) => client.get(`${at}/open-items/${ids[i]}/candidates`)),
    ...asTime,
    atMost: 0.5,
  });
  report.compare({
    what: 'summary',
    measured: await middle(() => client.get(`${at}/summary`)),
    ...asTime,
    atMost: 0.3,
  });
}

async function benchAudit({ context: { report, rounds }, service }) {
  const entries = 100_000;
  const tenant = await service.newTenant('Audited');
  await seedAudit(service, tenant.id, entries);
  const times = [];
  for (let i = 0; i < rounds; i++) {
    const { value, seconds } = await timed(() => tenant.client.get('/v1/audit/verify'));
    if (value.valid !== true) throw new Error(`The chain is not whole: ${JSON.stringify(value)}`);
    times.push(seconds);
  }
  report.compare({
    what: `${whole(entries)} audit entries verified`,
    measured: median(times),
    ...asTime,
    atMost: 2,
  });
}

/** Appends entries as the product does, a thousand in a statement. */
async function seedAudit({ database }, tenantId, count) {
  const { appendParameters, appendSql } = requireFrom('packages/domain')('./dist/audit/chain.js');
  const origin = { actor: { type: 'key', id: tenantId, label: 'Ana' }, requestId: null };
  const after = { origin: 'manual', left: [{ record_id: tenantId, amount: '120.0000' }], right: [], difference: '0' };
  const done = { action: 'match_group.hold', object: { type: 'match_group', id: tenantId }, after };
  const { rows } = await database.query('select count(*)::int as n from audit_entries where tenant_id = $1', [
    tenantId,
  ]);
  for (let seq = rows[0].n; seq < count; seq += 1_000) {
    await database.query(
      `select ${appendSql} from generate_series(1, ${Math.min(1_000, count - seq)})`,
      appendParameters({ tenantId, origin }, done),
    );
  }
}

/** A run that holds all it finds, against a job of the same rule set. */
async function benchHolding(context) {
  const { report, quick } = context;
  const size = quick ? 100_000 : Math.max(...context.sizes);
  const service = await context.service();
  const { client, database } = service;
  const loaded = await context.loaded(size);
  report.announce(`(j) holding, ${sizeText(size)} a side`);
  const definition = { ...ruleSet, params: { ...ruleSet.params, assignment: 'one_to_one' } };
  const jobs = await createRuns(service, loaded, { name: 'not held', definition, pollMs: 100 });
  await jobs.run();
  const { left, right } = loaded;
  const { id: ruleSetId } = await client.post('/v1/rule-sets', {
    name: `held ${size}`,
    leftDatasetId: left.datasetId,
    rightDatasetId: right.datasetId,
    ...definition,
  });
  const { id } = await client.post('/v1/reconciliations', {
    name: `holding ${size}`,
    leftDatasetIds: [left.datasetId],
    rightDatasetIds: [right.datasetId],
    ruleSetIds: [ruleSetId],
  });
  await filled(client, id);
  await database.query('vacuum analyze reconciliation_items');
  const { seconds: reference } = await jobs.run();
  const { groups, seconds } = await runOnce(service, { id }, 'full');
  report.section(`(j) A full run that holds ${whole(groups)} groups, ${sizeText(size)} a side`);
  report.compare({
    what: 'POST to completed, against a job of the same rule set',
    product: duration(seconds),
    reference: duration(reference),
    measured: seconds / reference,
    show: share,
    ...(quick ? {} : { atMost: 1.25 }),
  });
  report.finish();
}
