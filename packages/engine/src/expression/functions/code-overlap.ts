import { comparedPart } from './characters';
import { refuseType } from './failure';
import { memoiseTexts } from './memo';
import { normalizeText } from './normalize';

const functionName = 'codeOverlap';

/** Shorter words with a digit are sizes and counts; shorter numbers are also years. */
const minCodeLength = 4;
const minNumberLength = 5;

interface CodesOfText {
  codes: readonly string[];
  /** The hashes of the beginnings of the codes. */
  beginnings: Int32Array;
  /** Letters and digits of the whole text without what is between them. */
  squeezed: string;
  /** A bit for each hash of as many characters of it, wherever they are. */
  parts: Uint8Array;
}

const codesOf = memoiseTexts((text: string): CodesOfText => {
  const codes = new Set<string>();
  let squeezed = '';
  for (const token of text.split(/[\s,;()[\]"]+/u)) {
    let code = '';
    for (const part of token.split('/')) {
      const own = normalizeText(part).replaceAll(' ', '');
      squeezed += own;
      // All numbers of a series begin alike: the beginning of RE-2025/0017 alone is no code.
      if (isCode(code) && /^\p{Nd}+$/u.test(own)) code += own;
      else {
        if (isCode(code)) codes.add(code);
        code = own;
      }
    }
    if (isCode(code)) codes.add(code);
  }
  return {
    codes: [...codes],
    beginnings: Int32Array.from(codes, (code) => hashAt(code, 0)),
    squeezed,
    parts: partsOf(squeezed),
  };
});

function isCode(word: string): boolean {
  return word.length >= (/\p{L}/u.test(word) ? minCodeLength : minNumberLength) && /\p{Nd}/u.test(word);
}

/** Returns the hash of the characters from a place on that any code has. */
function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let unit = at; unit < at + minCodeLength; unit++) hash = Math.imul(hash ^ text.charCodeAt(unit), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}

/** Marks the hashes of all parts of a text, with about a byte for each of its characters. */
function partsOf(text: string): Uint8Array {
  const parts = new Uint8Array(2 ** Math.ceil(Math.log2(text.length + 1)));
  for (let at = 0; at + minCodeLength <= text.length; at++) {
    const hash = hashAt(text, at);
    parts[(hash >>> 3) & (parts.length - 1)]! |= 1 << (hash & 7);
  }
  return parts;
}

/** Returns whether a text may have a part with this hash: long texts have many codes, and hardly one of another. */
const mayHold = (parts: Uint8Array, hash: number): boolean =>
  ((parts[(hash >>> 3) & (parts.length - 1)] as number) & (1 << (hash & 7))) !== 0;

/**
 * Returns how well the best code of one text is found in the other: 1 whole, 0.7 without its last character, 0.5
 * without two, else 0 where both have codes and nothing where one has none. Codes hold a digit: 4 letters and digits,
 * or 5 digits. A number behind a slash belongs to the code before it.
 */
export function codeOverlap(first: unknown, second: unknown): number | undefined {
  const left = textOf(first, 1);
  const right = textOf(second, 2);
  if (left === undefined || right === undefined) return undefined;
  const [one, other] = [codesOf(comparedPart(left)), codesOf(comparedPart(right))];
  const best = Math.max(bestFound(one, other), bestFound(other, one));
  return best === 0 && (one.codes.length === 0 || other.codes.length === 0) ? undefined : best;
}

function bestFound({ codes, beginnings }: CodesOfText, { squeezed: text, parts }: CodesOfText): number {
  let best = 0;
  for (let at = 0; at < codes.length; at++) {
    if (!mayHold(parts, beginnings[at] as number)) continue;
    const code = codes[at] as string;
    const { length } = code;
    if (text.includes(code)) return 1;
    if (length >= minCodeLength + 2 && text.includes(code.slice(0, -1))) best = Math.max(best, 0.7);
    else if (length >= minCodeLength + 3 && text.includes(code.slice(0, -2))) best = Math.max(best, 0.5);
  }
  return best;
}

function textOf(value: unknown, argument: number): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : refuseType(functionName, argument);
}
