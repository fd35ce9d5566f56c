import { openBooks, startTestApi, type TestApi } from '../../../testing';
import { openReconciliation } from '../../../testing/open-books';
import { runOf, tiedBy } from '../../../testing/runs';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

const params = { Tmatch: 1, Tpossible: 0.1 };
/** Scores that grow with the number of the right record. */
const closer = '(right.n + 1) / 1000';

test.each<[string, object, number]>([
  ['20 by default', {}, 20],
  ['as many as the rule set says', { maxPossiblePerRecord: 3 }, 3],
])('the best POSSIBLE pairs of each left record are kept: %s', async (_name, given, max) => {
  const rights = Array.from({ length: 30 }, (_, i) => ({ n: 500 + ((i * 7) % 30) }));
  const books = await openBooks(api, [{ n: 1 }, { n: 2 }], rights);
  await books.ruleSet({ jsonataExpr: closer, params: { ...params, ...given } });
  const job = await books.reconcile();
  expect(job).toMatchObject({
    pairs_processed: 60,
    decision_counts: { MATCH: 0, POSSIBLE: 2 * max, NO_MATCH: 60 - 2 * max },
    possible_cut: 60 - 2 * max,
    rule_sets: [{ possible_cut: 60 - 2 * max }],
  });
  const kept = Object.values(await books.matches());
  expect(kept).toHaveLength(2 * max);
  const min = Math.min(...kept.map(({ score }) => score));
  expect(min).toBeCloseTo((530 - max + 1) / 1000, 6);
  const sum = kept.reduce((total, { score }) => total + score, 0);
  expect(job['average_score']).toBeCloseTo(sum / kept.length, 4);
});

test('so are those of each right record, after the left ones; MATCH pairs stay', async () => {
  const lefts = Array.from({ length: 12 }, (_, n) => ({ n }));
  const books = await openBooks(api, lefts, [{ n: 0 }, { n: 1 }]);
  await books.ruleSet({
    jsonataExpr: 'left.n < 4 ? 1 : (left.n + 1) / 100 + right.n / 1000',
    params: { Tmatch: 1, Tpossible: 0, maxPossiblePerRecord: 3 },
  });
  const job = await books.reconcile();
  expect(job).toMatchObject({ decision_counts: { MATCH: 8, POSSIBLE: 6, NO_MATCH: 10 }, possible_cut: 10 });
  const possible = Object.entries(await books.matches()).filter(([, { decision }]) => decision === 'POSSIBLE');
  expect(possible.map(([pair]) => pair).sort()).toEqual(['l10|r0', 'l10|r1', 'l11|r0', 'l11|r1', 'l9|r0', 'l9|r1']);
});

test.each<[string, number, number, 'left' | 'right']>([
  ['of each left record, and right ones lose all', 1, 30, 'right'],
  ['of each right record, and left ones lose all', 30, 1, 'left'],
  ['of many records on both sides', 6, 40, 'right'],
])('a record all of whose pairs are cut is possible only: %s', async (_name, lefts, rights, side) => {
  const numbered = (length: number): object[] => Array.from({ length }, (_, n) => ({ n }));
  const books = await openBooks(api, numbered(lefts), numbered(rights));
  await books.ruleSet({ jsonataExpr: '(left.n + right.n + 1) / 1000', params: { Tmatch: 1, Tpossible: 0 } });
  const { id } = await books.reconcile();
  const { items } = await books.unmatched(id, `side=${side}&limit=100`);
  const reasons = items.map(({ reason }) => reason);
  expect(reasons).toEqual(reasons.map(() => 'possible_only'));
  expect(reasons).toHaveLength(side === 'left' ? lefts : rights);
});

test('pairs that lose a one-to-one assignment are within the maximum too', async () => {
  const numbered = Array.from({ length: 12 }, (_, n) => ({ n }));
  const books = await openBooks(api, numbered, numbered);
  const bounds = { assignment: 'one_to_one', maxPossiblePerRecord: 2 };
  await books.ruleSet({ jsonataExpr: 'left.n + right.n >= 0', params: { Tmatch: 1, Tpossible: 1, ...bounds } });
  const job = await books.reconcile();
  const possible = Object.keys(await books.matches());
  const counts = new Map<string, number>();
  for (const record of possible.flatMap((pair) => pair.split('|'))) counts.set(record, (counts.get(record) ?? 0) + 1);
  expect(Math.max(...counts.values())).toBe(2);
  const cut = 144 - possible.length;
  expect(job).toMatchObject({
    decision_counts: { MATCH: 0, POSSIBLE: possible.length, NO_MATCH: cut },
    possible_cut: cut,
  });
});

test('several composing passes compose what is left, and keep within their maximum of POSSIBLE pairs', async () => {
  const parts = (ref: string, ...amounts: number[]) => amounts.map((amount) => ({ ref, amount, date: '2026-03-10' }));
  const own = await openReconciliation(api, {
    lefts: [...parts('a', 30), ...parts('b', 70), ...parts('c', 500)],
    rights: [...parts('a', 10, 20), ...parts('b', 30, 40), ...parts('n', 1, 2, 3, 4, 5, 6)],
  });
  const composing = (filters: string[]) =>
    own.ruleSet({
      engine: 'jsonata-batch',
      jsonataExpr: undefined,
      params: {
        Tmatch: 0.9,
        Tpossible: 0.5,
        maxPossiblePerRecord: 2,
        assignment: 'one_to_one',
        filters,
        matchers: [{ expr: '0.5' }],
        composition: { enabled: true, matchKeys: [{ left: 'ref', right: 'ref' }] },
      },
    });
  const passes = [await composing(['left.ref = "a"']), await composing([])];
  await own.tenant.api.patch(`/v1/reconciliations/${own.id}`, { ruleSetIds: passes.map(({ id }) => id) }).expect(200);
  const job = await runOf(api, own);
  expect(await tiedBy(own)).toEqual(['l0 r0 r1', 'l1 r2 r3']);
  const { body } = await own.tenant.api.get(`/v1/matches?matchingJobId=${job.id}&limit=100`).expect(200);
  const kept = (body as { items: { rule_set_id: string; left_record_id: string }[] }).items;
  const perRecord = new Map<string, number>();
  for (const { rule_set_id, left_record_id } of kept) {
    const key = `${rule_set_id} ${left_record_id}`;
    perRecord.set(key, (perRecord.get(key) ?? 0) + 1);
  }
  expect(Math.max(0, ...perRecord.values())).toBeLessThanOrEqual(2);
  for (const [at, entry] of job.rule_sets.entries()) {
    const { MATCH = 0, POSSIBLE = 0, NO_MATCH = 0 } = entry.decision_counts;
    expect(POSSIBLE).toBe(kept.filter(({ rule_set_id }) => rule_set_id === passes[at]?.id).length);
    expect({ MATCH, all: POSSIBLE + NO_MATCH }).toEqual({ MATCH: 0, all: entry['pairs_total'] });
    expect(entry.decision_counts['COMPOSITE_MATCH']).toBe(1);
  }
});

test('a maximum out of its range is refused by its name', async () => {
  const books = await openBooks(api, [], []);
  for (const maxPossiblePerRecord of [0, 101]) {
    const ruleSet = { jsonataExpr: 'true', params: { ...params, maxPossiblePerRecord } };
    const { body } = await books.tenant.api
      .post('/v1/rule-sets/preview', { ruleSet, pairs: [{ left: {}, right: {} }] })
      .expect(400);
    const paths = (body as { errors: { path: string }[] }).errors.map(({ path }) => path);
    expect(paths).toEqual(['/ruleSet/params/maxPossiblePerRecord']);
  }
});
