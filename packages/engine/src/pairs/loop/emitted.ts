/**
 * Type of a generated value. `number` is finite; `optional` is a finite number, or NaN for nothing; `text` is a
 * string; `boolean` is true or false; `truth` is boolean with false for nothing too; `maybe` is true, false or
 * undefined; `value` is anything as jsonata has it.
 */
export type Shape = 'number' | 'optional' | 'text' | 'boolean' | 'truth' | 'maybe' | 'value';

/** A piece of source text without side effects. */
export interface Emitted {
  code: string;
  shape: Shape;
  /** Largest magnitude that a number can have. */
  bound: number;
}

/** Bound on results: with only one of them, the next operation stays finite. */
const maxSafeResult = 1e300;

export function emitted(code: string, shape: Shape): Emitted {
  return { code, shape, bound: Infinity };
}

export function isNumeric({ shape }: Emitted): boolean {
  return shape === 'number' || shape === 'optional';
}

export function isBooleanLike({ shape }: Emitted): boolean {
  return shape === 'boolean' || shape === 'truth' || shape === 'maybe';
}

/** Returns the bound of `left operator right` as a finite number; null when the result may be infinite. */
export function boundOf(operator: string, left: Emitted, right: Emitted, divisor: number | null): number | null {
  const bound = resultBound(operator, left.bound, right.bound, divisor);
  return bound <= maxSafeResult ? bound : null;
}

function resultBound(operator: string, left: number, right: number, divisor: number | null): number {
  if (operator === '+' || operator === '-') return left + right;
  if (operator === '*') return left * right;
  if (divisor === null || divisor === 0) return Infinity;
  return operator === '/' ? left / Math.abs(divisor) : left;
}

/** Writes a value as jsonata has it. */
export function asValue({ code, shape }: Emitted): string {
  return shape === 'optional' ? `(${code} === ${code} ? ${code} : undefined)` : code;
}

/** Writes the code of a condition: `$boolean` of the value, false for nothing. */
export function asCondition({ code, shape }: Emitted, otherwise: 'isTruthy' | 'passes'): string {
  switch (shape) {
    case 'number':
      return `(${code} !== 0)`;
    case 'optional':
      return `(${code} < 0 || ${code} > 0)`;
    case 'text':
      return `(${code} !== '')`;
    case 'boolean':
    case 'truth':
      return code;
    case 'maybe':
      return `(${code} === true)`;
    case 'value':
      return `(${code} === true || (${code} !== false && ${code} !== undefined && ${otherwise}(${code})))`;
  }
}

/** Returns the shape that holds the result of either branch. */
export function commonShape(one: Shape, other: Shape): Shape {
  if (one === other) return one;
  const pair = new Set([one, other]);
  if (pair.has('number') && pair.has('optional')) return 'optional';
  if (pair.has('boolean') && pair.has('truth')) return 'truth';
  if (pair.has('maybe') && (pair.has('boolean') || pair.has('truth'))) return 'maybe';
  return 'value';
}
