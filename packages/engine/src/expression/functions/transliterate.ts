import type * as Transliteration from 'transliteration';
import { checkTextLength } from '../limits/bounds';
import { memoiseTexts } from './memo';

/** Loads the library on first use: its tables of all scripts take 5 MB, which most processes never need. */
declare const require: (name: 'transliteration') => typeof Transliteration;

const asciiOnly = /^[\x00-\x7f]*$/;

/**
 * Groups of letters that passports and banks do not write letter by letter: Greek ones by ELOT 743, the silent signs of
 * Cyrillic, and a Serbian letter by its Latin alphabet. They are written without accents.
 */
const groups: readonly [RegExp, string][] = [
  [/ου/giu, 'ou'],
  [/([αεη])υ(?=[βγδζλμνραεηιουω])/giu, '$1v'],
  [/([αεη])υ/giu, '$1f'],
  [/γγ/giu, 'ng'],
  [/γξ/giu, 'nx'],
  [/γχ/giu, 'nch'],
  [/(?<!\p{L})μπ/giu, 'b'],
  [/χ/giu, 'ch'],
  [/[ьъ]/giu, ''],
  [/ћ/giu, 'c'],
];
const greekAccent = /(\p{Script=Greek}\u0308?)\u0301/gu;

/** Units in the longest transliteration of one, with a margin. */
const maxExpansion = 32;

/** Writes a text in Latin letters. Throws `string_too_long` where the result might be. */
export const transliterated = memoiseTexts((text: string): string => {
  if (asciiOnly.test(text)) return text;
  checkTextLength(text.length * maxExpansion);
  return require('transliteration').transliterate(withLatinGroups(text));
});

function withLatinGroups(text: string): string {
  let result = text.normalize('NFD').replace(greekAccent, '$1').normalize('NFC');
  for (const [pattern, latin] of groups)
    result = result.replace(pattern, (found: string, ...rest: unknown[]) => {
      const [vowel] = rest;
      const [at, whole] = rest.slice(-2) as [number, string];
      const next = whole.charAt(at + found.length);
      return cased(latin.replace('$1', typeof vowel === 'string' ? vowel : ''), found, next);
    });
  return result;
}

/** Gives a group the case of the letters that it replaces. For a single letter, the next one decides the case. */
function cased(latin: string, found: string, next: string): string {
  if (found === found.toLowerCase()) return latin;
  const isCapital = (text: string): boolean => text !== text.toLowerCase() && text === text.toUpperCase();
  if (isCapital(found.length > 1 ? found : next)) return latin.toUpperCase();
  return latin.charAt(0).toUpperCase() + latin.slice(1);
}
