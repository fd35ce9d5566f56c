import type { Side } from '@tieout/engine';

/**
 * Returns which half of a dataset the record at a place is in. Duplicates are often as far from each other as all
 * others, such as in a file and its copy behind it: at any distance, half of the pairs have a record in each half.
 */
export function halfOf(place: number): Side {
  let hash = Math.imul(place ^ (place >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) & 1) === 0 ? 'left' : 'right';
}
