import { fail } from '../../fault';
import { tick } from '../../limits/meter';
import { isNumeric } from './values';
import type { FunctionValue } from './values';

export interface SortTerm {
  evaluate: (item: unknown) => unknown;
  descending: boolean;
}

/**
 * Merges as jsonata does, comparing the same items in the same order. `isBehind` returns whether the first item belongs
 * after the second.
 */
function mergeSort<T>(items: readonly T[], isBehind: (first: T, second: T) => boolean): T[] {
  if (items.length <= 1) return items.slice();
  const middle = Math.floor(items.length / 2);
  const left = mergeSort(items.slice(0, middle), isBehind);
  const right = mergeSort(items.slice(middle), isBehind);
  const merged: T[] = [];
  let at = 0;
  let other = 0;
  tick(items.length);
  while (at < left.length && other < right.length) {
    const first = left[at] as T;
    const second = right[other] as T;
    if (isBehind(first, second)) {
      merged.push(second);
      other++;
    } else {
      merged.push(first);
      at++;
    }
  }
  for (; at < left.length; at++) merged.push(left[at] as T);
  for (; other < right.length; other++) merged.push(right[other] as T);
  return merged;
}

interface Row {
  item: unknown;
  /** The values of the terms that a comparison has asked for. */
  keys: unknown[];
}

/** `^(term, …)`. What a block in front gives need not be an array, and is then as it was. */
export function sortByTerms(input: unknown, terms: readonly SortTerm[]): unknown {
  if (!Array.isArray(input) || input.length <= 1) return input;
  const rows = input.map((item): Row => ({ item, keys: [] }));
  return mergeSort(rows, (first, second) => compareRows(first, second, terms) === 1).map(({ item }) => item);
}

function compareRows(first: Row, second: Row, terms: readonly SortTerm[]): number {
  for (let index = 0; index < terms.length; index++) {
    const term = terms[index] as SortTerm;
    const comparison = compareKeys(keyOf(first, index, term), keyOf(second, index, term), term.descending);
    if (comparison !== 0) return comparison;
  }
  return 0;
}

/** Missing values are last, in either direction. */
function compareKeys(left: unknown, right: unknown, descending: boolean): number {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  if (!isSortable(left) || !isSortable(right)) return fail({ code: 'T2008', value: isSortable(left) ? right : left });
  if (typeof left !== typeof right) return fail({ code: 'T2007', value: left, value2: right });
  if (left === right) return 0;
  return left < right === descending ? 1 : -1;
}

function keyOf(row: Row, index: number, term: SortTerm): unknown {
  if (index >= row.keys.length) row.keys.push(term.evaluate(row.item));
  return row.keys[index];
}

function isSortable(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Implements `$sort(array, function)`. The function returns whether its first argument belongs after its second. */
export function sortNative(array: unknown[] | undefined, comparator: FunctionValue | undefined): unknown {
  if (array === undefined || array.length <= 1) return array;
  if (comparator === undefined) return sortPlain(array);
  return mergeSort(array, (first, second) => Boolean(comparator(first, second)));
}

function sortPlain(array: unknown[]): unknown {
  tick(array.length);
  const numbers = array.filter((item) => !isNumeric(item)).length === 0;
  if (!numbers && array.some((item) => typeof item !== 'string')) return fail({ code: 'D3070', index: 1 });
  return mergeSort(array as string[], (first, second) => first > second);
}
