import { wordsOf } from '../expression/functions/word-cosine';
import { textHash } from '../values/text-hash';

/** Words of at most this many records are compared, whatever their share of all records. */
export const rareRecords = 50;

/** Returns the hashes of the distinct words of some texts, ascending; see `wordsOf`. */
export function wordCodes(texts: Iterable<string>): number[] {
  const codes = new Set<number>();
  for (const text of texts) for (const word of wordsOf(text)) codes.add(textHash(word));
  return [...codes].sort((one, other) => one - other);
}
