import * as runtime from '../../expression/scalar/runtime';
import { beginNext } from '../../expression/limits/meter';
import type { ArithmeticOperator, OrderOperator } from '../../expression/scalar/runtime';
import { appendItem } from '../../expression/scalar/runtime/sequences';
import type { Fault } from '../../expression/fault';
import { ExpressionError } from '../../expression/error';
import { toPlain } from '../../expression/plain';
import { castBoolean, readExpressionScore, readMatcherValue } from '../../scoring/scoring';
import type { ExpressionScore, ResultReading } from '../../scoring/scoring';
import type { ScoreScale } from '../../definition/defaults';
import { valueCode } from '../columns/codes';
import type { StoredColumn } from '../columns/stored-columns';
import { Deferred } from '../columns/deferred';
import type { PairInput } from '../plan/nodes';

/**
 * What a pair's evaluation does where no shortcut applies: jsonata's operations on evaluated operands, and the reading of
 * results. Each is an evaluation of its own to the runtime's meter.
 */

/** Thrown for a result that only a promise will bring. */
export const pendingResult: RangeError = new RangeError('The reference is still evaluating.');

export function evaluatePair(evaluate: (input: PairInput) => unknown, input: PairInput): unknown {
  beginNext();
  const result = evaluate(input);
  if (!(result instanceof Promise)) return result;
  // Whoever compares the pair evaluates again and hears of the error then.
  result.catch(() => undefined);
  throw pendingResult;
}

export function arithmetic(operator: ArithmeticOperator, left: unknown, right: unknown): number | undefined {
  beginNext();
  return runtime.arithmetic(operator, left, right);
}

export function negate(value: unknown): number | undefined {
  beginNext();
  return runtime.negate(value);
}

export function order(operator: OrderOperator, left: unknown, right: unknown): boolean | undefined {
  beginNext();
  return runtime.order(operator, left, right);
}

/** Equality of two values that are defined. */
export function equalValues(left: unknown, right: unknown): boolean {
  beginNext();
  return runtime.deepEqual(left, right);
}

export function isTruthy(value: unknown): boolean {
  beginNext();
  return runtime.toBoolean(value) === true;
}

export function concat(left: unknown, right: unknown): string {
  beginNext();
  return runtime.concat(left, right);
}

export function includes(item: unknown, container: unknown): boolean {
  beginNext();
  return runtime.includes(item, container);
}

/** Contexts of calls are never used: see `takesAll`. An object is what jsonata would find there. */
const emptyContext = Object.freeze({});

export function call(name: string, given: readonly unknown[]): unknown {
  beginNext();
  try {
    return runtime.callBuiltin(name, given, emptyContext);
  } catch (error) {
    // jsonata's functions leave it to their caller to say which function failed.
    if (!(error instanceof Error)) (error as Fault).token ??= name;
    throw error;
  }
}

/** `[a, b]` of evaluated items. */
export function list(items: readonly unknown[]): unknown[] {
  beginNext();
  const array: unknown[] = [];
  for (const item of items) appendItem(array, item);
  return array;
}

/** The result of a filter or a gate. */
export function passes(result: unknown): boolean {
  beginNext();
  return castBoolean(toPlain(result));
}

/** A matcher's result as a share of 0..1; NaN abstains. */
export function matcherShare(result: unknown): number {
  beginNext();
  return read(readMatcherValue(toPlain(result)), 'matcher_result_type') ?? NaN;
}

/** The result of the one expression of a `jsonata` rule set. */
export function expressionScore(result: unknown, scale: ScoreScale): ExpressionScore {
  beginNext();
  return read(readExpressionScore(toPlain(result), scale), 'result_type');
}

function read<T>(reading: ResultReading<T>, code: string): T {
  if (!reading.ok) throw new ExpressionError(code, reading.problem);
  return reading.value;
}

/** `=` and `!=` where one of the two values has no code. */
export function uncodedEquality(
  operator: '=' | '!=',
  left: StoredColumn,
  leftRow: number,
  right: StoredColumn,
  rightRow: number,
): boolean {
  const leftIsKept = left.data[leftRow] === valueCode.NONE;
  const rightIsKept = right.data[rightRow] === valueCode.NONE;
  const leftValue = leftIsKept ? settled(left.valueAt(leftRow)) : undefined;
  const rightValue = rightIsKept ? settled(right.valueAt(rightRow)) : undefined;
  const leftCode = leftIsKept ? left.codeFor(leftValue) : left.data[leftRow];
  const rightCode = rightIsKept ? right.codeFor(rightValue) : right.data[rightRow];
  if (isNothing(leftCode) || isNothing(rightCode)) return false;
  const equal =
    leftIsKept && rightIsKept
      ? equalValues(leftValue, rightValue)
      : leftCode === rightCode && leftCode !== valueCode.NONE && leftCode !== valueCode.UNKNOWN;
  return operator === '=' ? equal : !equal;
}

/** What a column holds, once a pair needs it. */
export function settled(value: unknown): unknown {
  return value instanceof Deferred ? value.settle() : value;
}

/** Throws the error that a column holds; a value is not made for that. */
export function raiseError(value: unknown): void {
  if (value instanceof Deferred) value.raise();
}

function isNothing(code: unknown): boolean {
  return code === valueCode.LEFT_NOTHING || code === valueCode.RIGHT_NOTHING;
}
