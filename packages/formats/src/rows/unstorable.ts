import { limits } from '../limits';
import type { RowFault } from '../types';

export interface ValueFault {
  code: RowFault;
  /** What is wrong, to go behind the name of the column. */
  message: string;
}

const UNSTORABLE = /[\0\ud800-\udfff]/u;

/** What keeps a value from being stored as JSON in the database, if anything does. */
export function findUnstorable(value: unknown, depth = 0): ValueFault | null {
  if (typeof value === 'string') {
    return UNSTORABLE.test(value) ? { code: 'unstorable_character', message: 'holds a NUL character or half of a surrogate pair. Remove it.' } : null;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { code: 'value_out_of_range', message: 'holds a number that is too large. Write it as text.' };
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= limits.depth) return { code: 'nested_too_deep', message: `is nested deeper than ${limits.depth}. Flatten it.` };
  for (const [key, inner] of Object.entries(value)) {
    const fault = findUnstorable(key, depth + 1) ?? findUnstorable(inner, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}
