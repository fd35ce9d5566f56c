import { checkTextLength } from '../limits/bounds';
import { memoiseTexts } from './memo';

const ASCII_ONLY = /^[\x00-\x7f]*$/;
const NO_ASCII_WORD = /[^a-z0-9]+/g;

/**
 * Accents (the blocks of combining diacritical marks, Hebrew and Arabic vowel points), invisible
 * formatting characters and variation selectors. Other marks are parts of letters: the vowel signs of
 * Indic scripts, the voicing marks of kana.
 */
const DROPPED = new RegExp(
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
const NO_WORD = /[^\p{L}\p{N}\p{M}]+/gu;

/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
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
const UNDIVIDED = /[ßæœøłđðþħŧıς]/g;

/** Units in the longest compatibility form of one, U+FDFA. */
const LONGEST_FORM = 18;

/**
 * A text for comparing: compatibility forms resolved, accents removed, lower case, whatever is no
 * letter and no digit turned into one blank, no blanks at the ends. Letters of other scripts stay.
 * Throws `string_too_long` where the compatibility form might be.
 */
export const normalizeText = memoiseTexts(normalized);

function normalized(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase().replace(NO_ASCII_WORD, ' ').trim();
  checkTextLength(text.length * LONGEST_FORM);
  return text
    .normalize('NFKD')
    .replace(DROPPED, '')
    .toLowerCase()
    .replace(UNDIVIDED, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFKD')
    .replace(DROPPED, '')
    .normalize('NFC')
    .replace(NO_WORD, ' ')
    .trim();
}

const NO_ASCII_DIGIT = /[^0-9]+/g;
const NO_DECIMAL_DIGIT = /\P{Nd}+/gu;
const OTHER_DECIMAL_DIGIT = /(?![0-9])\p{Nd}/gu;
const DECIMAL_DIGIT = /^\p{Nd}$/u;

/** The decimal digits of a text, those of other scripts as 0 to 9. */
export function digitsOf(text: string): string {
  if (ASCII_ONLY.test(text)) return text.replace(NO_ASCII_DIGIT, '');
  return text.replace(NO_DECIMAL_DIGIT, '').replace(OTHER_DECIMAL_DIGIT, asciiDigit);
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
  while (DECIMAL_DIGIT.test(String.fromCodePoint(runStart - 1))) runStart -= 1;
  return String((point - runStart) % 10);
}
