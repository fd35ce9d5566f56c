import { readId, writeId } from '@tieout/infra';
import fc from 'fast-check';
import { mergeSides, type SideOutcome } from './outcome';

type Ranks = Record<string, number>;

const ranks = fc.dictionary(fc.uuid(), fc.integer({ min: 0, max: 7 }), { maxKeys: 30 });
/** Two sides that share some records. */
const overlapping = fc.tuple(ranks, ranks, ranks).map(([one, other, both]): [Ranks, Ranks] => {
  const shifted = Object.fromEntries(Object.entries(both).map(([id, rank]) => [id, 7 - rank]));
  return [
    { ...one, ...both },
    { ...other, ...shifted },
  ];
});

function sideOf(rankById: Ranks): SideOutcome {
  const ids = Object.keys(rankById).sort();
  const bytes = Buffer.alloc(ids.length * 16);
  ids.forEach((id, seq) => writeId(bytes, seq * 16, id));
  return { ids: bytes, ranks: Uint8Array.from(ids, (id) => rankById[id] as number) };
}

const entriesOf = ({ ids, ranks: found }: SideOutcome): [string, number][] =>
  Array.from(found, (rank, seq) => [readId(ids, seq * 16), rank]);

test('over two rule sets each record keeps its better outcome, in the order of the ids', () => {
  fc.assert(
    fc.property(overlapping, ([one, other]) => {
      const ids = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
      const expected = ids.map((id) => [id, Math.min(one[id] ?? Infinity, other[id] ?? Infinity)]);
      expect(entriesOf(mergeSides(sideOf(one), sideOf(other)))).toEqual(expected);
    }),
  );
});
