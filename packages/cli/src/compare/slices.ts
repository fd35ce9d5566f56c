import {
  candidateWindows,
  lowerBound,
  unitsAt,
  type BlockingRule,
  type CandidateSide,
  type ListedCandidates,
  type Side,
  type SortedKeys,
  type SortedSide,
} from '@tieout/engine';

/** The candidates of one left row: the first `count` ranges [from[i], to[i]) of the right rows of a part. */
interface RowRanges {
  readonly count: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** Right records, and the candidates among them of each left record of a slice, in its order. */
export interface SlicePart {
  rights: Uint32Array;
  /** The amounts of the right records at the common scale; NaN without one. */
  units: Float64Array;
  /** Moves to a left row after the last one. */
  seek(left: number): RowRanges;
}

/** Left records that are compared together with some right ones after the other. */
export interface PairSlice {
  lefts: Uint32Array;
  /** The amounts of the left records at the common scale; NaN without one. */
  units: Float64Array;
  parts: Iterable<SlicePart>;
}

/** Slices share right records, which each of them decodes: large ones decode fewer twice. */
const maxWindowLefts = 65_536;
const minWindowLefts = 8_192;
/** Slices of a comparison at least, so that threads end at nearly the same time. */
const minSlices = 16;
const maxLefts = 8_192;
const maxRights = 65_536;
const maxListedPairs = 1_000_000;

/** Left records, in the order of their keys, with the right rows that their windows reach. */
export interface WindowSlice extends PairSlice {
  /** The place of the first left record among the sorted ones. */
  firstLeft: number;
}

/** Returns the number of slices of a left side. */
export const windowSlices = ({ keys }: SortedSide): number => Math.ceil(keys.length / sliceLefts(keys.length));

const sliceLefts = (lefts: number): number =>
  Math.min(maxWindowLefts, Math.max(minWindowLefts, Math.ceil(lefts / minSlices)));

/** Cuts a slice out of the left side. */
export function windowSlice(
  rule: BlockingRule,
  { left, right, amountScale }: { left: SortedSide; right: SortedSide; amountScale: number },
  at: number,
): WindowSlice {
  const lefts = sliceLefts(left.keys.length);
  const from = at * lefts;
  const to = Math.min(from + lefts, left.keys.length);
  const reach = reachOf(rule, left.keys, right.keys, { from, to });
  const partsOf = function* (): Generator<SlicePart, void, void> {
    for (let first = reach.from; first < reach.to; first += maxRights) {
      const past = Math.min(first + maxRights, reach.to);
      const windows = candidateWindows(rule, partOf(right.keys, first, past), amountScale);
      const { bucket, day, units } = left.keys;
      yield {
        rights: right.seqs.subarray(first, past),
        units: right.keys.units.subarray(first, past),
        seek: (row) => {
          const place = from + row;
          windows.seek(bucket[place] as number, day[place] as number, units[place] as number);
          return windows;
        },
      };
    }
  };
  return {
    firstLeft: from,
    lefts: left.seqs.subarray(from, to),
    units: left.keys.units.subarray(from, to),
    parts: { [Symbol.iterator]: partsOf },
  };
}

/** Returns the right rows between the windows of the first and the last left row. */
function reachOf(
  { bucketWindow, dayWindow, blocksOnDay }: BlockingRule,
  left: SortedKeys,
  right: SortedKeys,
  { from, to }: { from: number; to: number },
): { from: number; to: number } {
  const [low, high] = [left.bucket[from] as number, left.bucket[to - 1] as number];
  const byDay = blocksOnDay && low === high && bucketWindow === 0;
  const [lowDay, highDay] = [(left.day[from] as number) + dayWindow.from, (left.day[to - 1] as number) + dayWindow.to];
  const isBefore = (row: number): boolean => {
    const bucket = right.bucket[row] as number;
    return bucket < low - bucketWindow || (byDay && bucket === low && (right.day[row] as number) < lowDay);
  };
  const isWithin = (row: number): boolean => {
    const bucket = right.bucket[row] as number;
    return (
      bucket < high + bucketWindow ||
      (bucket === high + bucketWindow && !(byDay && (right.day[row] as number) > highDay))
    );
  };
  return { from: lowerBound(0, right.length, isBefore), to: lowerBound(0, right.length, isWithin) };
}

const partOf = (keys: SortedKeys, from: number, to: number): SortedKeys => ({
  length: to - from,
  bucket: keys.bucket.subarray(from, to),
  day: keys.day.subarray(from, to),
  units: keys.units.subarray(from, to),
});

/** Cuts listed candidates into slices, each with the right records that its lists name. */
export function* listedSlices(
  candidates: ListedCandidates,
  { left, right }: Record<Side, CandidateSide>,
  amountScale: number,
): Generator<PairSlice, void, void> {
  const rowOf = new Int32Array(right.length).fill(-1);
  const unitsOf = (side: CandidateSide, seqs: readonly number[]): Float64Array =>
    Float64Array.from(seqs, (seq) => unitsAt(side, seq, amountScale));
  let lefts: number[] = [];
  let lists: Uint32Array[] = [];
  let pairs = 0;
  const take = (): PairSlice => {
    const rights = [...new Set(lists.flatMap((list) => Array.from(list)))].sort((one, other) => one - other);
    rights.forEach((seq, row) => (rowOf[seq] = row));
    const own = lists;
    const seek = (row: number): RowRanges => {
      const rows = Int32Array.from(own[row] ?? [], (seq) => rowOf[seq] as number);
      return { count: rows.length, from: rows, to: rows.map((row) => row + 1) };
    };
    const part = { rights: Uint32Array.from(rights), units: unitsOf(right, rights), seek };
    const slice = { lefts: Uint32Array.from(lefts), units: unitsOf(left, lefts), parts: [part] };
    [lefts, lists, pairs] = [[], [], 0];
    return slice;
  };
  for (const { seq, count, rights } of candidates.all()) {
    lefts.push(seq);
    lists.push(rights.slice(0, count));
    pairs += count;
    if (lefts.length >= maxLefts || pairs >= maxListedPairs) yield take();
  }
  if (lefts.length > 0) yield take();
}
