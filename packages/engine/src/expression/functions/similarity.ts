import { distance } from 'fastest-levenshtein';
import { maxComparedCharacters, unitTexts } from './characters';

const prefixWeight = 0.1;
const maxPrefixLength = 4;

/** Scratch space: a comparison runs to its end before the next one starts. */
const matchedOfLonger = new Uint16Array(maxComparedCharacters);
const takenInShorter = new Uint8Array(maxComparedCharacters);
/**
 * The places of each UTF-16 unit in the shorter text, ascending and counted from 1: the first one by unit, the next one
 * by place; 0 ends. `firstPlaceOf` is all zero between two comparisons.
 */
const firstPlaceOf = new Uint16Array(1 << 16);
const nextPlace = new Uint16Array(maxComparedCharacters + 1);

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
  const matches = match(shorter, longer, window);
  if (matches === 0) return 0;
  const inOrder = matches - (outOfOrder(shorter, matches) >> 1);
  return (matches / shorter.length + matches / longer.length + inOrder / matches) / 3;
}

/**
 * Marks the matched characters on both sides and gives their number. Places before the window are before all later ones
 * too, and the first one in it is taken, so each place is left behind once: the time is linear.
 */
function match(shorter: string, longer: string, window: number): number {
  for (let place = shorter.length; place > 0; place--) {
    const unit = shorter.charCodeAt(place - 1);
    nextPlace[place] = firstPlaceOf[unit] as number;
    firstPlaceOf[unit] = place;
    takenInShorter[place - 1] = 0;
  }
  let matches = 0;
  const end = Math.min(longer.length, shorter.length + window);
  for (let index = 0; index < end; index++) {
    const unit = longer.charCodeAt(index);
    let place = firstPlaceOf[unit] as number;
    while (place !== 0 && place - 1 < index - window) place = nextPlace[place] as number;
    firstPlaceOf[unit] = place;
    if (place === 0 || place - 1 > index + window) continue;
    firstPlaceOf[unit] = nextPlace[place] as number;
    takenInShorter[place - 1] = 1;
    matchedOfLonger[matches] = unit;
    matches++;
  }
  for (let index = 0; index < shorter.length; index++) firstPlaceOf[shorter.charCodeAt(index)] = 0;
  return matches;
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
