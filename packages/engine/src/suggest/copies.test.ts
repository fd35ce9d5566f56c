import type { JsonObject } from '../values/types';
import { suggestRuleSet } from '.';

const first = ['Nordic', 'Alpine', 'Silver', 'Golden', 'Blue', 'Green', 'United', 'Royal', 'Atlas', 'Delta', 'Vertex'];
const second = ['Steel', 'Foods', 'Energy', 'Software', 'Motors', 'Papers', 'Glass', 'Timber', 'Optics', 'Pharma'];

/** Returns ledger entries and the payments of all of them, of which every third comes `times` times. */
function payments(times: number, copy: (payment: JsonObject, at: number) => JsonObject) {
  const day = (at: number): string => new Date(1.7e12 + at * 864e5).toISOString().slice(0, 10);
  const rows = Array.from({ length: 600 }, (_, at) => ({
    name: `${first[(at * 7) % 11]} ${second[(at * 3 + Math.floor(at / 11)) % 10]}`,
    amount: (10 + ((at * 7919) % 50_021) / 7).toFixed(2),
    on: (at * 37) % 300,
  }));
  return {
    left: rows.map(({ name, amount, on }): JsonObject => ({ payee: name, amount, due: day(on) })),
    right: rows.flatMap(({ name, amount, on }, at) =>
      Array.from({ length: at % 3 === 0 ? times : 1 }, (_, place) =>
        copy({ text: name.toUpperCase().slice(0, 12), value: amount, booked: day(on + (at % 4)) }, 3 * at + place),
      ),
    ),
  };
}

const doubts = ['low_precision', 'uncertain_quality'];

test.each<[string, boolean, number, (payment: JsonObject, at: number) => JsonObject]>([
  ['a match with any copy of a repeated record counts as right', false, 3, (payment) => payment],
  ['also where the left side repeats records', true, 2, (payment) => payment],
])('%s', (_, isTurned, times, copy) => {
  const made = payments(times, copy);
  const sides = isTurned ? { left: made.right, right: made.left } : made;
  const found = suggestRuleSet({ ...sides, totals: { left: sides.left.length, right: sides.right.length } });
  if (!found.connected) throw new Error(found.reason);
  expect(found.expected.precision).toBeGreaterThan(0.95);
  expect(Math.abs(found.expected.matches - 600)).toBeLessThan(30);
  expect(found.warnings.map(({ code }) => code).filter((code) => doubts.includes(code))).toEqual([]);
});

test('records that are told apart by a field which the other side lacks are no copies', () => {
  const { left, right } = payments(3, (payment, at) => ({ ...payment, branch: `B ${(at * 7919) % 5003}` }));
  const found = suggestRuleSet({ left, right, totals: { left: left.length, right: right.length } });
  if (!found.connected) throw new Error(found.reason);
  expect(found.expected.precision).toBeLessThan(0.9);
});
