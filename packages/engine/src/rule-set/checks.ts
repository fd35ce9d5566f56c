import type { Issue } from '../definition/types';

/** Checks of single values. An absent value is never an issue. */
export function numberBetween(path: string, value: number | undefined, least: number, most?: number): Issue[] {
  if (value === undefined || (Number.isFinite(value) && value >= least && (most === undefined || value <= most)))
    return [];
  return [{ path, code: 'out_of_range', message: rangeMessage('a number', least, most) }];
}

export function integerBetween(path: string, value: number | undefined, least: number, most?: number): Issue[] {
  if (value === undefined) return [];
  if (Number.isSafeInteger(value) && value >= least && (most === undefined || value <= most)) return [];
  return [{ path, code: 'out_of_range', message: rangeMessage('an integer', least, most) }];
}

export function oneOf(path: string, value: string | undefined, allowed: readonly string[]): Issue[] {
  if (value === undefined || allowed.includes(value)) return [];
  return [{ path, code: 'not_allowed', message: `must be one of ${allowed.join(', ')}` }];
}

export function present(path: string, value: string | undefined): Issue[] {
  return value?.trim() === '' ? [{ path, code: 'empty', message: 'must not be empty' }] : [];
}

function rangeMessage(kind: string, least: number, most: number | undefined): string {
  return most === undefined ? `must be ${kind} >= ${least}` : `must be ${kind} from ${least} to ${most}`;
}
