import fc from 'fast-check';
import { compileExpression } from '../expression/compile';
import { comparisonsOf, expressionOf } from './comparisons';
import type { Comparison, FieldKind, FieldPair } from './types';

const text = { slots: [], hasCodes: false, hasInitials: true, frequent: ['red', 'blue'], wordWeights: '' };

function comparisonOf(kind: FieldKind, words: number): Comparison {
  const field = { path: 'value', isKey: true, kind, fill: 1, distinct: 1, words, isPlain: true };
  const pair: FieldPair = { left: field, right: field, kind, overlap: 1 };
  return comparisonsOf(pair, { text, amount: null, date: null })[0] as Comparison;
}

const amounts = comparisonOf('number', 1);
const evaluated = (source: string, left: unknown, right: unknown): unknown =>
  compileExpression(source).evaluate({ left: { value: left }, right: { value: right } });

test('of neighbouring levels with one value only the widest is written', () => {
  const values = [0.5, 1, 0.8, 0.8, 0.8, 0.3, 0.3, 0, 0, 0, 0];
  expect(expressionOf(amounts, values)).toBe(
    '($a := left.value; $b := right.value; $d := $abs($a - $b) / $max([$abs($a), $abs($b), 0.000001]); ' +
      '$not($exists($a) and $exists($b)) ? 0.5 : $a = $b ? 1 : $d <= 0.1 ? 0.8 : $d <= 0.3 ? 0.3 : 0)',
  );
});

test('levels of days tell earlier from later ones', () => {
  const field = { path: 'day', isKey: false, kind: 'date' as const, fill: 1, distinct: 1, words: 1, isPlain: true };
  const pair: FieldPair = { left: field, right: field, kind: 'date', overlap: 1 };
  const found = { kind: 'date' as const, pair, from: -6, to: 1, share: 1, ofPartners: 1 };
  const [comparison] = comparisonsOf(pair, { text, amount: null, date: found });
  expect(comparison?.levels.slice(1, -1).map(({ label }) => label)).toEqual([
    '5 to 6 days earlier',
    '4 days earlier',
    '3 days earlier',
    '2 days earlier',
    '1 day earlier',
    '0 days later',
    '1 day later',
  ]);
});

test('the name of a comparison of words says that it looks for the same one', () => {
  const field = { path: 'payee', isKey: true, kind: 'text' as const, fill: 1, distinct: 1, words: 2, isPlain: true };
  const pair: FieldPair = { left: field, right: { ...field, path: 'memo' }, kind: 'text', overlap: 1 };
  const slots = [
    { words: ['Ltd', 'Inc'], prefix: 2 },
    { words: ['Glass', 'Energy', 'Steel', 'Foods'], prefix: 2 },
  ];
  const found = comparisonsOf(pair, { text: { ...text, slots }, amount: null, date: null });
  expect(found.slice(1).map(({ name }) => name)).toEqual([
    'payee and memo: the same word of Ltd, Inc',
    'payee and memo: the same word of Glass, Energy, Steel …',
  ]);
});

const word = fc.constantFrom('red', 'blue', 'r', 'reddish', 'red pump', 'red pumps', 'pump red', 'north pump 12', '');
const amount = fc.constantFrom(0, 1, 1.01, 1.2, 5, -5, 100, undefined);
const day = fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-09', '2026-02-09', '2028-01-01', undefined);

test.each<[FieldKind, number, fc.Arbitrary<string | number | undefined>]>([
  ['number', 1, amount],
  ['date', 1, day],
  ['code', 1, word],
  ['text', 2, word],
  ['text', 6, word],
])('levels of a %s of %d words with one value give what each of them gives', (kind, words, value) => {
  const comparison = comparisonOf(kind, words);
  const { length } = comparison.levels;
  const { evaluate: levelOf } = compileExpression(
    expressionOf(
      comparison,
      Array.from({ length }, (_, level) => level),
    ),
  );
  const values = fc.array(fc.constantFrom(0, 0.5, 1), { minLength: length, maxLength: length });
  fc.assert(
    fc.property(values, value, value, (given, left, right) => {
      const level = levelOf({ left: { value: left }, right: { value: right } }) as number;
      expect(evaluated(expressionOf(comparison, given), left, right)).toBe(given[level]);
    }),
    { numRuns: 300 },
  );
});
