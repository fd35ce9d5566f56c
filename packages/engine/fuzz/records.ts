import type { Random } from './random';

/** Keys that records have and expressions ask for; the last ones also live on Object.prototype. */
const fieldNames = ['a', 'b', 'c', 'x', 'amount', 'name', 'date', 'ref', 'items', 'tags', 'odd key'];
const trapValues = ['constructor', '__proto__', 'toString', 'length', 'sequence', 'hasOwnProperty'];

const textValues = [
  '',
  ' ',
  'foo',
  ' Foo  bar ',
  'foo bar',
  'FOO',
  'INV-1',
  'INV-12',
  'inv 12',
  '12',
  '12.50',
  '-3',
  '0',
  '1e3',
  '0x10',
  'abc',
  'a,b,c',
  'true',
  'null',
  '2024-03-05',
  '2024-02-30',
  '2024-13-01',
  '2024-03-05T10:00:00Z',
  '2024-03-05T10:00:00.000+02:00',
  '05/03/2024',
  'ÀÉ x',
  'straße',
  'e\u0301',
  '\u{1F60A}a',
  '\ud83d',
  '\u2028',
  '"',
  '\\',
  '`',
  '$x',
  'Zm9v',
  '%41',
  '%',
  'aaa',
  'ab'.repeat(8),
];
const numberValues = [
  0, -0, 1, 2, 3, 5, 10, -1, 0.1, 0.2, 2.5, -2.5, 1.005, 1e-7, 99.99, 100, 1e6, 1e15, 1e16, 9007199254740992, 1e21,
  1e300, -1e308, 5e-324, 1709632800000,
];

export function pickField(random: Random): string {
  return random.chance(0.07) ? random.pick(trapValues) : random.pick(fieldNames);
}

export function pickText(random: Random): string {
  return random.pick(textValues);
}

export function pickNumber(random: Random): number {
  return random.chance(0.4) ? random.below(2_000) / 100 : random.pick(numberValues);
}

/** JSON of any kind, with every kind of dirt. */
function dirtyValue(random: Random, depth: number): unknown {
  return random.weighted<() => unknown>([
    [28, () => pickNumber(random)],
    [30, () => pickText(random)],
    [6, () => null],
    [8, () => random.chance(0.5)],
    [depth > 2 ? 0 : 18, () => dirtyArray(random, depth + 1)],
    [depth > 2 ? 0 : 14, () => dirtyObject(random, depth + 1)],
  ])();
}

function dirtyArray(random: Random, depth: number): unknown[] {
  const item = random.pick([
    () => random.below(5),
    () => pickText(random),
    () => dirtyObject(random, depth),
    () => dirtyValue(random, depth),
  ]);
  return random.list(0, 4, item);
}

function dirtyObject(random: Random, depth: number): Record<string, unknown> {
  // Entries make own properties of every key, `__proto__` included.
  return Object.fromEntries(random.list(0, 4, () => [pickField(random), dirtyValue(random, depth)]));
}

/** A record: mostly sensible values under sensible keys, with dirt in between. */
export function dirtyRecord(random: Random): Record<string, unknown> {
  const sensible: [string, unknown][] = [
    ['amount', random.below(20) * 2.5],
    ['name', pickText(random)],
    ['date', `2024-03-0${1 + random.below(9)}`],
    ['ref', `INV-${random.below(9)}`],
    ['tags', random.list(0, 3, () => random.pick(['p', 'q', 'foo']))],
    ['items', random.list(0, 3, (index) => ({ a: index, b: pickText(random), x: random.below(4) }))],
    ['a', random.below(4)],
    ['b', pickText(random)],
  ];
  const entries = sensible
    .filter(() => random.chance(0.75))
    .map(([key, value]): [string, unknown] => [key, random.chance(0.25) ? dirtyValue(random, 0) : value]);
  const dirt = random.list(0, 3, (): [string, unknown] => [pickField(random), dirtyValue(random, 0)]);
  return Object.fromEntries([...entries, ...dirt]);
}

/** Smaller data that differs in one place. */
export function* smallerData(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1);
    for (const [index, item] of value.entries())
      for (const smaller of smallerData(item)) yield value.with(index, smaller);
    return;
  }
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'string' && value.length > 1) yield 'a';
    if (typeof value === 'number' && value !== 1) yield 1;
    return;
  }
  const entries = Object.entries(value);
  for (const index of entries.keys()) yield Object.fromEntries(entries.toSpliced(index, 1));
  for (const [index, [key, member]] of entries.entries()) {
    for (const smaller of smallerData(member)) yield Object.fromEntries(entries.with(index, [key, smaller]));
  }
}
