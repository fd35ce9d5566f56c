import fc from 'fast-check';
import { Dictionary } from './codes';
import { ValueColumn, maxColumnNumber } from './stored-columns';
import { RowStore } from './row-store';
import { maxTextLength, isLarge } from './deferred';
import type { Deferred } from './deferred';
import type { PairColumn } from '../plan/nodes';
import type { JsonObject } from '../../values/types';

test.each([
  ['numbers', [1, -2.5, 0], 'n'],
  ['numbers and nothing', [1, undefined, 2], 'o'],
  ['nothing alone', [undefined], 'o'],
  ['texts', ['a', ''], 't'],
  ['texts and nothing', ['a', undefined], 'v'],
  ['nothing and texts', [undefined, 'a'], 'v'],
  ['numbers that may overflow', [1, maxColumnNumber * 2], 'v'],
  ['numbers that are none', [NaN], 'v'],
  ['anything', [1, 'a', null, [1], { a: 1 }], 'v'],
])('%s make a column of one kind', (_name, values, kind) => {
  const column = new ValueColumn();
  for (const [row, value] of values.entries()) column.add(row, value);
  expect(column.kind).toBe(kind);
});

const anyValue = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, true, '', 'x', 0, -0, NaN, Infinity, 1e300),
  fc.double(),
  fc.string(),
  fc.array(fc.integer()),
);
const similar = fc.oneof(
  fc.array(fc.option(fc.double(), { nil: undefined }), { maxLength: 3_000 }),
  fc.array(fc.string()),
  fc.array(anyValue),
);

test('a column gives back what was added, also after it was cleared', () => {
  fc.assert(
    fc.property(similar, similar, (first, second) => {
      const column = new ValueColumn();
      for (const values of [first, second]) {
        column.clear();
        for (const [row, value] of values.entries()) column.add(row, value);
        expect(values.map((_, row) => column.valueAt(row))).toEqual(values);
      }
    }),
    { numRuns: 200 },
  );
});

function storeOf(read: PairColumn['read'], isField: boolean): RowStore {
  return new RowStore(
    'left',
    [{ side: 'left', index: 0, read, isField, isConstant: false, field: null, dictionary: null }],
    [],
  );
}

/** Creates a store of texts that repeat `a`, and counts the texts that were made. */
function storeOfTexts(times: number, texts: readonly string[]): { valueAt(row: number): unknown; made(): number } {
  let made = 0;
  const store = storeOf(({ left }) => {
    made++;
    return String(left?.['a']).repeat(times);
  }, false);
  for (const a of texts) store.add({ a }, NaN, 0);
  const held = store.columns[0];
  return { valueAt: (row) => (held?.valueAt(row) as Deferred).settle(), made: () => made };
}

test('only the latest of the large values that expressions made is kept; others are made again', () => {
  const { valueAt, made } = storeOfTexts(maxTextLength + 1, ['x', 'y']);
  const rows = [0, 0, 0, 1, 1, 0];
  expect(rows.map(valueAt)).toEqual(rows.map((row) => 'xy'.charAt(row).repeat(maxTextLength + 1)));
  expect(made()).toBe(2 + 3);
});

test('a value that could fill the memory beside others is made for each pair', () => {
  const { valueAt, made } = storeOfTexts(16 << 20, ['x']);
  for (const row of [0, 0]) expect((valueAt(row) as string).length).toBe(16 << 20);
  expect(made()).toBe(1 + 2);
});

test.each([
  ['what an expression made counts', false, 2 * (32 + 2 * 4)],
  ['a field, which is no more than the record, counts nothing', true, 0],
])('%s for what the rows hold, until they are cleared', (_name, isField, bytes) => {
  const store = storeOf(({ left }) => left?.['a'], isField);
  for (const a of ['text', 'more']) store.add({ a }, NaN, 0);
  store.takePending();
  expect(store.heldBytes).toBe(bytes);
  store.clear();
  expect(store.heldBytes).toBe(0);
});

test.each<[string, 'left' | 'right', JsonObject[string][], number]>([
  ['a text of the left side, however often it is there', 'left', ['text', 'text'], 40 + 48],
  ['a number of the left side', 'left', [7, 7, 8], 2 * 48],
  ['nothing of the left side', 'left', [undefined], 0],
  ['what has a code of the right side', 'right', ['text', 7], 0],
  ['an array of the right side, which has no code', 'right', [['text'], ['text']], 2 * (200 + 40 + 48)],
])('of a column of codes counts %s', (_name, side, values, bytes) => {
  const column: PairColumn = {
    side,
    index: 0,
    read: (input) => input[side]?.['a'],
    isField: false,
    isConstant: false,
    field: null,
    dictionary: 0,
  };
  const store = new RowStore(side, [column], [new Dictionary()]);
  for (const a of values) store.add({ a }, NaN, 0);
  store.takePending();
  expect(store.heldBytes).toBe(bytes);
});

test('a large field is kept as it is', () => {
  const store = storeOf(({ left }) => left?.['a'], true);
  const text = 'x'.repeat(maxTextLength + 1);
  store.add({ a: text }, NaN, 0);
  expect(store.columns[0]?.valueAt(0)).toBe(text);
});

test('an error of a column is thrown when its value is asked for, each time', () => {
  const store = storeOf(() => {
    throw new RangeError('stack');
  }, false);
  store.add({}, NaN, 0);
  const held = store.columns[0]?.valueAt(0) as Deferred;
  expect(() => held.settle()).toThrow('stack');
  expect(() => held.settle()).toThrow('stack');
});

test.each([
  ['a short text', 'x', false],
  ['a long text', 'x'.repeat(2_000), true],
  ['many items', Array.from({ length: 300 }, () => 1), true],
  ['long texts inside', ['x'.repeat(600), 'y'.repeat(600)], true],
  ['many keys', Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, 1])), true],
  ['deep nesting', JSON.parse('['.repeat(300) + ']'.repeat(300)) as unknown, true],
  ['a small object', { a: [1, 2], b: 'x' }, false],
  ['nothing', undefined, false],
])('%s: large %#', (_name, value, large) => {
  expect(isLarge(value)).toBe(large);
});
