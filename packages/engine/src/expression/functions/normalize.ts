import { checkTextLength } from '../limits/bounds';
import { memoiseTexts } from './memo';

const asciiOnly = /^[\x00-\x7f]*$/;
const noAsciiWord = /[^a-z0-9]+/g;

/**
 * Accents (the blocks of combining diacritical marks, Hebrew and Arabic vowel points), invisible
 * formatting characters and variation selectors. Other marks are parts of letters: the vowel signs of
 * Indic scripts, the voicing marks of kana.
 */
const droppedCharacters = new RegExp(
  [
    '[\\u0300-\\u036f]',
    '[\\u1ab0-\\u1aff]',
    '[\\u1dc0-\\u1dff]',
    '[\\u20d0-\\u20ff]',
    '[\\ufe20-\\ufe2f]',
    '[\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7]',
    '[\\u0610-\\u061a\\u064b-\\u065f\\u0670]',
    '[\\ufe00-\\ufe0f]',
    '\\p{Cf}',
  ].join('|'),
  'gu',
);
const noWord = /[^\p{L}\p{N}\p{M}]+/gu;

/** Letters that Unicode does not take apart. */
const undividedLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
};
const undividedPattern = /[ßæœøłđðþħŧıς]/g;

/** Units in the longest compatibility form of one, U+FDFA. */
const maxFormLength = 18;

/**
 * Normalises a text for comparison: resolves compatibility forms, removes accents, lowers case, turns each run of
 * characters that are neither letters nor digits into one blank, and trims. Letters of other scripts stay. Throws
 * `string_too_long` where the compatibility form might be.
 */
export const normalizeText = memoiseTexts(normalized);

function normalized(text: string): string {
  if (asciiOnly.test(text)) return text.toLowerCase().replace(noAsciiWord, ' ').trim();
  checkTextLength(text.length * maxFormLength);
  return text
    .normalize('NFKD')
    .replace(droppedCharacters, '')
    .toLowerCase()
    .replace(undividedPattern, (letter) => undividedLetters[letter] ?? letter)
    .normalize('NFKD')
    .replace(droppedCharacters, '')
    .normalize('NFC')
    .replace(noWord, ' ')
    .trim();
}

const noAsciiDigit = /[^0-9]+/g;
const noDecimalDigit = /\P{Nd}+/gu;
const otherDecimalDigit = /(?![0-9])\p{Nd}/gu;
const decimalDigit = /^\p{Nd}$/u;

/** Returns the decimal digits of a text; digits of other scripts become 0 to 9. */
export function digitsOf(text: string): string {
  if (asciiOnly.test(text)) return text.replace(noAsciiDigit, '');
  return text.replace(noDecimalDigit, '').replace(otherDecimalDigit, asciiDigit);
}

/** There are fewer than a thousand decimal digits. */
const asciiDigits = new Map<string, string>();

function asciiDigit(digit: string): string {
  const known = asciiDigits.get(digit);
  if (known !== undefined) return known;
  const found = placeInRun(digit);
  asciiDigits.set(digit, found);
  return found;
}

/** Unicode keeps decimal digits in runs of ten, zero first; runs may follow each other. */
function placeInRun(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let runStart = point;
  while (decimalDigit.test(String.fromCodePoint(runStart - 1))) runStart--;
  return String((point - runStart) % 10);
}
