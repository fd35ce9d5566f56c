import { callNative } from './natives';

/** The text that `&` makes of a value that is there. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : (callNative('string', [value]) as string);
}
