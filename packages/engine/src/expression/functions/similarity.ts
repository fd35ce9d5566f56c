import { distance } from 'fastest-levenshtein';
import { maxComparedCharacters, unitTexts } from './characters';

const prefixWeight = 0.1;
const maxPrefixLength = 4;
const wordBits = 32;

/** Scratch space: a comparison runs to its end before the next one starts. */
const matchedOfLonger = new Uint16Array(maxComparedCharacters);
const takenInShorter = new Uint8Array(maxComparedCharacters);
/** The positions of each UTF-16 unit in the shorter text, as bits. All zero between two comparisons. */
const placesOf = new Uint32Array(1 << 16);

/**
 * Jaro-Winkler similarity, 0 to 1, of the first 1,024 characters: prefix weight 0.1, prefixes up to 4,
 * half transpositions rounded down (W. E. Winkler, "String Comparator Metrics and Enhanced Decision
 * Rules in the Fellegi-Sunter Model of Record Linkage", 1990). Symmetric: a character takes the first
 * free equal one within the window, which from either side chooses the same pairs.
 */
export function jaroWinkler(first: string, second: string): number {
  if (first === second) return 1;
  const { left, right } = unitTexts(first, second);
  const jaro = left.length < right.length ? jaroOf(left, right) : jaroOf(right, left);
  return jaro === 0 ? 0 : jaro + commonPrefix(left, right) * prefixWeight * (1 - jaro);
}

function jaroOf(shorter: string, longer: string): number {
  const window = Math.max(0, (longer.length >> 1) - 1);
  const fitsWord = shorter.length <= wordBits;
  const matches = fitsWord ? matchByBits(shorter, longer, window) : matchByWalk(shorter, longer, window);
  if (matches === 0) return 0;
  const inOrder = matches - (outOfOrder(shorter, matches) >> 1);
  return (matches / shorter.length + matches / longer.length + inOrder / matches) / 3;
}

/** Marks the matched characters on both sides and gives their number. */
function matchByBits(shorter: string, longer: string, window: number): number {
  for (let index = 0; index < shorter.length; index++) {
    const unit = shorter.charCodeAt(index);
    placesOf[unit] = (placesOf[unit] ?? 0) | (1 << index);
    takenInShorter[index] = 0;
  }
  let matches = 0;
  const end = Math.min(longer.length, shorter.length + window);
  for (let index = 0; index < end; index++) {
    const unit = longer.charCodeAt(index);
    const places = placesOf[unit] ?? 0;
    if (places === 0) continue;
    const near = places & placesBetween(index - window, index + window);
    if (near === 0) continue;
    const place = near & -near;
    placesOf[unit] = places ^ place;
    takenInShorter[31 - Math.clz32(place)] = 1;
    matchedOfLonger[matches] = unit;
    matches++;
  }
  for (let index = 0; index < shorter.length; index++) placesOf[shorter.charCodeAt(index)] = 0;
  return matches;
}

/** Bits `from` to `to`, where `from` is below 32 and `to` is not negative. */
function placesBetween(from: number, to: number): number {
  const upTo = to >= wordBits - 1 ? -1 : (1 << (to + 1)) - 1;
  return from <= 0 ? upTo : upTo & (-1 << from);
}

function matchByWalk(shorter: string, longer: string, window: number): number {
  takenInShorter.fill(0, 0, shorter.length);
  let matches = 0;
  for (let index = 0; index < longer.length; index++) {
    const unit = longer.charCodeAt(index);
    const place = freePlace(shorter, unit, Math.max(0, index - window), Math.min(shorter.length, index + window + 1));
    if (place === -1) continue;
    takenInShorter[place] = 1;
    matchedOfLonger[matches] = unit;
    matches++;
  }
  return matches;
}

function freePlace(text: string, unit: number, from: number, to: number): number {
  for (let place = from; place < to; place++) {
    if (text.charCodeAt(place) === unit && takenInShorter[place] === 0) return place;
  }
  return -1;
}

/** Counts the matched characters that have another position among the matched ones of `shorter`. */
function outOfOrder(shorter: string, matches: number): number {
  let differing = 0;
  let place = 0;
  for (let matched = 0; matched < matches; matched++) {
    while (takenInShorter[place] === 0) place++;
    if (shorter.charCodeAt(place) !== matchedOfLonger[matched]) differing++;
    place++;
  }
  return differing;
}

function commonPrefix(left: string, right: string): number {
  const maxLength = Math.min(maxPrefixLength, left.length, right.length);
  let length = 0;
  while (length < maxLength && left.charCodeAt(length) === right.charCodeAt(length)) length++;
  return length;
}

/**
 * 1 − (insertions, deletions and replacements) / (length of the longer text), of the first 1,024
 * characters. Symmetric. Two empty texts are equal.
 */
export function levenshteinSimilarity(first: string, second: string): number {
  if (first === second) return 1;
  const { left, right } = unitTexts(first, second);
  return 1 - distance(left, right) / Math.max(left.length, right.length);
}
