import { fail } from '../../fault';
import { checkSequenceLength, tick } from '../../limits/meter';
import type { MarkedArray } from './values';

export function emptySequence(): MarkedArray {
  const sequence: MarkedArray = [];
  sequence.sequence = true;
  return sequence;
}

/** Makes a sequence of any item, also of undefined. */
export function sequenceOf(item: unknown): MarkedArray {
  const sequence = emptySequence();
  sequence.push(item);
  return sequence;
}

export function isSequence(value: unknown): value is MarkedArray {
  return Array.isArray(value) && (value as MarkedArray).sequence === true;
}

/** Adds to a sequence that the evaluation made, within the limit on its length. */
export function addItem(sequence: unknown[], item: unknown): void {
  checkSequenceLength(sequence.length + 1);
  sequence.push(item);
}

export function addItems(sequence: unknown[], items: readonly unknown[]): void {
  tick(items.length);
  for (let index = 0; index < items.length; index++) addItem(sequence, items[index]);
}

/** Settles the result of a node: a sequence of none becomes nothing, a sequence of one its item. */
export function settle(value: unknown): unknown {
  if (!isSequence(value) || value.length > 1) return value;
  if (value.length === 0) return undefined;
  return value.keepSingleton === true ? value : value[0];
}

/** Settles the result of a node followed by `[]`, which stays an array. */
export function settleKept(value: unknown): unknown {
  if (isSequence(value)) value.keepSingleton = true;
  return settle(value);
}

/** Joins as `$append` does; undefined takes no part. */
export function append(first: unknown, second: unknown): unknown {
  if (first === undefined) return second;
  if (second === undefined) return first;
  const head: unknown[] = Array.isArray(first) ? first : [first];
  const tail: unknown[] = Array.isArray(second) ? second : [second];
  checkSequenceLength(head.length + tail.length);
  tick(head.length + tail.length);
  return head.concat(tail);
}

/** Appends an item of an array constructor to the current array. */
export function appendItem(array: unknown[], item: unknown): void {
  if (item === undefined) return;
  if (!Array.isArray(item)) {
    checkSequenceLength(array.length + 1);
    array.push(item);
    return;
  }
  checkSequenceLength(array.length + item.length);
  tick(item.length);
  for (let index = 0; index < item.length; index++) array.push(item[index]);
}

/** Marks an array that a path must not flatten. */
export function markConstructed(array: unknown[]): unknown[] {
  Object.defineProperty(array, 'cons', { enumerable: false, configurable: false, value: true });
  return array;
}

/** An item of an array constructor that is a constructor itself. */
export function addConstructed(array: unknown[], item: unknown): void {
  if (item !== undefined) array.push(item);
}

const maxRangeLength = 10_000_000;

/** `left..right`, a sequence. */
export function range(left: unknown, right: unknown): MarkedArray | undefined {
  if (left !== undefined && !Number.isInteger(left)) fail({ code: 'T2003', value: left, token: '..' });
  if (right !== undefined && !Number.isInteger(right)) fail({ code: 'T2004', value: right, token: '..' });
  if (left === undefined || right === undefined) return undefined;
  const first = left as number;
  const length = (right as number) - first + 1;
  if (length <= 0) return undefined;
  if (length > maxRangeLength) fail({ code: 'D2014', value: length, token: '..' });
  checkSequenceLength(length);
  tick(length);
  // A negative zero stays one, as a first item.
  const sequence: MarkedArray = Array.from({ length }, (_, index) => (index === 0 ? first : first + index));
  sequence.sequence = true;
  return sequence;
}
