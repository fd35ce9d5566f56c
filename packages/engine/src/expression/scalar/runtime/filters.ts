import { giveUp } from '../../fault';
import { tick } from '../../limits/meter';
import { isTruthy } from './operators';
import { addItem, emptySequence } from './sequences';
import { isNumeric } from './values';

/** Applies `[expression]` to a value: keeps items. A number picks the item at that position. Not yet settled. */
export function filter(value: unknown, predicate: (item: unknown) => unknown): unknown {
  refuseTupleMark(value);
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  tick(items.length);
  const kept = emptySequence();
  for (let index = 0; index < items.length; index++) {
    const verdict = predicate(items[index]);
    if (verdict === true) addItem(kept, items[index]);
    else if (verdict !== false && verdict !== undefined) addPicked(kept, items, index, verdict);
  }
  return kept;
}

/** Data with a field of this name is what jsonata's evaluator takes for rows of variables. */
function refuseTupleMark(value: unknown): void {
  if (typeof value === 'object' && value !== null && Boolean((value as { tupleStream?: unknown }).tupleStream))
    giveUp();
}

function addPicked(kept: unknown[], items: readonly unknown[], index: number, verdict: unknown): void {
  const places = isNumeric(verdict) ? [verdict] : verdict;
  if (!isArrayOfNumbers(places)) {
    if (isTruthy(verdict)) addItem(kept, items[index]);
    return;
  }
  tick(places.length);
  for (const place of places) if (placeOf(place, items.length) === index) addItem(kept, items[index]);
}

function isArrayOfNumbers(value: unknown): value is number[] {
  if (!Array.isArray(value)) return false;
  tick(value.length);
  let numbers = true;
  for (let index = 0; index < value.length; index++) if (!isNumeric(value[index])) numbers = false;
  return numbers;
}

function placeOf(place: number, length: number): number {
  const index = Math.floor(place);
  return index < 0 ? length + index : index;
}

/** Applies `[number]` to a value. Not yet settled. */
export function itemAt(value: unknown, place: number): unknown {
  refuseTupleMark(value);
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const item = items[placeOf(place, items.length)];
  if (Array.isArray(item)) return item;
  const kept = emptySequence();
  if (item !== undefined) addItem(kept, item);
  return kept;
}
