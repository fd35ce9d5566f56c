import type { Summary } from '../../api/reconciliations';
import { ageingOf, matchedByAmount, matchedByCount } from './figures';

const totals = (count: number, amount?: number, currency = 'EUR') => ({
  count,
  ...(amount !== undefined && { amounts: [{ currency, amount }] }),
});

const side = (held: [number, number?], open: [number, number?], currency = 'EUR') => ({
  records: totals(held[0] + open[0], held[1] === undefined ? undefined : held[1] + (open[1] ?? 0), currency),
  held: totals(held[0], held[1], currency),
  open: totals(open[0], open[1], currency),
  excluded: totals(0),
  match_rate: null,
  ageing: [{ days: '0-7', ...totals(open[0], open[1]) }],
});

const summary = (left: object, right: object): Summary => ({ left, right }) as unknown as Summary;

test('the share by count and by amount is that of both sides', () => {
  const of = summary(side([3, 90], [1, 10]), side([1, -50], [3, -50]));
  expect([matchedByCount(of), matchedByAmount(of)]).toEqual([0.5, 0.7]);
  expect(ageingOf(of)).toEqual([{ days: '0-7', count: 4 }]);
});

test('without records, and without amounts that may be seen, there is no share', () => {
  expect(matchedByCount(summary(side([0], [0]), side([0], [0])))).toBeNull();
  expect(matchedByAmount(summary(side([1], [1]), side([1], [1])))).toBeNull();
});

test('several currencies have no common share', () => {
  expect(matchedByAmount(summary(side([1, 1], [1, 1]), side([1, 1], [1, 1], 'USD')))).toBeNull();
});
