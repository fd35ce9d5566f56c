import { fail } from '../../fault';
import { arityOf, callback } from './functions';
import { tick, tickItems } from '../../limits/meter';
import { isTruthy } from './operators';
import { addItem, emptySequence } from './sequences';
import { sortNative } from './sorting';
import type { FunctionValue } from './values';

/** `$count`. */
export function countOf(value: unknown): number {
  if (value === undefined) return 0;
  return Array.isArray(value) ? value.length : 1;
}

export function sumOf(numbers: readonly number[]): number {
  let total = 0;
  for (let index = 0; index < numbers.length; index++) total += numbers[index] as number;
  return total;
}

/** Null unless the value is an array of numbers with an item at least. */
export function tryNumbers(value: unknown, compute: (numbers: readonly number[]) => number): number | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  tickItems(value.length);
  for (let index = 0; index < value.length; index++) if (typeof value[index] !== 'number') return null;
  return compute(value as number[]);
}

function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** `$map` with a function. Not yet settled. */
export function mapItems(value: unknown, target: unknown): unknown {
  if (value === undefined) return undefined;
  const items = itemsOf(value);
  const call = callback(target as FunctionValue);
  const results = emptySequence();
  tick(items.length);
  for (let index = 0; index < items.length; index++) {
    const result = call(items[index], index, items);
    if (result !== undefined) addItem(results, result);
  }
  return results;
}

/** `$filter` with a function. Not yet settled. */
export function filterItems(value: unknown, target: unknown): unknown {
  if (value === undefined) return undefined;
  const items = itemsOf(value);
  const call = callback(target as FunctionValue);
  const kept = emptySequence();
  tick(items.length);
  for (let index = 0; index < items.length; index++) {
    if (isTruthy(call(items[index], index, items))) addItem(kept, items[index]);
  }
  return kept;
}

/** `$reduce` with a function, from the first item on. Not yet settled. */
export function reduceItems(value: unknown, target: unknown): unknown {
  if (value === undefined) return undefined;
  const items = itemsOf(value);
  const reducer = target as FunctionValue;
  const arity = arityOf(reducer);
  if (arity < 2) return fail({ code: 'D3050', index: 1 });
  tick(items.length);
  let result: unknown = items[0];
  for (let index = 1; index < items.length; index++) {
    if (arity === 2) result = reducer(result, items[index]);
    else if (arity === 3) result = reducer(result, items[index], index);
    else result = reducer(result, items[index], index, items);
  }
  return result;
}

/** `$sort` with a function. Not yet settled. */
export function sortItems(value: unknown, target: unknown): unknown {
  return value === undefined ? undefined : sortNative(itemsOf(value), target as FunctionValue);
}
