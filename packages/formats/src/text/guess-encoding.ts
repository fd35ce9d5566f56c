import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import type { TextEncoding } from './decoder';

export interface EncodingGuess {
  encoding: TextEncoding;
  /** Another encoding that gives another text and is nearly as likely; null where there is none. */
  rival: TextEncoding | null;
}

interface Language {
  script: Script;
  /** Letters beyond ASCII, in lower case. */
  letters: string;
  /** Letters that never follow each other. */
  never?: RegExp;
}

type Script = 'Latin' | 'Cyrillic' | 'Greek' | 'Hebrew' | 'Arabic' | 'Thai' | 'Asian';

const latin = (...letters: string[]): Language[] => letters.map((own) => ({ script: 'Latin', letters: own }));
const western = latin(
  'äöüß',
  'àâæçéèêëîïôœùûüÿ',
  'áéíóúüñ',
  'ãõáâàçéêíóôúü',
  'àèéìíîòóù',
  'åäöé',
  'æøåé',
  'ðþýáéíóúæö',
  'àçèéíïòóúü',
  'éëïóöü',
);
const polish: Language = { script: 'Latin', letters: 'ąćęłńóśźż', never: /[ńęą][aeiouyąęó]/giu };
const romanian: Language = { script: 'Latin', letters: 'ăâîşţșț', never: /ă[oeă]|[îâ]s\b/giu };
const central = [polish, romanian, ...latin('áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'čćđšž', 'äöüß')];
/** No word of three letters is without a vowel. */
const noVowel = /(?<!\p{L})[^\P{L}аеёиоуыэюяіїє]{3,}(?!\p{L})/giu;
const russian: Language[] = [
  { script: 'Cyrillic', letters: 'абвгдежзийклмнопрстуфхцчшщъыьэюяё', never: noVowel },
  { script: 'Cyrillic', letters: 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя', never: noVowel },
];
const ukrainian = russian.slice(1);
const serbian: Language = { script: 'Cyrillic', letters: 'абвгдђежзијклљмнњопрстћуфхцчџш' };
const baltic = latin('ąčęėįšųūž', 'āčēģīķļņšūž', 'äõöüšž');
const turkish = latin('çğıöşüi\u0307âîû');
/** Windows has the tones of Vietnamese as characters of their own. */
const vietnamese = latin('ăâđêôơưàáèéìíòóùúý\u0300\u0301\u0303\u0309\u0323');
const thaiConsonant = '[\u0e01-\u0e2e]';
const rareThai = 'ฃฅฌฎฏฑฒฤฦ๏๚๛';
/** Vowels that no consonant follows, signs above or below none, and letters of few words. */
const thai: Language = {
  script: 'Thai',
  letters: '',
  never: new RegExp(`[เแโใไ](?!${thaiConsonant})|(?<![\\p{Mn}]|${thaiConsonant})\\p{Mn}|[${rareThai}]`, 'gu'),
};
/** One sigma ends words, the other does not, and no word of three letters is without a vowel. */
const notGreek = /(?<=\p{L})σ(?!\p{L})|ς(?=\p{L})|(?<!\p{L})[^\P{L}αεηιουωάέήίόύώϊϋΐΰΑΕΗΙΟΥΩΆΈΉΊΌΎΏ]{3,}(?!\p{L})/gu;
const greek: Language[] = [{ script: 'Greek', letters: 'αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ', never: notGreek }];
const ofScript = (script: Script): Language[] => [{ script, letters: '' }];

interface EncodingCandidate {
  encoding: TextEncoding;
  languages: readonly Language[];
  /** Added to the score: the more frequent, the likelier. */
  prior: number;
  /** Names that the detector of encodings uses. */
  detected: readonly string[];
}

const candidate = (
  encoding: TextEncoding,
  languages: readonly Language[],
  prior: number,
  ...detected: string[]
): EncodingCandidate => ({
  encoding,
  languages,
  prior,
  detected,
});

const candidates: readonly EncodingCandidate[] = [
  candidate('windows-1252', western, 0.06, 'windows-1252', 'ISO-8859-1'),
  candidate('iso-8859-15', western, 0.04, 'ISO-8859-1'),
  candidate('windows-1250', central, 0.03, 'windows-1250', 'ISO-8859-2'),
  candidate('windows-1251', [...russian, serbian], 0.03, 'windows-1251'),
  candidate('windows-1254', turkish, 0.03, 'windows-1254', 'ISO-8859-9'),
  candidate('windows-1253', greek, 0.03, 'windows-1253', 'ISO-8859-7'),
  candidate('windows-1257', baltic, 0, 'windows-1257'),
  candidate('iso-8859-2', central, 0.02, 'ISO-8859-2'),
  candidate('koi8-r', russian, 0, 'KOI8-R'),
  candidate('iso-8859-5', [...russian, serbian], -0.02, 'ISO-8859-5'),
  candidate('ibm866', russian, -0.02),
  candidate('ibm850', western, -0.02),
  candidate('ibm852', central, -0.03),
  candidate('macintosh', western, -0.2),
  // Rare encodings are listed so that their files are not taken for files in a common one.
  candidate('windows-1258', vietnamese, -0.05),
  candidate('koi8-u', ukrainian, -0.01, 'KOI8-R'),
  candidate('ibm857', turkish, -0.03),
  candidate('ibm860', latin('ãõáâàçéêíóôúü'), -0.05),
  candidate('ibm861', latin('ðþýáéíóúæö'), -0.05),
  candidate('ibm775', baltic, -0.05),
  candidate('iso-8859-4', baltic, -0.05),
  candidate('ibm737', greek, -0.03),
  candidate('ibm869', greek, -0.05),
  candidate('macgreek', greek, -0.05),
  candidate('ibm855', [...russian, serbian], -0.05),
  candidate('ibm1125', ukrainian, -0.03),
  candidate('mik', russian.slice(0, 1), -0.05),
  candidate('maccyrillic', [...russian, serbian], -0.03),
  candidate('maccenteuro', central, -0.22),
  candidate('macturkish', turkish, -0.2),
  candidate('ibm862', ofScript('Hebrew'), -0.05),
  candidate('iso-8859-6', ofScript('Arabic'), -0.03, 'ISO-8859-6'),
  candidate('windows-1255', ofScript('Hebrew'), 0, 'windows-1255', 'ISO-8859-8'),
  candidate('windows-1256', ofScript('Arabic'), 0, 'windows-1256'),
  candidate('windows-874', [thai], -0.05, 'windows-874'),
  candidate('shift_jis', ofScript('Asian'), 0.02, 'Shift_JIS'),
  candidate('gbk', ofScript('Asian'), 0.02, 'GB18030'),
  candidate('gb18030', ofScript('Asian'), 0, 'GB18030'),
  candidate('big5', ofScript('Asian'), 0, 'Big5'),
  candidate('euc-jp', ofScript('Asian'), 0, 'EUC-JP'),
  candidate('euc-kr', ofScript('Asian'), 0, 'EUC-KR'),
];

/** A lead of less leaves a doubt. */
const clearLead = 0.1;
const minScore = 0.3;
const detectorWeight = 0.4;

/**
 * Guesses the encoding of text that is not UTF-8: the one whose letters, words and capitals are those of a language,
 * with the opinion of a detector that knows the frequent characters of each. `sample` holds cells with bytes beyond
 * ASCII.
 */
export function guessEncoding(sample: Buffer): EncodingGuess {
  const opinions = new Map(analyse(sample).map(({ name, confidence }) => [String(name), confidence / 100]));
  const guesses = candidates
    .map(({ encoding, languages, prior, detected }) => {
      const text = iconv.decode(sample, encoding, { stripBOM: false });
      const opinion = Math.max(0, ...detected.map((name) => opinions.get(name) ?? 0));
      return { encoding, text, score: plausibility(text, languages) + prior + opinion * detectorWeight };
    })
    .sort((a, b) => b.score - a.score);
  const [best] = guesses as [(typeof guesses)[number]];
  const bytes = sample.filter((byte) => byte >= 0x80).length;
  const isShort = bytes <= (latinEncodings.has(best.encoding) ? fewBytes : fewForeignBytes);
  const others = guesses.filter(({ text }) => text !== best.text);
  const rival = (isShort ? others.find(({ encoding }) => encoding === usualEncoding) : undefined) ?? others[0];
  const usual = iconv.decode(sample, usualEncoding);
  if (isOnlySigns(usual)) {
    const other = guesses.find(({ text }) => text !== usual);
    return { encoding: usualEncoding, rival: other?.encoding ?? null };
  }
  const isLead = best.score >= minScore && best.score - (rival?.score ?? 0) >= clearLead;
  const isClear = rival === undefined || (isLead && !isShort);
  return { encoding: best.encoding, rival: isClear ? null : rival.encoding };
}

const usualEncoding = 'windows-1252';
/** So few bytes beyond ASCII prove no encoding. */
const fewBytes = 2;
/** Short texts are words in several encodings, of other scripts or with two bytes for a character. */
const fewForeignBytes = 8;
const latinEncodings: ReadonlySet<string> = new Set(
  candidates.filter(({ languages }) => languages[0]?.script === 'Latin').map(({ encoding }) => encoding),
);

/** Signs where programs and people write them: `£5`, `20 m³`, `Nº`, `“so”`. Other encodings have letters there. */
const signInPlace = new RegExp(
  '(?<![^\\p{ASCII}\u00a0])(?:(?<!\\p{L})[£¥¢±½¼¾×÷](?!\\p{L})|(?<!\\p{L})§+|°|€(?!\\p{L})|(?<!\\p{L})µ' +
    '|(?<!\\p{L}\\p{L})[ºª](?!\\p{L})|(?<!\\p{L}{3})[²³](?!\\p{L})|(?<!\\p{L})[–—•©](?!\\p{L})|…(?!\\p{L})' +
    '|(?<=\\p{L})[’™®](?!\\p{L}{4})|(?<=[sS])’)(?![^\\p{ASCII}\u00a0])',
  'gu',
);
/** Quotation marks around words. */
const quoted = /(?<!\p{L})(?:[“„](?! )([^“”„\n]{1,80})(?<! )[”“]|[‘‚](?! )([^‘’‚\n]{1,80})(?<! )[’‘])(?!\p{L})/gu;
/** Removes quotation marks around words. */
const unquoted = (text: string): string => text.replace(quoted, '$1$2');

/** Returns whether a text has no letter beyond ASCII, but signs in their places. */
function isOnlySigns(text: string): boolean {
  const rest = unquoted(text).replace(signInPlace, '');
  return rest.length < text.length && !/[^\p{ASCII}\u00a0]/u.test(rest);
}

const wordPattern = /[\p{L}\p{M}]+/gu;
const scripts: readonly [Script, RegExp][] = [
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Asian', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆０-９Ａ-Ｚａ-ｚ]/u],
];
const broken = /[\ufffd\u0080-\u009f\ue000-\uf8ff]/gu;
const usualSigns = /[€£§°«»„“”‘’‚–—…·•ªº¿¡™®©½\u00a0、。（）「」・：；，％／ー－～\u3000]/gu;
const signInWord = /\p{L}[^\p{L}\p{M}\p{ASCII}’‘·–—・]\p{L}/gu;
const points = { broken: -2, sign: 0.2, oddSign: -0.6, signInWord: -1, mixedWord: -1, oddCase: -0.8, foreign: -0.4 };

/** Judges a decoded text, per character beyond ASCII: 1 where all are letters of one language in plausible words. */
function plausibility(whole: string, languages: readonly Language[]): number {
  const beyond = whole.match(/\P{ASCII}/gu)?.length ?? 0;
  if (beyond === 0) return 0;
  const bare = unquoted(whole);
  const inPlace = whole.length - bare.length + (bare.match(signInPlace)?.length ?? 0);
  const text = inPlace === 0 ? whole : bare.replace(signInPlace, ' ');
  const brokenCount = text.match(broken)?.length ?? 0;
  const signs = text.match(/[^\p{L}\p{M}\p{ASCII}]/gu)?.length ?? 0;
  const usual = text.match(usualSigns)?.length ?? 0;
  const odd = Math.max(0, signs - usual - brokenCount);
  const inWords = text.match(signInWord)?.length ?? 0;
  const words = (text.match(wordPattern) ?? []).filter((word) => /\P{ASCII}/u.test(word));
  const ofWords = Math.max(
    ...languages.map((language) => words.reduce((sum, word) => sum + wordPoints(word, language), 0)),
  );
  const total =
    inPlace +
    brokenCount * points.broken +
    usual * points.sign +
    odd * points.oddSign +
    inWords * points.signInWord +
    ofWords;
  return total / beyond;
}

function wordPoints(word: string, { script, letters, never }: Language): number {
  const beyond = [...word].filter((character) => /\P{ASCII}/u.test(character));
  if (script !== 'Latin') {
    const own = scripts.find(([name]) => name === script)?.[1] as RegExp;
    const count = beyond.filter((character) => own.test(character)).length;
    const isMixed = script !== 'Asian' ? /[A-Za-z]/.test(word) : /[A-Za-z]/.test(word) && count < 3;
    if (isMixed) return beyond.length * points.mixedWord;
    if (script === 'Asian') return count * asianShare(word) + (beyond.length - count) * points.foreign;
    const known =
      letters === '' ? count : beyond.filter((character) => letters.includes(character.toLowerCase())).length;
    const odd = oddCases(word) + impossibleIn(word, never);
    return known + (beyond.length - known) * points.foreign + odd * points.oddCase;
  }
  // In a Latin word most letters are ASCII.
  if (beyond.length * 4 > word.length * 3 && word.length > 2) return beyond.length * points.mixedWord;
  const known = beyond.filter((character) => letters.includes(character.toLowerCase())).length;
  const others = beyond.filter((character) => !/\p{Script=Latin}/u.test(character)).length;
  const odd = oddCases(word) + impossibleIn(word, never);
  return known + (beyond.length - known) * points.foreign + others * points.mixedWord + odd * points.oddCase;
}

const impossibleIn = (word: string, never: RegExp | undefined): number =>
  never === undefined ? 0 : (word.match(never)?.length ?? 0);

/**
 * Kana are surer than characters that several encodings have; so is hangul of frequent syllables, which does not stand
 * among those.
 */
function asianShare(word: string): number {
  if (/\p{Script=Hangul}/u.test(word) && /\p{Script=Han}/u.test(word)) return 0.2;
  if (/[ｦ-ﾟ]/u.test(word)) return /\p{Script=Han}/u.test(word) ? 0.2 : 0.8;
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)) return 1;
  const hangul = word.match(/[가-힣]/gu) ?? [];
  if (hangul.length > 0) return 1 - (hangul.filter(isRareSyllable).length / hangul.length) * 0.9;
  return 0.85;
}

/** Initial consonants, vowels and endings of syllables that few words of Korean have, by their numbers in Unicode. */
const rareInitials: ReadonlySet<number> = new Set([1, 4, 8, 10, 13]);
const rareVowels: ReadonlySet<number> = new Set([3, 10, 12, 14, 15, 16, 17, 19]);
const usualEndings: ReadonlySet<number> = new Set([0, 1, 4, 8, 16, 17, 19, 20, 21]);

function isRareSyllable(syllable: string): boolean {
  const at = syllable.charCodeAt(0) - 0xac00;
  const vowel = Math.floor(at / 28) % 21;
  return rareInitials.has(Math.floor(at / 588)) || rareVowels.has(vowel) || !usualEndings.has(at % 28);
}

/** Counts capitals behind small letters, and small letters between capitals. */
function oddCases(word: string): number {
  return (word.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0) + (word.match(/\p{Lu}(?!ß)\p{Ll}\p{Lu}/gu)?.length ?? 0);
}
