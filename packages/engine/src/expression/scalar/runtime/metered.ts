import { maxHolidays } from '../../functions/business-calendar';
import { giveUp } from '../../fault';
import { checkSequenceLength, tick, tickKey, tickMembers } from '../../limits/meter';
import { deepEqual } from './operators';
import { addItem, addItems, append, emptySequence, isSequence } from './sequences';
import { emptyObject, isFieldObject, isFunctionValue, keysOf } from './values';

/**
 * Functions of jsonata whose work grows with the square of their argument, with that of every step of a `$reduce`, or
 * with each way to a value that is there once: the same results, but counted.
 */
export const meteredFunctions: ReadonlyMap<string, (...args: never[]) => unknown> = new Map<
  string,
  (...args: never[]) => unknown
>([
  ['append', (first: unknown, second: unknown) => append(first, second)],
  ['keys', (value: unknown) => keys(value)],
  ['lookup', (value: unknown, key: unknown) => lookup(value, key as string)],
  ['distinct', (value: unknown) => distinct(value)],
  ['merge', (objects: unknown) => merge(objects as Record<string, unknown>[] | undefined)],
  ['spread', (value: unknown) => spread(value)],
]);

/** The cost of copying a member of an object, in steps. */
const stepsPerKey = 6;

function distinct(value: unknown): unknown {
  if (!Array.isArray(value) || value.length <= 1) return value;
  const results: unknown[] = isSequence(value) ? emptySequence() : [];
  const simple = new Set<unknown>();
  const numbers = new Set<string>();
  for (const item of value as unknown[]) {
    tickKey(item);
    if (typeof item === 'object' && item !== null) addNewObject(results, item);
    // One function here may be several to jsonata, as in deepEqual.
    else if (typeof item === 'function' && simple.has(item)) giveUp();
    else if (typeof item === 'number') {
      const key = keyOfNumber(item);
      if (!numbers.has(key) || Number.isNaN(item)) results.push(item);
      numbers.add(key);
    } else if (!simple.has(item)) {
      simple.add(item);
      results.push(item);
    }
  }
  tick(value.length);
  return results;
}

/** Prefixes a number: V8 hashes texts with a seed, but numbers by value, of which 60,000 can be chosen to collide. */
function keyOfNumber(value: number): string {
  return `n${value}`;
}

function addNewObject(results: unknown[], item: object): void {
  for (const known of results) {
    tick(1);
    if (deepEqual(item, known)) return;
  }
  results.push(item);
}

function merge(objects: readonly Record<string, unknown>[] | undefined): Record<string, unknown> | undefined {
  if (objects === undefined) return undefined;
  const merged = emptyObject();
  for (const object of objects) {
    const keys = keysOf(object);
    tick(stepsPerKey * (keys.length + 1));
    for (const key of keys) merged[key] = object[key];
  }
  return merged;
}

function spread(value: unknown): unknown {
  if (Array.isArray(value)) return spreadItems(value);
  // To jsonata its own functions are objects.
  if (isFunctionValue(value) && value.native === true) giveUp();
  if (typeof value !== 'object' || value === null) return value;
  if ('_jsonata_lambda' in value && value._jsonata_lambda === true) return value;
  const parts = emptySequence();
  for (const key of keysOf(value)) {
    tickMembers(1);
    const part = emptyObject();
    part[key] = (value as Record<string, unknown>)[key];
    addItem(parts, part);
  }
  return parts;
}

/** A sequence only as long as nothing has been appended to it. */
function spreadItems(items: readonly unknown[]): unknown[] {
  const parts: unknown[] = [];
  let isAppended = false;
  for (const item of items) {
    const added = spread(item);
    if (added === undefined) continue;
    isAppended = true;
    const list: unknown[] = Array.isArray(added) ? added : [added];
    checkSequenceLength(parts.length + list.length);
    tick(list.length + 1);
    for (const part of list) parts.push(part);
  }
  return isAppended ? parts : emptySequence();
}

/** The cost of visiting a value inside an array. */
const stepsPerValue = 4;

function keys(value: unknown): unknown[] {
  const found = emptySequence();
  for (const key of keysBelow(value)) addItem(found, key);
  return found;
}

/** The keys of all objects in an array, however deep. jsonata collects them in an object, which they may mark. */
function keysBelow(value: unknown): string[] {
  if (!Array.isArray(value)) return fieldsOf(value);
  const marked = emptyObject();
  for (const item of value) {
    tick(stepsPerValue);
    for (const key of keysBelow(item)) marked[key] = true;
  }
  return fieldsOf(marked);
}

function fieldsOf(value: unknown): string[] {
  if (!isFieldObject(value)) return [];
  const fields = Object.keys(value);
  tick(stepsPerKey * fields.length);
  return fields;
}

