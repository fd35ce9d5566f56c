import { comparedPart } from './characters';
import { refuse, refuseType } from './failure';
import { memoiseTexts } from './memo';
import { normalizeText } from './normalize';

const functionName = 'wordCosine';

/** The words of a text with the squares of their weights. */
interface WordVector {
  squares: ReadonlyMap<string, number>;
  sum: number;
}

/** Weights in one expression; a rule set has few of them. */
const maxKeptWeights = 16;

const vectorsOfWeights = new Map<string, (text: string) => WordVector>();

/**
 * Returns the cosine of the words of two texts, 0 to 1. Words are those of the normalised texts, of their first 1,024
 * characters; `WD-40` is also the word `wd40`. A word weighs 1 unless `weights` gives its weight, as in `the=0.1`.
 */
export function wordCosine(first: unknown, second: unknown, weights?: unknown): number | undefined {
  const left = textOf(first, 1);
  const right = textOf(second, 2);
  const vectorOf = vectorsBy(textOf(weights, 3) ?? '');
  if (left === undefined || right === undefined) return undefined;
  if (left === right) return 1;
  const [one, other] = [vectorOf(comparedPart(left)), vectorOf(comparedPart(right))];
  const [few, many] = one.squares.size <= other.squares.size ? [one, other] : [other, one];
  if (few.sum === 0 || many.sum === 0) return few.sum === many.sum ? 1 : 0;
  let common = 0;
  for (const [word, square] of few.squares) if (many.squares.has(word)) common += square;
  return Math.min(1, common / Math.sqrt(few.sum * many.sum));
}

function textOf(value: unknown, argument: number): string | undefined {
  return value === undefined || typeof value === 'string' ? value : refuseType(functionName, argument);
}

function vectorsBy(weights: string): (text: string) => WordVector {
  const known = vectorsOfWeights.get(weights);
  if (known !== undefined) return known;
  const read = readWeights(weights);
  const made = memoiseTexts((text: string) => vectorOf(text, read));
  if (vectorsOfWeights.size === maxKeptWeights) vectorsOfWeights.clear();
  vectorsOfWeights.set(weights, made);
  return made;
}

function readWeights(text: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of text.split(/\s+/u)) {
    if (part === '') continue;
    const at = part.lastIndexOf('=');
    const weight = Number(part.slice(at + 1));
    if (at < 1 || !(weight >= 0 && weight <= 1) || part.endsWith('='))
      refuse('weights_invalid', functionName, part, 'is no weight such as the=0.1, from 0 to 1');
    weights.set(part.slice(0, at), weight);
  }
  return weights;
}

function vectorOf(text: string, weights: ReadonlyMap<string, number>): WordVector {
  const squares = new Map<string, number>();
  let sum = 0;
  for (const word of wordsOf(text)) {
    const square = (weights.get(word) ?? 1) ** 2;
    squares.set(word, square);
    sum += square;
  }
  return { squares, sum };
}

/** Returns the distinct words of the beginning of a text: those of all parts between its blanks. */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const part of blankParts(text)) for (const word of wordsOfPart(part)) words.add(word);
  return words;
}

/** Returns the parts of the beginning of a text between its blanks, as they come. */
export const blankParts = (text: string): string[] => comparedPart(text).split(/\s+/u);

/**
 * Returns the words of a part of a text, normalised. What punctuation divides and holds a digit, such as `WD-40`, is
 * also one word without it.
 */
export function wordsOfPart(part: string): string[] {
  const normal = normalizeText(part);
  if (normal === '') return [];
  const words = normal.split(' ');
  if (words.length > 1 && /\p{Nd}/u.test(normal)) words.push(words.join(''));
  return words;
}
