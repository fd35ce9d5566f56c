import fc from 'fast-check';
import { amountToNumber, exactDecimal, readAmount, rescale } from './decimal';
import type { AmountReading } from './decimal';

/** Writes units of a scale as decimal text. */
function formatAmount(units: number, scale: number): string {
  const digits = String(Math.abs(units)).padStart(scale + 1, '0');
  const sign = units < 0 ? '-' : '';
  if (scale === 0) return sign + digits;
  const cut = digits.length - scale;
  return `${sign}${digits.slice(0, cut)}.${digits.slice(cut)}`;
}

const readings: [unknown, AmountReading][] = [
  [12.3, { ok: true, units: 123, scale: 1 }],
  ['12.30', { ok: true, units: 123, scale: 1 }],
  [' +7 ', { ok: true, units: 7, scale: 0 }],
  ['-0.00', { ok: true, units: 0, scale: 0 }],
  [-0, { ok: true, units: 0, scale: 0 }],
  ['.5', { ok: true, units: 5, scale: 1 }],
  [0.30000000000000004, { ok: true, units: 3, scale: 1 }],
  [1e-7, { ok: true, units: 0, scale: 0 }],
  [-1e-7, { ok: true, units: 0, scale: 0 }],
  [1.5e-4, { ok: true, units: 2, scale: 4 }],
  ['0.00005', { ok: true, units: 0, scale: 0 }],
  ['0.00015', { ok: true, units: 2, scale: 4 }],
  ['0.00025', { ok: true, units: 2, scale: 4 }],
  ['0.000250001', { ok: true, units: 3, scale: 4 }],
  ['-1.00005', { ok: true, units: -1, scale: 0 }],
  ['99.99995', { ok: true, units: 100, scale: 0 }],
  [1e15, { ok: true, units: 1e15, scale: 0 }],
  [Number.MAX_SAFE_INTEGER, { ok: true, units: Number.MAX_SAFE_INTEGER, scale: 0 }],
  ['9007199254740991', { ok: true, units: Number.MAX_SAFE_INTEGER, scale: 0 }],
  ['9007199254740992', { ok: false, reason: 'out_of_range' }],
  ['90071992547409.92', { ok: false, reason: 'out_of_range' }],
  ['90071992547409.91', { ok: true, units: Number.MAX_SAFE_INTEGER, scale: 2 }],
  [1e300, { ok: false, reason: 'out_of_range' }],
  ['1'.repeat(500), { ok: false, reason: 'out_of_range' }],
  [`0.${'1'.repeat(500)}`, { ok: true, units: 1111, scale: 4 }],
  [null, { ok: false, reason: 'missing' }],
  [undefined, { ok: false, reason: 'missing' }],
  ['', { ok: false, reason: 'missing' }],
  ['  ', { ok: false, reason: 'missing' }],
  ['1,234.50', { ok: false, reason: 'unreadable' }],
  ['1e3', { ok: false, reason: 'unreadable' }],
  ['0x10', { ok: false, reason: 'unreadable' }],
  ['-', { ok: false, reason: 'unreadable' }],
  ['.', { ok: false, reason: 'unreadable' }],
  ['--1', { ok: false, reason: 'unreadable' }],
  ['１２', { ok: false, reason: 'unreadable' }],
  [Number.NaN, { ok: false, reason: 'unreadable' }],
  [Infinity, { ok: false, reason: 'unreadable' }],
  [true, { ok: false, reason: 'unreadable' }],
  [[1], { ok: false, reason: 'unreadable' }],
  [{}, { ok: false, reason: 'unreadable' }],
];

test.each(readings)('%j is read as %j', (value, expected) => {
  expect(readAmount(value)).toEqual(expected);
});

/** Rounds a decimal text half to even at four decimals, in integers of 10^−4. */
function reference(text: string): bigint {
  const negative = text.startsWith('-');
  const [integer = '0', fraction = ''] = text.replace('-', '').split('.');
  const padded = fraction.padEnd(5, '0');
  const kept = BigInt(integer + padded.slice(0, 4));
  const rest = BigInt(padded.slice(4));
  const half = 5n * 10n ** BigInt(padded.length - 5);
  const rounded = rest > half || (rest === half && kept % 2n === 1n) ? kept + 1n : kept;
  return negative ? -rounded : rounded;
}

