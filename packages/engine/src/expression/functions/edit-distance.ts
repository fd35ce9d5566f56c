import { distance } from 'fastest-levenshtein';
import { unitTexts } from './characters';

/**
 * 1 − (insertions, deletions and replacements) / (length of the longer text), of the first 1,024
 * characters. Symmetric. Two empty texts are equal.
 */
export function levenshteinSimilarity(first: string, second: string): number {
  if (first === second) return 1;
  const { left, right } = unitTexts(first, second);
  return 1 - distance(left, right) / Math.max(left.length, right.length);
}
