import v8 from 'node:v8';
import vm from 'node:vm';
import fc from 'fast-check';
import { caseCount } from '../../../fuzz/config';
import { defaultExpressionLimits } from '../../expression/compile';
import { createReference } from '../../expression/reference';
import type { JsonObject } from '../../values/types';
import { Dictionary } from './codes';
import { ColumnPlan } from '../plan/column-plan';
import { RowStore } from './row-store';
import { Deferred } from './deferred';
import { maxBlockRows } from './column-filler';
import type { PairColumn } from '../plan/nodes';

const expressions = [
  'left.a',
  'left.a.b',
  'left.length',
  'left.constructor',
  'left.__proto__',
  '$lowercase($trim(left.a))',
  '$uppercase(left.a) & left.a',
  '$toMillis(left.a)',
  '-left.a',
  '[left.a, 1]',
  'left.a = "x" ? $error("x") : left.a',
  'left.a & left.b',
  '3 * 86400000',
  '$error("always")',
  '"text"',
];

function columnOf(source: string): PairColumn {
  const column = new ColumnPlan().add(createReference(source, defaultExpressionLimits).tree);
  if (column === null) throw new Error(`${source} is not a column`);
  return column;
}

/** Returns the value of a row, with errors as text. */
function held(value: unknown): unknown {
  try {
    return value instanceof Deferred ? value.settle() : value;
  } catch (thrown) {
    return `fails with ${String((thrown as { code?: unknown }).code)}`;
  }
}

function evaluated(column: PairColumn, record: JsonObject): unknown {
  try {
    return column.read({ left: record });
  } catch (thrown) {
    return `fails with ${String((thrown as { code?: unknown }).code)}`;
  }
}

const text = fc.constantFrom(' X', 'x', 'Y ', '2024-02-29', '', 'z'.repeat(200));
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.string(),
  fc.double(),
  fc.constantFrom(null, true, 7, -0, ['x', 'y'], [], { b: 'x' }, { b: [{ c: 1 }] }),
);
const record = fc
  .record({ a: value, b: value, length: value, constructor: value }, { requiredKeys: [] })
  .map((made) => made as JsonObject);
v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc') as () => void;

function heapMiB(): number {
  collectGarbage();
  return v8.getHeapStatistics().used_heap_size / 1024 ** 2;
}

// Few records, repeated beyond several blocks.
const records = fc
  .tuple(fc.array(record, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 3 * maxBlockRows }))
  .map(([few, count]) => Array.from({ length: count }, (_, index) => few[index % few.length] as JsonObject));

test.each(expressions)('%s: each row holds what the expression gives for its record', (source) => {
  const column = columnOf(source);
  fc.assert(
    fc.property(records, records, (first, second) => {
      const store = new RowStore('left', [column], []);
      for (const rows of [first, second]) {
        store.clear();
        for (const row of rows) store.add(row, NaN, 0);
        const [stored] = store.columns;
        expect(rows.map((_, row) => held(stored?.valueAt(row)))).toEqual(rows.map((row) => evaluated(column, row)));
      }
    }),
    { numRuns: caseCount(8) },
  );
});

test('texts that repeat have one code', () => {
  const column = { ...columnOf('$lowercase(left.a)'), dictionary: 0 };
  const store = new RowStore('left', [column], [new Dictionary()]);
  for (let row = 0; row < 400; row++) store.add({ a: ['x', 'X', 'y'][row % 3] ?? '' }, NaN, 0);
  const codes = Array.from(store.columns[0]?.data ?? []).slice(0, 400);
  expect(codes).toEqual(codes.map((_, row) => (row % 3 === 2 ? 1 : 0)));
});

test('texts that never repeat are evaluated one by one, also when they begin to repeat', () => {
  const column = columnOf('$lowercase(left.a)');
  const store = new RowStore('left', [column], []);
  const texts = Array.from({ length: 20_000 }, (_, row) => `T${row < 15_000 ? row : row % 7}`);
  for (const a of texts) store.add({ a }, NaN, 0);
  expect(texts.map((_, row) => store.columns[0]?.valueAt(row))).toEqual(texts.map((one) => one.toLowerCase()));
});

test.each([
  ['values', null],
  ['codes', 0],
])('a short text that an expression cuts from a long one does not keep that one: %s', (_name, dictionary) => {
  const column = { ...columnOf('$substring($uppercase($pad(left.a, 60000)), 0, 20)'), dictionary };
  const store = new RowStore('left', [column], [new Dictionary()]);
  const before = heapMiB();
  for (let row = 0; row < 500; row++) store.add({ a: `record ${row}` }, NaN, 0);
  expect(store.columns[0]?.data.length).toBeGreaterThan(499);
  expect(heapMiB() - before).toBeLessThan(10);
});

const heldExpressions = [
  '[$substring($pad(left.a, 20000, "x"), 0, 20)]',
  '{"key": $substring($pad(left.a, 20000, "x"), 0, 20)}',
  '$number($pad(left.a, 20000, "x"))',
  '$error($pad(left.a, 20000, "x"))',
  '$split($pad(left.a, 60, "x"), "").[[$]]',
  '$split($pad(left.a, 60, "x"), "").{"a": {}}',
  '{$pad(left.a, 20000, "x"): 1}',
  '$uppercase($pad(left.a, 900, "x"))',
  '$split($pad(left.a, 200, "x y "), " ")',
  '($a := [1..2000]; function($x){$a[0] & left.a})',
  '($a := [1..2000]; [function($x){$a[0] & left.a}])',
];

const heldBy = [
  ['left', null],
  ['left', 0],
  ['right', 0],
] as const;

// A collection takes long in a process that has run many files: the three kinds of column share one.
test.each(heldExpressions)('%s: what rows hold takes hardly more than is counted, on either side', (source) => {
  const stores = heldBy.map(([side, dictionary]) => {
    const column = { ...columnOf(source.replaceAll('left.', `${side}.`)), dictionary };
    return new RowStore(side, [column], [new Dictionary()]);
  });
  const before = heapMiB();
  for (const store of stores) {
    for (let row = 0; row < 1_000; row++) store.add({ a: `record ${row}` }, NaN, 0);
    store.takePending();
  }
  const heldBytes = stores.reduce((sum, store) => sum + store.heldBytes, 0);
  // Names of members are a table of the process; it grows by their characters.
  expect(heapMiB() - before).toBeLessThan(1 + 1.5 * (heldBytes / 2 ** 20));
});
