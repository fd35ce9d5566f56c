import { MAX_COMPARED_CHARACTERS, unitTexts } from './characters';

const PREFIX_WEIGHT = 0.1;
const LONGEST_PREFIX = 4;

/** Scratch space: a comparison runs to its end before the next one starts. */
const takenInRight = new Uint8Array(MAX_COMPARED_CHARACTERS);
const matchedOfLeft = new Uint16Array(MAX_COMPARED_CHARACTERS);

/**
 * Jaro-Winkler similarity, 0 to 1, of the first 1,024 characters: prefix weight 0.1, prefixes up to 4,
 * half transpositions rounded down (W. E. Winkler, "String Comparator Metrics and Enhanced Decision
 * Rules in the Fellegi-Sunter Model of Record Linkage", 1990). Symmetric. Two empty texts are equal.
 */
export function jaroWinkler(first: string, second: string): number {
  if (first === second) return 1;
  const { left, right } = unitTexts(first, second);
  const matches = match(left, right);
  if (matches === 0) return 0;
  const inOrder = matches - Math.floor(outOfOrder(right, matches) / 2);
  const jaro = (matches / left.length + matches / right.length + inOrder / matches) / 3;
  return jaro + commonPrefix(left, right) * PREFIX_WEIGHT * (1 - jaro);
}

/** Pairs each character of `left` with the first free equal one of `right` within the window. */
function match(left: string, right: string): number {
  const window = Math.max(0, (Math.max(left.length, right.length) >> 1) - 1);
  const rightLength = right.length;
  let matches = 0;
  takenInRight.fill(0, 0, rightLength);
  for (let index = 0; index < left.length; index += 1) {
    const unit = left.charCodeAt(index);
    const end = Math.min(rightLength, index + window + 1);
    for (let other = Math.max(0, index - window); other < end; other += 1) {
      if (right.charCodeAt(other) !== unit || takenInRight[other] !== 0) continue;
      takenInRight[other] = 1;
      matchedOfLeft[matches] = unit;
      matches += 1;
      break;
    }
  }
  return matches;
}

/** How many of the matched characters come at another place among the matched ones of `right`. */
function outOfOrder(right: string, matches: number): number {
  let differing = 0;
  let position = 0;
  for (let matched = 0; matched < matches; matched += 1) {
    while (takenInRight[position] === 0) position += 1;
    if (right.charCodeAt(position) !== matchedOfLeft[matched]) differing += 1;
    position += 1;
  }
  return differing;
}

function commonPrefix(left: string, right: string): number {
  const longest = Math.min(LONGEST_PREFIX, left.length, right.length);
  let length = 0;
  while (length < longest && left.charCodeAt(length) === right.charCodeAt(length)) length += 1;
  return length;
}
