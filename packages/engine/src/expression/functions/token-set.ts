import { comparedPart } from './characters';
import { levenshteinSimilarity } from './similarity';
import { normalizeText } from './normalize';

/**
 * Compares the words of two texts, 0 to 1, whatever their order and repetition. The words are those of
 * the normalised texts (of their first 1,024 characters). With C the common words, and L and R the
 * other ones of each side, sorted and joined by blanks, it is the largest Levenshtein similarity among
 * C ~ C+L, C ~ C+R and C+L ~ C+R (the scheme of fuzzywuzzy's token_set_ratio): 1 where one side has
 * all words of the other. Two texts without words are equal, one without words is unlike all others.
 */
export function tokenSetSimilarity(first: string, second: string): number {
  if (first === second) return 1;
  const left = wordsOf(first);
  const right = wordsOf(second);
  if (left.size === 0 || right.size === 0) return left.size === right.size ? 1 : 0;
  const common = [...left].filter((word) => right.has(word)).sort();
  if (common.length === left.size || common.length === right.size) return 1;
  const shared = common.join(' ');
  const fullLeft = joined(common, left);
  const fullRight = joined(common, right);
  const whole = levenshteinSimilarity(fullLeft, fullRight);
  // The similarity of a text and its own beginning follows from their lengths.
  return Math.max(whole, shared.length / Math.min(fullLeft.length, fullRight.length));
}

/** The words of a normalised text, of its first 1,024 characters. */
export function wordsOf(text: string): Set<string> {
  const normalized = normalizeText(comparedPart(text));
  return new Set(normalized === '' ? [] : normalized.split(' '));
}

function joined(common: readonly string[], words: ReadonlySet<string>): string {
  const seen = new Set(common);
  return [...common, ...[...words].filter((word) => !seen.has(word)).sort()].join(' ');
}
