import fc from 'fast-check';
import { writeId, readId } from '@tieout/infra';
import { LinkedRecords } from './clusters';

type Link = [left: number, right: number];

const records = 10;
const idOf = (record: number): string => `00000000-0000-0000-0000-${String(record).padStart(12, '0')}`;
const ids = Buffer.alloc(records * 16);
for (let record = 0; record < records; record++) writeId(ids, record * 16, idOf(record));

/** Returns the sets of connected records, without lone ones, by walking the links. */
function connected(links: readonly Link[]): number[][] {
  const found: number[][] = [];
  const seen = new Set<number>();
  for (let record = 0; record < records; record++) {
    const members = new Set<number>(seen.has(record) ? [] : [record]);
    for (const member of members)
      for (const link of links) if (link.includes(member)) for (const other of link) members.add(other);
    for (const member of members) seen.add(member);
    if (members.size > 1) found.push([...members].sort((one, other) => one - other));
  }
  return found.sort((one, other) => other.length - one.length || (one[0] as number) - (other[0] as number));
}

const record = fc.integer({ min: 0, max: records - 1 });
const link = fc.tuple(record, record).filter(([left, right]) => left !== right);

test('clusters are what links connect; the stronger links than the weakest one of a cluster do not', () => {
  fc.assert(
    fc.property(fc.array(link, { maxLength: 14 }), (links) => {
      const linked = new LinkedRecords(records);
      for (const [left, right] of links) linked.link(left, right);
      const list = linked.clusters(ids);
      const expected = connected(links);
      const clusters = expected.map((_, at) => {
        const from = at === 0 ? 0 : (list.ends[at - 1] as number);
        return Array.from({ length: (list.ends[at] as number) - from }, (_, place) =>
          readId(list.ids, (from + place) * 16),
        );
      });
      expect(clusters).toEqual(expected.map((members) => members.map(idOf)));
      expect(list.ends).toHaveLength(expected.length);
      expected.forEach((members, at) => {
        const weakest = [readId(list.links, 2 * at * 16), readId(list.links, (2 * at + 1) * 16)];
        const place = links.findIndex((one) => one.map(idOf).join() === weakest.join());
        const apart = connected(links.slice(0, place)).map((one) => one.join());
        expect(apart).not.toContain(members.join());
        expect(connected(links.slice(0, place + 1)).map((one) => one.join())).toContain(members.join());
      });
    }),
    { numRuns: 200 },
  );
});
