import { domainMetrics, gaugeBacklog, sweepProofs } from '@tieout/domain';
import { createLogger, createMetricRegistry, type MetricRegistry } from '@tieout/infra';
import { alone, startTestApi, type TestApi } from '../../../testing';
import { openReconciliation, type ReconciledBooks } from '../../../testing/open-books';
import { runOf, runWith, startRunOf } from '../../../testing/runs';

let api: TestApi;
let own: ReconciledBooks;
let registry: MetricRegistry;

/** Reads a series; undefined for one that is not served. */
async function read(series: string): Promise<number | undefined> {
  const [name, labels = ''] = series.split('{');
  const lines = (await registry.text()).split('\n').filter((line) => line.startsWith(`${name}{`));
  const found = lines.find((line) => line.includes(labels.replace('}', '')));
  return found === undefined ? undefined : Number(found.split(' ').at(-1));
}

const patch = (body: object) => own.tenant.api.patch(`/v1/reconciliations/${own.id}`, body).expect(200);
const state = (side: string, amount: number) =>
  own.tenant.api.post(`/v1/reconciliations/${own.id}/balances`, { side, date: '2026-03-31', amount }).expect(201);

/** Looks at the proofs as if an hour had gone by. */
async function prove(): Promise<number | undefined> {
  const { deps } = api.service;
  await deps.db.system.execute(`update reconciliations set proved_at = now() - interval '2 h'`);
  await sweepProofs(deps);
  return read('tieout_reconciliations_unexplained');
}

beforeAll(async () => {
  api = await startTestApi(alone);
  const logger = createLogger('test', 'silent');
  registry = createMetricRegistry({ app: 'test', metrics: [domainMetrics], logger });
  gaugeBacklog(registry, api.service.deps.db);
  own = await openReconciliation(api, {
    lefts: [
      { ref: 'a', amount: 10, date: '2026-03-10' },
      { ref: 'b', amount: 20, date: '2026-03-11' },
    ],
    rights: [{ ref: 'a', amount: 10, date: '2026-03-10' }],
  });
});

afterAll(() => api.close());

test('open items and the age of the oldest one follow what runs hold, without archived reconciliations', async () => {
  const days = (date: string): number => Math.floor((Date.now() - Date.parse(date)) / 86_400_000);
  const oldest = async (): Promise<number> =>
    Math.floor(((await read('tieout_open_items_oldest_seconds')) ?? 0) / 86_400);
  expect([await read('tieout_open_items'), await oldest()]).toEqual([3, days('2026-03-10')]);
  await runOf(api, own);
  expect([await read('tieout_open_items'), await oldest()]).toEqual([1, days('2026-03-11')]);
  await patch({ archived: true });
  expect([await read('tieout_open_items'), await oldest()]).toEqual([0, 0]);
  await patch({ archived: false });
});

test('runs are counted by how they end, with the time that completed ones take', async () => {
  const completed = 'tieout_reconciliation_runs_ended_total{status="completed",trigger="manual"}';
  const taken = 'tieout_reconciliation_run_duration_seconds_count{mode="incremental"}';
  const [runs = 0, times = 0] = [await read(completed), await read(taken)];
  await runWith(api, own, {});
  expect([await read(completed), await read(taken)]).toEqual([runs + 1, times + 1]);
  const cancelled = 'tieout_reconciliation_runs_ended_total{status="cancelled",trigger="manual"}';
  const before = (await read(cancelled)) ?? 0;
  const { id } = await startRunOf(own);
  await api.service.deps.db.system.execute(`update matching_jobs set status = 'running' where id = $1::uuid`, [id]);
  await own.tenant.api.post(`/v1/matching-jobs/${id}/cancel`).expect(200);
  expect([await read(cancelled), await read(completed)]).toEqual([before + 1, runs + 1]);
});

test('a schedule that is due shows for how long, unless nobody works on it', async () => {
  const due = 'tieout_reconciliations_longest_due_seconds';
  expect(await read(due)).toBe(0);
  const { system } = api.service.deps.db;
  await system.execute(`update reconciliations set next_run_at = now() - interval '10 min'`);
  expect(await read(due)).toBeGreaterThan(599);
  await patch({ archived: true });
  expect(await read(due)).toBe(0);
  await patch({ archived: false });
  await system.execute(`update reconciliations set next_run_at = null`);
});

test('a difference that nothing explains is counted until the balances fit', async () => {
  expect(await prove()).toBe(0);
  await state('left', 1_030);
  expect(await prove()).toBe(0);
  await state('right', 1_011);
  expect(await prove()).toBe(1);
  await patch({ archived: true });
  expect(await read('tieout_reconciliations_unexplained')).toBe(0);
  await patch({ archived: false });
  await state('right', 1_010);
  expect(await read('tieout_reconciliations_unexplained')).toBe(1);
  expect(await prove()).toBe(0);
});
