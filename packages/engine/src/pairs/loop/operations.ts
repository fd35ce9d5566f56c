import * as runtime from '../../expression/scalar/runtime';
import { beginNext } from '../../expression/limits/meter';
import type { ArithmeticOperator, OrderOperator } from '../../expression/scalar/runtime';
import { appendItem } from '../../expression/scalar/runtime/sequences';
import { located } from '../../expression/fault';
import type { Fault } from '../../expression/fault';
import { signatureOf } from '../../expression/scalar/lowering/native-signatures';
import { isOnly, typeOf } from '../../expression/scalar/value-types';
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
 * Operations that the generated loop calls where no inline code applies: jsonata's operations on evaluated operands,
 * and the reading of results. The runtime's meter counts each as a separate evaluation.
 */

/** Thrown for a result that is still pending. */
export const pendingResult: RangeError = new RangeError('The reference is still evaluating.');

export function evaluatePair(evaluate: (input: PairInput) => unknown, input: PairInput): unknown {
  beginNext();
  const result = evaluate(input);
  if (!(result instanceof Promise)) return result;
  // The comparer evaluates the pair again and receives the error.
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

/** Context of calls, which is never used: see `isContextFree`. jsonata would find an object there. */
const emptyContext = Object.freeze({});

export function call(name: string, given: readonly unknown[]): unknown {
  beginNext();
  try {
    return runtime.callBuiltin(name, given, emptyContext);
  } catch (error) {
    // jsonata's functions let their caller name the function that failed.
    if (!(error instanceof Error)) (error as Fault).token ??= name;
    throw error;
  }
}

type Caller = (...given: unknown[]) => unknown;

/**
 * Returns the function that a loop calls for one of jsonata's functions. Arguments of the types of its signature need
 * no check by jsonata, which takes longer than most of the functions.
 */
export function callerOf(name: string, count: number): Caller {
  const native = runtime.findNative(name);
  const signature = native === undefined ? null : signatureOf(native, count);
  if (native === undefined || signature === null) return (...given) => call(name, given);
  const direct = located(runtime.nativeDirect(native), {}, name);
  const kinds = signature.parameters.slice(0, count).map((parameter) => parameter.kinds);
  return (...given) => {
    for (let at = 0; at < count; at++) if (!isOnly(typeOf(given[at]), kinds[at]!)) return call(name, given);
    beginNext();
    return direct(given[0], given[1], given[2], given[3]);
  };
}

/** Builds `[a, b]` of evaluated items. */
export function list(items: readonly unknown[]): unknown[] {
  beginNext();
  const array: unknown[] = [];
  for (const item of items) appendItem(array, item);
  return array;
}

/** Reads the result of a filter or a gate. */
export function passes(result: unknown): boolean {
  beginNext();
  return castBoolean(toPlain(result));
}

/** Reads a matcher's result as a share of 0..1; NaN abstains. */
export function matcherShare(result: unknown): number {
  beginNext();
  return read(readMatcherValue(toPlain(result)), 'matcher_result_type') ?? NaN;
}

/** Reads the result of the expression of a `jsonata` rule set. */
export function expressionScore(result: unknown, scale: ScoreScale): ExpressionScore {
  beginNext();
  return read(readExpressionScore(toPlain(result), scale), 'result_type');
}

function read<T>(reading: ResultReading<T>, code: string): T {
  if (!reading.ok) throw new ExpressionError(code, reading.problem);
  return reading.value;
}

/** A row of a column. */
export interface ColumnCell {
  column: StoredColumn;
  row: number;
}

/** Compares two values by `=` or `!=` where one of them has no code. */
export function uncodedEquality(operator: '=' | '!=', left: ColumnCell, right: ColumnCell): boolean {
  const one = readCell(left);
  const other = readCell(right);
  if (isNothing(one.code) || isNothing(other.code)) return false;
  const equal =
    one.isKept && other.isKept
      ? equalValues(one.value, other.value)
      : one.code === other.code && one.code !== valueCode.uncoded && one.code !== valueCode.unknown;
  return operator === '=' ? equal : !equal;
}

/** Reads a cell of a column of codes: values without a code are kept next to the codes. */
function readCell({ column, row }: ColumnCell): { isKept: boolean; value: unknown; code: unknown } {
  const code = column.data[row];
  if (code !== valueCode.uncoded) return { isKept: false, value: undefined, code };
  const value = settled(column.valueAt(row));
  return { isKept: true, value, code: column.codeFor(value) };
}

/** Returns the value that a column holds, once a pair needs it. */
export function settled(value: unknown): unknown {
  return value instanceof Deferred ? value.settle() : value;
}

/** Throws the error that a column holds; no value is computed for that. */
export function raiseError(value: unknown): void {
  if (value instanceof Deferred) value.raise();
}

function isNothing(code: unknown): boolean {
  return code === valueCode.leftNothing || code === valueCode.rightNothing;
}
