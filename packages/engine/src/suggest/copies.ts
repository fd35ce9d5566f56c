import { textHash } from '../values/text-hash';
import type { JsonObject } from '../values/types';
import type { PairSample } from './types';

/** Returns the place of the first record of a side that holds the same as each; null where no two do. */
export function copiesOf(records: readonly JsonObject[]): Int32Array | null {
  const firsts = new Map<number, number>();
  const places = Int32Array.from(records, (record, at) => {
    const hash = textHash(JSON.stringify(record));
    const first = firsts.get(hash) ?? at;
    firsts.set(hash, first);
    return first;
  });
  return firsts.size === records.length ? null : places;
}

/** Returns whether two pairs are of the same records, or of copies of them. */
export function isSamePair({ lefts, rights, copies }: PairSample, one: number, other: number): boolean {
  const first = (of: Int32Array | null, at: number): number => of?.[at] ?? at;
  return (
    first(copies.left, lefts[one] as number) === first(copies.left, lefts[other] as number) &&
    first(copies.right, rights[one] as number) === first(copies.right, rights[other] as number)
  );
}

/**
 * Returns how probable it is that a pair is right where copies of a record may stand for each other. Copies share the
 * probability of their partner; of the pairs between the copies of two records, as many are assigned as the fewer
 * copies are, and these have all of it.
 */
export function ofCopies(
  { lefts, rights, rightCount, copies: { left, right } }: PairSample,
  probabilities: Float64Array,
): Float64Array {
  if (left === null && right === null) return probabilities;
  const places = new Map<number, number>();
  const groups = Int32Array.from(lefts, (one, pair) => {
    const other = rights[pair] as number;
    const key = (left?.[one] ?? one) * rightCount + (right?.[other] ?? other);
    const place = places.get(key) ?? places.size;
    places.set(key, place);
    return place;
  });
  const sums = new Float64Array(places.size);
  const counts = new Int32Array(places.size);
  const ofFirst = new Int32Array(places.size);
  const firstLefts = new Int32Array(places.size).fill(-1);
  groups.forEach((group, pair) => {
    if ((firstLefts[group] as number) < 0) firstLefts[group] = lefts[pair] as number;
    if (firstLefts[group] === lefts[pair]) ofFirst[group]!++;
    counts[group]!++;
    sums[group]! += probabilities[pair] as number;
  });
  return probabilities.map((_, pair) => {
    const group = groups[pair] as number;
    const rows = ofFirst[group] as number;
    return Math.min(1, (sums[group] as number) / Math.min(rows, Math.ceil((counts[group] as number) / rows)));
  });
}
