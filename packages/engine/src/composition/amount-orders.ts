import { lowerBound } from '../values/binary-search';
import { maxPlainWalk } from './limits';

/** Amounts by place, and the place of each rank. */
interface RankedAmounts {
  readonly units: Float64Array;
  readonly placeOfRank: Int32Array;
}

/** A range of ranks by amount. */
export interface AmountOrder {
  /** Offsets from the first rank of the range: by amount, descending, then by rank. */
  readonly offsets: Uint16Array;
  /** Place of each offset in that order. */
  readonly placeOf: Uint16Array;
}

/** Bound on the ranks of all orders, 16 MB; beyond it they are made again. */
const maxRanks = 4_000_000;
/** An order of fewer ranks takes more to find than to make. */
const minRanks = 32;
/** Amounts up to it form a safe integer with an offset. */
const maxAmount = Math.floor(Number.MAX_SAFE_INTEGER / maxPlainWalk) - 1;

/** Sorts ranges of ranks by amount. Targets of one day share a range, so each order is kept. */
export class AmountOrders {
  private readonly orders = new Map<number, AmountOrder>();
  private ranks = 0;
  private readonly largest: number;

  constructor(private readonly index: RankedAmounts) {
    this.largest = index.units.reduce((largest, amount) => Math.max(largest, Math.abs(amount)), 0);
  }

  /** Orders the ranks [start, end), at most maxPlainWalk; undefined where sorting them each time costs no more. */
  of(start: number, end: number): AmountOrder | undefined {
    if (end - start < minRanks || this.largest > maxAmount) return undefined;
    const key = start * (maxPlainWalk + 1) + end - start;
    const known = this.orders.get(key);
    if (known !== undefined) return known;
    if (this.ranks > maxRanks) {
      this.orders.clear();
      this.ranks = 0;
    }
    const made = this.sort(start, end);
    this.orders.set(key, made);
    this.ranks += end - start;
    return made;
  }

  /** Returns the first place of an order whose amount is at most `bound`. */
  firstAtMost({ offsets }: AmountOrder, start: number, bound: number): number {
    const { units, placeOfRank } = this.index;
    return lowerBound(
      0,
      offsets.length,
      (at) => (units[placeOfRank[start + (offsets[at] as number)] as number] as number) > bound,
    );
  }

  private sort(start: number, end: number): AmountOrder {
    const { units, placeOfRank } = this.index;
    const keys = new Float64Array(end - start);
    for (let offset = 0; offset < keys.length; offset++)
      keys[offset] = offset - (units[placeOfRank[start + offset] as number] as number) * maxPlainWalk;
    const offsets = Uint16Array.from(keys.sort(), (key) => ((key % maxPlainWalk) + maxPlainWalk) % maxPlainWalk);
    const placeOf = new Uint16Array(offsets.length);
    offsets.forEach((offset, place) => {
      placeOf[offset] = place;
    });
    return { offsets, placeOf };
  }
}
