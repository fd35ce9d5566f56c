import { refuseType } from './failure';
import { memoiseTexts } from './memo';
import { normalizeText } from './normalize';

const functionName = 'containsCode';

/** Letters and digits of a text without what is between them, and the places where one of its parts begins or ends. */
interface CodeText {
  text: string;
  /** Ascending, from 0 to the length of the text. */
  edges: ReadonlySet<number>;
}

const isDigit = (character: string): boolean => /\p{Nd}/u.test(character);

/** Parts are words, and inside a word its letters and its digits. */
const codeText = memoiseTexts((given: string): CodeText => {
  const words = normalizeText(given).split(' ');
  const edges = new Set<number>([0]);
  let text = '';
  for (const word of words) {
    let before: boolean | undefined;
    for (const character of word) {
      const digit = isDigit(character);
      if (before !== undefined && before !== digit) edges.add(text.length);
      before = digit;
      text += character;
    }
    edges.add(text.length);
  }
  return { text, edges };
});

/**
 * Returns whether a text holds a code, whatever their case and punctuation. The code must be whole: it is bounded by
 * another word, or by a change between letter and digit, so 1234 does not hold 123.
 */
export function containsCode(text: unknown, code: unknown): boolean | undefined {
  const whole = textOf(text, 1);
  const part = textOf(code, 2);
  if (whole === undefined || part === undefined) return undefined;
  const wanted = codeText(part).text;
  if (wanted === '') return false;
  const found = codeText(whole);
  for (let at = found.text.indexOf(wanted); at >= 0; at = found.text.indexOf(wanted, at + 1))
    if (found.edges.has(at) && found.edges.has(at + wanted.length)) return true;
  return false;
}

function textOf(value: unknown, argument: number): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : refuseType(functionName, argument);
}