const decimalText = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.stringMatching(/^[0-9]{0,9}$/))
  .map(([negative, integer, fraction]) => `${negative ? '-' : ''}${integer}${fraction === '' ? '' : `.${fraction}`}`);

test('a decimal text is read exactly, at its smallest scale, or refused as out of range', () => {
  fc.assert(
    fc.property(decimalText, (text) => {
      const reading = readAmount(text);
      const exact = reference(text);
      if (!reading.ok) {
        let units = exact < 0n ? -exact : exact;
        for (let step = 0; step < 4 && units % 10n === 0n; step++) units /= 10n;
        expect(reading.reason).toBe('out_of_range');
        expect(units > BigInt(Number.MAX_SAFE_INTEGER)).toBe(true);
        return;
      }
      expect(BigInt(reading.units) * 10n ** BigInt(4 - reading.scale)).toBe(exact);
      expect(reading.scale === 0 || reading.units % 10 !== 0).toBe(true);
      expect(Object.is(reading.units, -0)).toBe(false);
    }),
    { numRuns: 3_000 },
  );
});

test('a JSON number is read like its shortest decimal text', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
      const text = value.toFixed(20).length < 40 && !String(value).includes('e') ? String(value) : null;
      fc.pre(text !== null);
      expect(readAmount(value)).toEqual(readAmount(text));
    }),
  );
});

const fewDecimals = fc
  .tuple(fc.oneof(fc.maxSafeInteger(), fc.integer()), fc.integer({ min: 0, max: 6 }), fc.integer({ min: -2, max: 2 }))
  .map(([digits, decimals, neighbour]) => (digits / 10 ** decimals) * (1 + neighbour * Number.EPSILON));

test('a JSON number of few decimals, or next to one, is read like its shortest decimal text', () => {
  fc.assert(
    fc.property(fewDecimals, (value) => {
      fc.pre(!String(value).includes('e'));
      expect(readAmount(value)).toEqual(readAmount(String(value)));
    }),
    { numRuns: 3_000 },
  );
});

const units = fc.maxSafeInteger();
const scale = fc.integer({ min: 0, max: 4 });

test('formatting and reading give the amount back', () => {
  fc.assert(
    fc.property(units, scale, (value, decimals) => {
      const text = formatAmount(value, decimals);
      const reading = readAmount(text);
      expect(reading.ok && rescale(reading.units, reading.scale, decimals)).toBe(value);
      expect(text).toMatch(decimals === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${decimals}}$`));
    }),
  );
});

test('an amount at another scale is the same amount, or null when it does not fit', () => {
  fc.assert(
    fc.property(units, scale, scale, (value, from, to) => {
      const exact = BigInt(value) * 10n ** BigInt(4 + to - from);
      const fits =
        exact % 10_000n === 0n &&
        exact / 10_000n <= BigInt(Number.MAX_SAFE_INTEGER) &&
        exact / 10_000n >= -BigInt(Number.MAX_SAFE_INTEGER);
      expect(rescale(value, from, to)).toBe(fits ? Number(exact / 10_000n) : null);
    }),
  );
});

test('an amount as a number is the double nearest to its text', () => {
  fc.assert(
    fc.property(units, scale, (value, decimals) => {
      expect(amountToNumber(value, decimals) + 0).toBe(Number(formatAmount(value, decimals)) + 0);
    }),
  );
});

test.each([
  [0, 0n, 0],
  [5, 5n, 0],
  [0.1, 1n, 1],
  [1e-7, 1n, 7],
  [1.5e-9, 15n, 10],
  [1e21, 10n ** 21n, 0],
  [1.25e22, 125n * 10n ** 20n, 0],
])('%d is taken exactly', (value, digits, decimals) => {
  expect(exactDecimal(value)).toEqual({ digits, scale: decimals });
});
