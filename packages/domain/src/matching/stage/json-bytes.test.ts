import fc from 'fast-check';
import { amountFits, readAmount, readDay } from '@tieout/engine';
import { AmountReader, DayReader } from './json-bytes';

const digits = fc.stringMatching(/^-?\d{1,18}(\.\d{0,7})?$/);
const jsonAmount = fc.oneof(
  fc.stringMatching(/^-?(0|[1-9]\d{0,17})(\.\d{1,7})?$/),
  digits.map((text) => JSON.stringify(text)),
  fc.constantFrom(
    'null',
    'true',
    '""',
    '" 12.5 "',
    '"+1"',
    '"1e3"',
    '-0',
    '-0.00',
    '"."',
    '"1."',
    '".5"',
    '{}',
    '[1]',
    '"007.50"',
    '"é"',
    '"-"',
    '"\\u0031"',
  ),
);

test('an amount read from bytes equals the reading of its value, and is out of range where it does not fit', () => {
  const reader = new AmountReader();
  fc.assert(
    fc.property(jsonAmount, fc.string(), (json, around) => {
      const bytes = Buffer.from(around + json + around);
      const from = Buffer.byteLength(around);
      const expected = readAmount(JSON.parse(json));
      expect({ ...reader.read(bytes, from, from + Buffer.byteLength(json)) }).toEqual(
        !expected.ok || amountFits(expected) ? expected : { ok: false, reason: 'out_of_range' },
      );
    }),
    { numRuns: 3_000 },
  );
});

const jsonDay = fc.oneof(
  fc.stringMatching(/^"\d{4}-[01]\d-[0-3]\d"$/),
  fc.constantFrom(
    'null',
    '1',
    '"2025-02-30"',
    '"2025-02-28T23:30:00-03:00"',
    '""',
    '"2025/02/01"',
    '"202a-02-01"',
    '[]',
    '"2025-1-011"',
  ),
);

test('a day read from bytes equals the reading of its value, also from the cache', () => {
  const reader = new DayReader();
  fc.assert(
    fc.property(jsonDay, (json) => {
      const bytes = Buffer.from(json);
      const expected = readDay(JSON.parse(json));
      expect(reader.read(bytes, 0, bytes.length)).toEqual(expected);
      expect(reader.read(bytes, 0, bytes.length)).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});
