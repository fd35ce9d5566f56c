import type { JsonObject } from '../values/types';
import { suggestRuleSet } from '.';

const first = ['ada', 'bela', 'cleo', 'dora', 'edgar', 'fritz', 'gina', 'hugo', 'ines', 'juri', 'kira', 'levi'];
const last = ['berg', 'feld', 'mann', 'stein', 'wald', 'hof', 'see'].flatMap((end) =>
  ['Acker', 'Buchen', 'Dorn', 'Eichen', 'Fischer', 'Gold'].map((begin) => begin + end),
);

/** Returns customers of one list, each in it up to four times, with letters left out. */
function customers(people: number, copies: (at: number) => number): { left: JsonObject[]; right: JsonObject[] } {
  const sides = { left: [] as JsonObject[], right: [] as JsonObject[] };
  for (let at = 0; at < people; at++)
    for (let copy = 0; copy < copies(at); copy++) {
      const surname = last[(at * 11) % last.length] as string;
      const record = {
        given: first[(at * 7) % first.length] as string,
        surname: copy % 2 === 1 && at % 3 === 0 ? surname.replace('e', '') : surname,
        born: new Date(-6e11 + ((at * 7919) % 9_000) * 864e5).toISOString().slice(0, 10),
        phone: (at + copy) % 7 === 0 ? '' : `0${100 + ((at * 31) % 800)} ${200_000 + ((at * 7717) % 700_000)}`,
      };
      sides[(at + copy) % 2 === 0 ? 'left' : 'right'].push(record);
    }
  return sides;
}

test('precision counts each pair of a cluster as right where one dataset is compared with itself', () => {
  const sides = customers(700, (at) => (at % 3 === 0 ? 4 : (at % 3) + 1));
  const count = sides.left.length + sides.right.length;
  const found = suggestRuleSet({ ...sides, totals: { left: count, right: count }, isOneSide: true });
  if (!found.connected) throw new Error(found.reason);
  expect(found.expected.precision).toBeGreaterThan(0.97);
  expect(found.expected.recall).toBeGreaterThan(0.97);
  // Clusters of two, three and four have 1, 2 and 4 pairs across the halves, and about as many inside of them.
  const crossing = (700 / 3) * (1 + 2 + 4);
  expect(found.expected.matches / crossing).toBeGreaterThan(2 * 0.97);
  expect(found.expected.matches / crossing).toBeLessThan(2 * 1.03);
  expect(found.warnings.map(({ code }) => code)).not.toContain('low_precision');
});
