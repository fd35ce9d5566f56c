import { textOfValue } from '../../parts/words';

/** A piece of a text, and whether the other text has it too. */
export interface TextPiece {
  text: string;
  isShared: boolean;
}

export type TextLikeness = 'equal' | 'similar' | 'different' | 'oneSided';

export interface ComparedField {
  key: string;
  left: TextPiece[];
  right: TextPiece[];
  likeness: TextLikeness;
}

type Values = Readonly<Record<string, unknown>>;

/** Longer texts are compared by their beginnings. */
const maxCompared = 400;

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu) ?? [];
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const isWord = (piece: string): boolean => /[\p{L}\p{N}]/u.test(piece);

const knownWords = (text: string, counts = isWord): ReadonlySet<string> =>
  new Set(wordsOf(text).filter(counts).map(fold));

/** Marks the words of a text that are known, whatever their case and accents. */
function piecesOf(text: string, known: ReadonlySet<string>): TextPiece[] {
  const pieces: TextPiece[] = [];
  for (const word of wordsOf(text)) {
    const isShared = isWord(word) ? known.has(fold(word)) : (pieces.at(-1)?.isShared ?? false);
    const last = pieces.at(-1);
    if (last?.isShared === isShared) last.text += word;
    else pieces.push({ text: word, isShared });
  }
  return pieces;
}

/** A text without its writing: the number that it is, or its letters. */
const plainOf = (text: string): string | number =>
  text.trim() === '' || Number.isNaN(Number(text)) ? fold(text) : Number(text);

function likenessOf(left: string, right: string): TextLikeness {
  if (left === '' || right === '') return 'oneSided';
  if (plainOf(left) === plainOf(right)) return 'equal';
  return piecesOf(left, knownWords(right)).some(({ isShared }) => isShared) ? 'similar' : 'different';
}

/** Says whether a word that fields of other names share says something: parts of dates and amounts do not. */
const isTelling = (word: string): boolean => word.length >= 3 && !/^\d{1,4}$/.test(word);

/** Returns a function that marks the parts of a text which also occur in some field of the other record. */
function marksOf(other: Values): (text: string) => TextPiece[] {
  const texts = Object.values(other)
    .map((value) => textOfValue(value, maxCompared))
    .filter((text) => text !== '');
  const whole = new Set(texts.map(plainOf));
  const words = knownWords(texts.join(' '), isTelling);
  return (text) => (text === '' ? [] : whole.has(plainOf(text)) ? [{ text, isShared: true }] : piecesOf(text, words));
}

/** Pairs the fields of two records by name; those that both have come first. */
export function comparedFields(left: Values, right: Values): ComparedField[] {
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const isBoth = (key: string): number => (Object.hasOwn(left, key) && Object.hasOwn(right, key) ? 0 : 1);
  const [markLeft, markRight] = [marksOf(right), marksOf(left)];
  return keys
    .sort((a, b) => isBoth(a) - isBoth(b))
    .map((key) => {
      const [one, two] = [textOfValue(left[key], maxCompared), textOfValue(right[key], maxCompared)];
      const likeness = likenessOf(one, two);
      const all = (text: string): TextPiece[] => [{ text, isShared: likeness === 'equal' }];
      if (likeness === 'oneSided') return { key, left: markLeft(one), right: markRight(two), likeness };
      return likeness === 'similar'
        ? { key, left: piecesOf(one, knownWords(two)), right: piecesOf(two, knownWords(one)), likeness }
        : { key, left: all(one), right: all(two), likeness };
    });
}
