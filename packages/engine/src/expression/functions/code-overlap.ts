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
  /** Letters and digits of the whole text without what is between them. */
  squeezed: string;
}

const codesOf = memoiseTexts((text: string): CodesOfText => {
  const codes = new Set<string>();
  let squeezed = '';
  for (const token of comparedPart(text).split(/[\s,;()[\]"/]+/u)) {
    const code = normalizeText(token).replaceAll(' ', '');
    squeezed += code;
    const min = /\p{L}/u.test(code) ? minCodeLength : minNumberLength;
    if (code.length >= min && /\p{Nd}/u.test(code)) codes.add(code);
  }
  return { codes: [...codes], squeezed };
});

/**
 * Returns how well the best code of one text is found in the other: 1 whole, 0.7 without its last character, 0.5
 * without two, else 0 where both have codes and nothing where one has none. Codes hold a digit: 4 letters and digits,
 * or 5 digits.
 */
export function codeOverlap(first: unknown, second: unknown): number | undefined {
  const left = textOf(first, 1);
  const right = textOf(second, 2);
  if (left === undefined || right === undefined) return undefined;
  const [one, other] = [codesOf(left), codesOf(right)];
  const best = Math.max(bestFound(one.codes, other.squeezed), bestFound(other.codes, one.squeezed));
  return best === 0 && (one.codes.length === 0 || other.codes.length === 0) ? undefined : best;
}

function bestFound(codes: readonly string[], text: string): number {
  let best = 0;
  for (const code of codes) {
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
