import { limits } from '../limits';
import type { RowFault } from '../types';

export interface ValueFault {
  code: RowFault;
  /** What is wrong, to go behind the name of the column. */
  message: string;
}

const unstorableCharacters = /[\0\ud800-\udfff]/u;

/** The database writes numbers out, 1e308 with 309 digits: a row could grow fiftyfold. */
export interface Allowance {
  digits: number;
}

/** What JSON writes with an exponent. */
const isWrittenOut = (size: number): boolean => size >= 1e21 || (size < 1e-6 && size > 0);

/** What keeps a value from being stored as JSON in the database, if anything does. `left` is what the row's values may have together. */
export function findUnstorable(value: unknown, left: Allowance, depth = 0): ValueFault | null {
  if (typeof value === 'string') {
    return unstorableCharacters.test(value)
      ? { code: 'unstorable_character', message: 'holds a NUL character or half of a surrogate pair. Remove it.' }
      : null;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { code: 'value_out_of_range', message: 'holds a number that is too large. Write it as text.' };
  }
  if (typeof value === 'number' && isWrittenOut(Math.abs(value))) {
    left.digits -= Math.abs(Math.log10(Math.abs(value)));
    if (left.digits < 0)
      return {
        code: 'value_out_of_range',
        message: `and the columns before it hold numbers of more than ${limits.digitsWrittenOut} digits. Write them as text.`,
      };
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= limits.depth)
    return { code: 'nested_too_deep', message: `is nested deeper than ${limits.depth}. Flatten it.` };
  for (const [key, inner] of Object.entries(value)) {
    const fault = findUnstorable(key, left, depth + 1) ?? findUnstorable(inner, left, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}
