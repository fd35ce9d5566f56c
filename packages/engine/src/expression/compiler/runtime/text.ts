import { checkTextLength } from '../../bounds';
import { tickText } from './meter';
import { callNative } from './natives';

/** The text that `&` makes of a value that is there. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : (callNative('string', [value]) as string);
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
