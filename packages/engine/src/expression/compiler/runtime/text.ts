import { checkTextLength } from '../../bounds';
import { callNative } from './natives';

/** The text that `&` makes of a value that is there. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : (callNative('string', [value]) as string);
}

/** `&` of two texts. */
export function joinTexts(left: string, right: string): string {
  checkTextLength(left.length + right.length);
  return left + right;
}
