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

/** Marks the words of a text that the other one has too, whatever their case and accents. */
function piecesOf(text: string, other: string): TextPiece[] {
  const known = new Set(wordsOf(other).filter(isWord).map(fold));
  const pieces: TextPiece[] = [];
  for (const word of wordsOf(text)) {
    const isShared = isWord(word) ? known.has(fold(word)) : (pieces.at(-1)?.isShared ?? false);
    const last = pieces.at(-1);
    if (last?.isShared === isShared) last.text += word;
    else pieces.push({ text: word, isShared });
  }
  return pieces;
}

function likenessOf(left: string, right: string): TextLikeness {
  if (left === '' || right === '') return 'oneSided';
  if (fold(left) === fold(right)) return 'equal';
  if (left.trim() !== '' && Number(left) === Number(right)) return 'equal';
  return piecesOf(left, right).some(({ isShared }) => isShared) ? 'similar' : 'different';
}

/** The fields of two records, those of one name side by side; first what both have. */
export function comparedFields(left: Values, right: Values): ComparedField[] {
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const isBoth = (key: string): number => (Object.hasOwn(left, key) && Object.hasOwn(right, key) ? 0 : 1);
  return keys
    .sort((a, b) => isBoth(a) - isBoth(b))
    .map((key) => {
      const [one, two] = [textOfValue(left[key], maxCompared), textOfValue(right[key], maxCompared)];
      const likeness = likenessOf(one, two);
      const all = (text: string): TextPiece[] => (text === '' ? [] : [{ text, isShared: likeness === 'equal' }]);
      return likeness === 'similar'
        ? { key, left: piecesOf(one, two), right: piecesOf(two, one), likeness }
        : { key, left: all(one), right: all(two), likeness };
    });
}
