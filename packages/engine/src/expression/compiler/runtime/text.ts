import { checkTextLength } from '../../bounds';
import { builtins } from '../../reference';
import { focus } from './focus';
import { tickSearched, tickText } from './meter';

/** The text that `&` makes of a value that is there. */
export function stringOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const text = builtins().get('string')?.implementation.call(focus, value as never) as string;
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

/** `$contains` of two texts. */
export function containsText(text: string, part: string): boolean {
  tickSearched(text.length, part.length);
  return text.includes(part);
}
