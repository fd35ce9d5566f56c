import { checkTextLength } from '../../limits/bounds';
import { builtins } from '../../reference';
import { focus } from './focus';
import { tickSearched, tickText } from '../../limits/meter';

/** Converts a defined value to text as the operator `&` does. */
export function stringOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const text = builtins()
    .get('string')
    ?.implementation.call(focus, value as never) as string;
  tickText(text.length);
  return text;
}

/** `&` of two texts. */
export function joinTexts(left: string, right: string): string {
  const length = left.length + right.length;
  checkTextLength(length);
  tickText(length);
  return left + right;
}

export function lowerCase(text: string): string {
  tickText(text.length);
  return text.toLowerCase();
}

export function upperCase(text: string): string {
  tickText(text.length);
  return text.toUpperCase();
}

/** Returns whether two texts are equal in lower case, or in upper case, at the same cost as making these texts. */
export type SameInOneCase = (left: string, right: string) => boolean;

export const sameInLowerCase = sameIn(lowerCase);
export const sameInUpperCase = sameIn(upperCase);

const firstBeyondAscii = 128;

/**
 * A table instead of a branch: the letters that differ only in case vary for each pair of texts, so a branch would be
 * mispredicted.
 */
const upperCaseUnits = Uint8Array.from({ length: firstBeyondAscii }, (_, code) =>
  String.fromCharCode(code).toUpperCase().charCodeAt(0),
);

function sameIn(convert: (text: string) => string): SameInOneCase {
  return (left, right) => {
    const length = Math.min(left.length, right.length);
    for (let index = 0; index < length; index++) {
      const one = left.charCodeAt(index);
      const other = right.charCodeAt(index);
      // The context of a letter and the length of its other case are known for ASCII only.
      if ((one | other) >= firstBeyondAscii) return convert(left) === convert(right);
      if (upperCaseUnits[one] !== upperCaseUnits[other]) return charged(left, right, false);
    }
    // No letter maps to an empty text.
    return charged(left, right, left.length === right.length);
  };
}

function charged(left: string, right: string, same: boolean): boolean {
  tickText(left.length);
  tickText(right.length);
  return same;
}

/** `$contains` of two texts. */
export function containsText(text: string, part: string): boolean {
  tickSearched(text.length, part.length);
  return text.includes(part);
}
