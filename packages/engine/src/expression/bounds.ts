import type { Bounds } from '../../generated/jsonata-sync';
import { ExpressionError } from './error';
import { createRegex } from './regex';

/** Characters of one text: 16 Mi. A process holds a few of these, and none of a hundred times the size. */
export const MAX_TEXT_LENGTH = 16 * 1024 * 1024;

/** Items of an array that is no sequence, which has a limit of its own. */
export const MAX_ITEMS = 1_000_000;

/** Values that one walk over a value visits; values that share parts can be far larger than the memory they take. */
export const MAX_VISITED = 5_000_000;

/** Characters of a picture: that of a date with all its parts has less than a hundred. */
export const MAX_PICTURE_LENGTH = 256;

/** Throws `string_too_long` for a text that must not be made. */
export function checkTextLength(length: number): void {
  if (length > MAX_TEXT_LENGTH) throw new ExpressionError('string_too_long', `A text may have up to ${MAX_TEXT_LENGTH} characters.`);
}

/** Throws `array_too_long` for an array that must not be made. */
export function checkItems(length: number): void {
  if (length > MAX_ITEMS) throw new ExpressionError('array_too_long', `An array may have up to ${MAX_ITEMS} items.`);
}

/** Throws `value_too_large` when a walk over a value has visited too much of it. */
export function checkVisited(nodes: number): void {
  if (nodes > MAX_VISITED) throw new ExpressionError('value_too_large', `A value may have up to ${MAX_VISITED} parts.`);
}

/** Throws `picture_too_complex` for a picture of a number or date whose analysis could take long. */
export function checkPicture(picture: unknown): void {
  if (typeof picture === 'string' && picture.length > MAX_PICTURE_LENGTH) {
    throw new ExpressionError('picture_too_complex', `A picture may have up to ${MAX_PICTURE_LENGTH} characters.`);
  }
}

/** Throws when the JSON of a value would be too long, or the value has too many parts. */
export function checkJson(value: unknown): void {
  let length = 0;
  let nodes = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    checkVisited(++nodes);
    if (typeof next === 'string') checkTextLength((length += next.length));
    else if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (typeof next === 'object' && next !== null) {
      for (const [key, member] of Object.entries(next)) {
        length += key.length;
        open.push(member);
      }
    }
  }
}

/** A date's pattern, run in linear time; jsonata asks for the whole match and its groups. */
function datePattern(source: string, flags: string): ReturnType<Bounds['pattern']> {
  const regex = createRegex(source, flags);
  return {
    exec(text) {
      const found = regex.exec(text, 0);
      return found === null ? null : [found.match, ...found.groups];
    },
  };
}

/** What both builds of jsonata ask, and compiled code where it does the work itself. */
export const bounds: Bounds = {
  text: checkTextLength,
  items: checkItems,
  visited: checkVisited,
  json: checkJson,
  picture: checkPicture,
  pattern: datePattern,
};
