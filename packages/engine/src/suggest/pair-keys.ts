import { grown } from '../candidates/order';
import { lowerBound } from '../values/binary-search';

const initialCapacity = 4_096;

/** Collects pairs of records as numbers, some of them several times: a set of them takes five times the memory. */
export class PairKeys {
  private keys = new Float64Array(initialCapacity);
  private length = 0;

  constructor(private readonly rightCount: number) {}

  add(left: number, right: number): void {
    if (this.length === this.keys.length) this.keys = grown(this.keys, new Float64Array(2 * this.length));
    this.keys[this.length++] = left * this.rightCount + right;
  }

  /** Returns the keys, each once, in ascending order. */
  taken(): Float64Array {
    return distinct(this.keys.subarray(0, this.length));
  }
}

/** Returns the keys of all lists, each once, in ascending order. */
export function united(lists: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return distinct(all);
}

export function hasKey(keys: Float64Array, key: number): boolean {
  const at = lowerBound(0, keys.length, (place) => (keys[place] as number) < key);
  return keys[at] === key;
}

/** Sorts keys in place. */
function distinct(keys: Float64Array): Float64Array {
  keys.sort();
  let count = 0;
  for (const key of keys) if (count === 0 || keys[count - 1] !== key) keys[count++] = key;
  return keys.slice(0, count);
}
