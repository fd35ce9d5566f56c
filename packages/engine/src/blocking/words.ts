import { memoiseTexts } from '../expression/functions/memo';
import { blankParts, wordsOfPart } from '../expression/functions/word-cosine';
import { textHash } from '../values/text-hash';

/** Words of at most this many records are compared, whatever their share of all records. */
export const rareRecords = 50;

const codesOfPart = memoiseTexts((part: string): readonly number[] => wordsOfPart(part).map(textHash));

/** Returns the hashes of the distinct words of some texts, ascending; see `wordsOf`. */
export function wordCodes(texts: Iterable<string>): number[] {
  const codes: number[] = [];
  for (const text of texts) for (const part of blankParts(text)) codes.push(...codesOfPart(part));
  codes.sort((one, other) => one - other);
  return codes.filter((code, at) => code !== codes[at - 1]);
}
