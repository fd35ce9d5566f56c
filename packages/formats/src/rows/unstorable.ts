import { limits } from '../limits';
import type { RowFault } from '../types';

export interface ValueFault {
  code: RowFault;
  /** The fault, to follow the column's name. */
  message: string;
}

const unstorableCharacters = /[\0\ud800-\udfff]/u;

/**
 * The digits that a row may still use. The database writes numbers out, 1e308 with 309 digits: a row could grow
 * fiftyfold.
 */
export interface StorageAllowance {
  digits: number;
}

/** Returns whether JSON writes a number with an exponent. */
const isWrittenOut = (size: number): boolean => size >= 1e21 || (size < 1e-6 && size > 0);

/**
 * Finds the reason why a value cannot be stored as JSON in the database. `left` is the remaining allowance of the row.
 */
export function findUnstorable(value: unknown, left: StorageAllowance, depth = 0): ValueFault | null {
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
        message:
          `and the columns before it hold numbers of more than ${limits.digitsWrittenOut} digits. Write them as ` +
          'text.',
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
