import { normalizeText } from '../expression/functions/normalize';
import { textHash } from '../values/text-hash';

/** Longer texts are compared by their beginning, as functions of texts do. */
const maxCharacters = 1_024;

/**
 * Returns the hashes of the distinct words of some texts, ascending. Words are those of the normalised texts; what
 * punctuation divides and holds a digit, such as `WD-40`, is also one word without it.
 */
export function wordCodes(texts: Iterable<string>): number[] {
  const codes = new Set<number>();
  for (const text of texts) {
    for (const token of text.slice(0, maxCharacters).split(/\s+/u)) {
      const normal = normalizeText(token);
      if (normal === '') continue;
      const words = normal.split(' ');
      for (const word of words) codes.add(textHash(word));
      if (words.length > 1 && /\p{Nd}/u.test(normal)) codes.add(textHash(words.join('')));
    }
  }
  return [...codes].sort((one, other) => one - other);
}
