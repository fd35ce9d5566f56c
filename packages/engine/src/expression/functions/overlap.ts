import { comparedPart, unitTexts } from './characters';
import { memoiseLatest, memoiseTexts } from './memo';
import { wordsOf } from './token-set';

/** Returns the share of the shorter text with which the longer one begins, 0 to 1, of the first 1,024 characters. */
export function commonPrefixShare(first: string, second: string): number {
  if (first === second) return 1;
  const { left, right } = unitTexts(first, second);
  const length = Math.min(left.length, right.length);
  if (length === 0) return left.length === right.length ? 1 : 0;
  let at = 0;
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  return at / length;
}

const wordsOfPart = memoiseTexts((text: string): ReadonlySet<string> => wordsOf(text));
const keptWordsOf = (text: string): ReadonlySet<string> => wordsOfPart(comparedPart(text));
const leftWordsOf = memoiseLatest(keptWordsOf);

/**
 * Returns the share of the words of the text with fewer that the other one has too, 0 to 1. Words are those of the
 * normalised texts, of their first 1,024 characters. Two texts without words are equal.
 */
export function wordOverlapShare(first: string, second: string): number {
  if (first === second) return 1;
  const [left, right] = [leftWordsOf(first), keptWordsOf(second)];
  const [fewer, more] = left.size <= right.size ? [left, right] : [right, left];
  if (fewer.size === 0) return more.size === 0 ? 1 : 0;
  let common = 0;
  for (const word of fewer) if (more.has(word)) common++;
  return common / fewer.size;
}
