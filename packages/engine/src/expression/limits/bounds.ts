import { spend } from './meter';
import { ExpressionError } from '../error';

/** Characters of one text: 16 Mi. A process holds a few of these, and none of a hundred times the size. */
export const maxTextLength = 16 * 1024 * 1024;

/** Items of an array that is not a sequence. Sequences have their own limit. */
export const maxItems = 1_000_000;

/** Values that one walk over a value visits; values that share parts can be far larger than the memory they take. */
export const maxVisited = 1_000_000;

/** The cost of visiting a part, in steps: some 300 ns. */
const stepsPerVisit = 16;

/** Levels of nesting below the outermost part of a result, as of a record: storing and reading it is recursive. */
export const maxResultDepth = 64;

/** Characters of a picture: that of a date with all its parts has less than a hundred. */
export const maxPictureLength = 256;

/** Characters that a picture reads or writes. */
export const maxPicturedLength = 10_000;

/** Throws `string_too_long` for a text that must not be made. */
export function checkTextLength(length: number): void {
  if (length > maxTextLength)
    throw new ExpressionError('string_too_long', `A text may have up to ${maxTextLength} characters.`);
}

/** Throws `array_too_long` for an array that must not be made. */
export function checkItems(length: number): void {
  if (length > maxItems) throw new ExpressionError('array_too_long', `An array may have up to ${maxItems} items.`);
}

/** Throws `value_too_large` when a walk over a value has visited too much of it. */
export function checkVisited(nodes: number): void {
  if (nodes <= maxVisited) return;
  spend(stepsPerVisit * maxVisited);
  throw new ExpressionError('value_too_large', `A value may have up to ${maxVisited} parts.`);
}

/** Throws `nesting_too_deep` for a part of a result. */
export function checkDepth(depth: number): void {
  if (depth > maxResultDepth)
    throw new ExpressionError('nesting_too_deep', `A result may be nested up to ${maxResultDepth} levels.`);
}

/** Throws `picture_too_complex` for a picture of a number or date whose analysis could take long. */
export function checkPicture(picture: unknown): void {
  if (typeof picture === 'string' && picture.length > maxPictureLength) {
    throw new ExpressionError('picture_too_complex', `A picture may have up to ${maxPictureLength} characters.`);
  }
}

/** Throws `picture_too_complex` for a text that is too long to be read or written by a picture. */
export function checkPictured(length: number): void {
  if (length > maxPicturedLength) {
    throw new ExpressionError(
      'picture_too_complex',
      `A picture reads and writes up to ${maxPicturedLength} characters.`,
    );
  }
}

/** Throws when the JSON of a value would be too long, or the value has too many parts. Returns how many it has. */
export function checkJson(value: unknown): number {
  if (typeof value !== 'object') return 1;
  let length = 0;
  let nodes = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    checkVisited(++nodes);
    if (typeof next === 'string') checkTextLength((length += next.length));
    else if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (typeof next === 'object' && next !== null && !isFunctionObject(next)) {
      for (const [key, member] of Object.entries(next)) {
        length += key.length;
        open.push(member);
      }
    }
  }
  return nodes;
}

/** jsonata's functions keep a reference to their environment, which JSON omits. */
function isFunctionObject(value: object): boolean {
  return '_jsonata_lambda' in value || '_jsonata_function' in value;
}
