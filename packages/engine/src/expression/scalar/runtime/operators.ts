import { fail, giveUp } from '../../fault';
import { tick, tickItems } from '../../limits/meter';
import { isSequence } from './sequences';
import { joinTexts, stringOf } from './text';
import { isFunctionValue, isMarkedFunction, isNumeric, keysOf } from './values';

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';
export type OrderOperator = '<' | '<=' | '>' | '>=';

/** `+ - * / %` of already evaluated operands. */
export function arithmetic(operator: ArithmeticOperator, left: unknown, right: unknown): number | undefined {
  if (left !== undefined && !isNumeric(left)) fail({ code: 'T2001', value: left, token: operator });
  if (right !== undefined && !isNumeric(right)) fail({ code: 'T2002', value: right, token: operator });
  if (left === undefined || right === undefined) return undefined;
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
  }
}

export function negate(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  return isNumeric(value) ? -value : fail({ code: 'D1002', value, token: '-' });
}

/** `< <= > >=` of already evaluated operands. */
export function order(operator: OrderOperator, left: unknown, right: unknown): boolean | undefined {
  if (!isComparable(left) || !isComparable(right)) {
    const value = typeof left === 'string' || typeof left === 'number' ? right : left;
    fail({ code: 'T2010', value, token: operator });
  }
  if (left === undefined || right === undefined) return undefined;
  if (typeof left !== typeof right) fail({ code: 'T2009', value: left, value2: right, token: operator });
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}

function isComparable(value: unknown): value is string | number | undefined {
  return value === undefined || typeof value === 'string' || typeof value === 'number';
}

/** `=` of already evaluated operands. */
export function equals(left: unknown, right: unknown): boolean {
  return left !== undefined && right !== undefined && deepEqual(left, right);
}

/** `!=` of already evaluated operands: false when one is missing. */
export function differs(left: unknown, right: unknown): boolean {
  return left !== undefined && right !== undefined && !deepEqual(left, right);
}

/** Compares two values for equality by the rules of jsonata. */
export function deepEqual(left: unknown, right: unknown): boolean {
  // jsonata wraps a function again each time it is passed on, so only jsonata can compare two functions.
  if (typeof left === 'function' && typeof right === 'function') giveUp();
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) && Array.isArray(right)) return equalItems(left, right);
  // jsonata's sequences own a function, which nothing equals.
  if (isSequence(left) || isSequence(right)) return false;
  return equalMembers(left as Record<string, unknown>, right as Record<string, unknown>);
}

function equalItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  tickItems(left.length);
  for (let index = 0; index < left.length; index++) if (!deepEqual(left[index], right[index])) return false;
  return true;
}

/** The names that jsonata compares are all own ones: an empty array equals `{"length": 0}`. */
function equalMembers(left: Record<string, unknown>, right: Record<string, unknown>): boolean {
  const leftKeys = Object.getOwnPropertyNames(left);
  const rightKeys = Object.getOwnPropertyNames(right);
  tick(stepsTwoObjects + leftKeys.length);
  if (leftKeys.length !== rightKeys.length) return false;
  // Most have the same names in the same order.
  if (!leftKeys.every((key, index) => key === rightKeys[index] || Object.hasOwn(right, key))) return false;
  for (const key of leftKeys) if (!deepEqual(left[key], right[key])) return false;
  return true;
}

/** The cost of reading the names of two objects, in steps. */
const stepsTwoObjects = 4;

/** `$boolean`: undefined stays undefined, also as the only item of an array, however deep. */
export function toBoolean(value: unknown): boolean | undefined {
  const truthy = isTruthy(value);
  if (truthy) return true;
  let only = value;
  while (Array.isArray(only) && only.length === 1) only = only[0] as unknown;
  return only === undefined ? undefined : false;
}

/** Returns whether a condition holds. */
export function isTruthy(value: unknown): boolean {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value.length > 0;
    case 'number':
      return isNumeric(value) && value !== 0;
    case 'object':
      return value !== null && isTruthyObject(value);
    default:
      return false;
  }
}

function isTruthyObject(value: object): boolean {
  if (!Array.isArray(value)) return !isMarkedFunction(value) && keysOf(value).length > 0;
  tickItems(value.length);
  let truthy = false;
  // All items are checked: a number that is not finite is an error at any position.
  for (let index = 0; index < value.length; index++) if (isTruthy(value[index])) truthy = true;
  return truthy;
}

/** `&` of already evaluated operands. */
export function concat(left: unknown, right: unknown): string {
  const head = left === undefined ? '' : stringOf(left);
  const tail = right === undefined ? '' : stringOf(right);
  return joinTexts(head, tail);
}

/** `in` of already evaluated operands. */
export function includes(item: unknown, container: unknown): boolean {
  if (item === undefined || container === undefined) return false;
  if (isFunctionValue(item)) giveUp();
  if (!Array.isArray(container)) return container === item;
  tickItems(container.length);
  for (let index = 0; index < container.length; index++) if (container[index] === item) return true;
  return false;
}