function lookup(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return valuesWithin(value, key, emptySequence());
  tickKey(key);
  return isFieldObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Adds what the objects in an array have under a key, however deep the array; an array of theirs item by item. */
function valuesWithin(items: readonly unknown[], key: string, found: unknown[]): unknown[] {
  for (const item of items) {
    tick(stepsPerValue);
    if (Array.isArray(item)) valuesWithin(item, key, found);
    else addValue(lookup(item, key), found);
  }
  return found;
}

function addValue(value: unknown, found: unknown[]): void {
  if (Array.isArray(value)) addItems(found, value);
  else if (value !== undefined) addItem(found, value);
}

/** The maximum number of characters of a text that a comparison reads. */
const maxComparedLength = 1024;

const compares: ReadonlySet<string> = new Set(['similarity', 'levenshtein', 'tokenSet']);

const normalizes: ReadonlySet<string> = new Set(['normalize', 'tokenSet', 'wordOverlap']);

/**
 * Matches characters whose compatibility forms are words of up to 18 characters. Normalising one takes up to a
 * microsecond, any other at most 50 ns.
 */
const hasWordForms = /[\u3200-\u33ff\ufb00-\ufdff]/;

/** The cost of writing a character in Latin letters, in steps. */
const stepsPerTransliterated = 4;

/** The cost of normalising a character and searching for it, in steps. */
const stepsPerCodeCharacter = 8;

/** Steps that normalising one form of a word costs. */
const stepsPerWordForm = 8;

/**
 * Returns the steps that calling one of our functions costs: comparing two texts costs the product of their lengths,
 * reading a text its length.
 */
export function costOfCall(name: string, first: unknown, second: unknown): number {
  const one = lengthOf(first);
  const other = lengthOf(second);
  const isCompared = compares.has(name);
  if (name === 'transliterate') return stepsPerTransliterated * one;
  if (name === 'containsCode' || name === 'codeOverlap' || name === 'wordCosine')
    return stepsPerCodeCharacter * (one + other);
  const read = normalizes.has(name)
    ? costOfNormal(first) + costOfNormal(second)
    : (one + other) * (isCompared ? 0.25 : 1);
  if (!isCompared) return read;
  return Math.ceil(read) + ((Math.min(one, maxComparedLength) * Math.min(other, maxComparedLength)) >> 6);
}

function costOfNormal(text: unknown): number {
  if (typeof text !== 'string') return 0;
  return hasWordForms.test(text) ? stepsPerWordForm * text.length : text.length >> 1;
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}

/** Characters of a date without a time. Reading one as a holiday takes some 50 ns. */
const dateLength = 10;

/** The cost in steps of reading any other text as a holiday, in addition to its length. */
const stepsPerTimestamp = 6;

/**
 * Returns the cost of the calendar of `$businessDaysBetween`. The latest calendars are cached, which makes a call
 * faster but not cheaper: the cost of an evaluation does not depend on earlier evaluations.
 */
export function costOfCalendar(calendar: unknown): number {
  if (typeof calendar !== 'object' || calendar === null || Array.isArray(calendar)) return costOfHolidays(calendar);
  const { weekend, holidays } = calendar as { weekend?: unknown; holidays?: unknown };
  return costOfHolidays(holidays) + (Array.isArray(weekend) ? weekend.length : 1);
}

function costOfHolidays(holidays: unknown): number {
  if (!Array.isArray(holidays)) return costOfHoliday(holidays);
  let steps = 1;
  // A longer list is refused unread.
  if (holidays.length <= maxHolidays)
    for (let index = 0; index < holidays.length; index++) steps += costOfHoliday(holidays[index]);
  return steps;
}

function costOfHoliday(holiday: unknown): number {
  return typeof holiday !== 'string' || holiday.length === dateLength ? 1 : stepsPerTimestamp + (holiday.length >> 6);
}

/** The cost of a call of a jsonata function, in steps. */
export interface CallCost {
  steps: number;
  /** Its second argument is a picture, which it takes apart each time. */
  readsPicture: boolean;
}

const usualCost: CallCost = { steps: 6, readsPicture: false };

/** Functions whose calls take far longer than most: steps of some 50 ns. */
const costs: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ...(['split', 'join', 'replace', 'match', 'string', 'merge', 'each', 'sift', 'zip', 'round', 'sort'] as const).map(
    (name): [string, CallCost] => [name, { steps: 20, readsPicture: false }],
  ),
  ...(['now', 'clone'] as const).map((name): [string, CallCost] => [name, { steps: 40, readsPicture: false }]),
  ...(['formatInteger', 'fromMillis', 'parseInteger', 'toMillis', 'formatNumber'] as const).map(
    (name): [string, CallCost] => [name, { steps: 30, readsPicture: true }],
  ),
]);

export function costOfNative(name: string): CallCost {
  return costs.get(name) ?? usualCost;
}

/** Steps that analysing a picture costs, and each of its characters. */
const stepsPerPicture = 60;
const stepsPerPictured = 4;

export function tickPicture(picture: unknown): void {
  if (typeof picture === 'string') tick(stepsPerPicture + stepsPerPictured * picture.length);
}
