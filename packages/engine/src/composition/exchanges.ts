import { maxOtherSets } from './limits';
import { comparePlans } from './member-index';
import type { MemberIndex } from './member-index';

/** Free rows of one content, and how many of them are known to be taken. */
interface RowsOfContent {
  places: number[];
  first: number;
}

/** Rows that a search cannot distinguish, by content. */
type LikeRows = ReadonlyMap<number | undefined, RowsOfContent>;

/** Finds rows that agree with a member in group, day, amount and plan, but differ in what else the rule set reads. */
export class Exchanges {
  /** Rows like the one at each place; absent where they have one content. */
  private readonly likes = new Map<number, LikeRows>();

  constructor(
    private readonly index: MemberIndex,
    private readonly taken: Uint8Array,
  ) {
    let from = 0;
    while (from < index.length) {
      const own = contentAt(index, from);
      let [to, isMixed] = [from + 1, false];
      for (; to < index.length && isLike(index, from, to); to++) isMixed ||= contentAt(index, to) !== own;
      if (isMixed) this.add(from, to);
      from = to;
    }
  }

  private add(from: number, to: number): void {
    const rows = new Map<number | undefined, RowsOfContent>();
    for (let place = from; place < to; place++) {
      const own = contentAt(this.index, place);
      const known = rows.get(own);
      if (known === undefined) rows.set(own, { places: [place], first: 0 });
      else known.places.push(place);
      this.likes.set(place, rows);
    }
  }

  /** Counts the contents that could take the place of those of members, up to `maxOtherSets`. */
  count(members: readonly number[], evidenceOf: ((row: number) => number) | null): number {
    const { index, taken } = this;
    const chosen = new Set(members);
    const found = new Set<string>();
    const evidence = (place: number): number => evidenceOf?.(index.row[place] as number) ?? 0;
    for (const member of members) {
      const likes = this.likes.get(member);
      const own = contentAt(index, member);
      for (const [content, rows] of likes ?? []) {
        if (found.size === maxOtherSets) return found.size;
        if (content === own) continue;
        const { places } = rows;
        while (rows.first < places.length && taken[index.row[places[rows.first] as number] as number] === 1)
          rows.first++;
        for (let at = rows.first; at < places.length; at++) {
          const place = places[at] as number;
          if (chosen.has(place) || taken[index.row[place] as number] === 1) continue;
          if (evidence(place) === evidence(member)) found.add(`${member} ${content}`);
          break;
        }
      }
    }
    return found.size;
  }
}

const contentAt = ({ side, row }: MemberIndex, place: number): number | undefined =>
  side.content?.[row[place] as number];

function isLike({ side, row, day, groupOf }: MemberIndex, one: number, other: number): boolean {
  return (
    groupOf[one] === groupOf[other] &&
    day[one] === day[other] &&
    comparePlans(side, row[one] as number, row[other] as number) === 0
  );
}
