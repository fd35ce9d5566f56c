import { ExpressionError } from '../expression/error';
import { parseExpression } from '../expression/compile';
import type { Issue } from '../definition/types';

/** Bound on the length of an expression in characters, not in UTF-16 units. */
export const maxExpressionLength = 65_536;
/** Bound on a tolerance in currency units: a larger one would make all amounts equal. */
export const maxAmountTolerance = 1e12;

export function expressionIssues(path: string, source: string): Issue[] {
  if (source.length > maxExpressionLength && [...source].length > maxExpressionLength) {
    return [issue(path, 'too_long', `must have at most ${maxExpressionLength} characters`)];
  }
  try {
    parseExpression(source);
    return [];
  } catch (error) {
    if (error instanceof ExpressionError) return [expressionIssue(path, error)];
    throw error;
  }
}

function expressionIssue(path: string, error: ExpressionError): Issue {
  const { code, position, token } = error;
  const where = [
    ...(position === undefined ? [] : [`position ${position}`]),
    ...(token === undefined ? [] : [`token ${token}`]),
  ];
  return {
    path,
    code,
    message: where.length === 0 ? error.message : `${error.message} (${where.join(', ')})`,
    ...(position === undefined ? {} : { position }),
    ...(token === undefined ? {} : { token }),
  };
}

export function issue(path: string, code: string, message: string): Issue {
  return { path, code, message };
}

/** Checks a number. An absent value is never an issue, in this and the following checks. */
export function numberBetween(path: string, value: number | undefined, min: number, max?: number): Issue[] {
  if (value === undefined || (Number.isFinite(value) && value >= min && (max === undefined || value <= max))) return [];
  return [{ path, code: 'out_of_range', message: rangeMessage('a number', min, max) }];
}

export function integerBetween(path: string, value: number | undefined, min: number, max?: number): Issue[] {
  if (value === undefined) return [];
  if (Number.isSafeInteger(value) && value >= min && (max === undefined || value <= max)) return [];
  return [{ path, code: 'out_of_range', message: rangeMessage('an integer', min, max) }];
}

export function oneOf(path: string, value: string | undefined, allowed: readonly string[]): Issue[] {
  if (value === undefined || allowed.includes(value)) return [];
  return [{ path, code: 'not_allowed', message: `must be one of ${allowed.join(', ')}` }];
}

export function present(path: string, value: string | undefined): Issue[] {
  return value?.trim() === '' ? [{ path, code: 'empty', message: 'must not be empty' }] : [];
}

/** Checks a dotted path. One step may end with a dot, as headers such as `Inv. No.` do. */
export function fieldPath(path: string, value: string | undefined): Issue[] {
  if (value?.includes('..') !== true && value?.startsWith('.') !== true) return present(path, value);
  return [issue(path, 'invalid_path', 'must be a field, or a path of fields with one dot between them')];
}

function rangeMessage(kind: string, min: number, max: number | undefined): string {
  return max === undefined ? `must be ${kind} >= ${min}` : `must be ${kind} from ${min} to ${max.toLocaleString('en')}`;
}
