import { giveUp } from '../../fault';
import { tick } from '../../limits/meter';
import { addItem, addItems, append, emptySequence, isSequence, sequenceOf, settle } from './sequences';
import { isFieldObject, keysOf } from './values';
import type { MarkedArray } from './values';
import { checkVisited } from '../../limits/bounds';

/** The value of an object's own key. */
export function ownField(value: unknown, key: string): unknown {
  return isFieldObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Looks up a name: in an array, the values of all its items. Not yet settled. */
export function lookupRaw(value: unknown, key: string): unknown {
  if (!Array.isArray(value)) return ownField(value, key);
  const found = emptySequence();
  tick(value.length);
  for (let index = 0; index < value.length; index++) {
    const item = lookupRaw(value[index], key);
    if (Array.isArray(item)) addItems(found, item);
    else if (item !== undefined) addItem(found, item);
  }
  return found;
}

/** Returns the start of a path: the context itself where it is an array. */
export function startOfPath(context: unknown): unknown[] {
  return Array.isArray(context) ? context : sequenceOf(context);
}

/** A path of names only, from an array on. */
export function namesFrom(items: unknown[], names: readonly string[]): unknown {
  let current: unknown[] = items;
  for (let index = 0; index < names.length; index++) {
    const key = names[index] as string;
    current = step(current, (item) => settle(lookupRaw(item, key)), index === names.length - 1);
    if (current.length === 0) break;
  }
  return settle(current);
}

/** Looks up the rest of a path of names after a first step that returned an array. */
export function namesBehind(value: unknown[], names: readonly string[]): unknown {
  const items = emptySequence();
  addFlattened(items, value);
  return items.length === 0 ? undefined : namesFrom(items, names);
}

/** Looks up the rest of a path of names after a field that holds an array. */
export function namesBehindField(value: unknown[], names: readonly string[]): unknown {
  const found = settle(value);
  if (found === undefined) return undefined;
  return Array.isArray(found) ? namesBehind(found, names) : namesFrom(sequenceOf(found), names);
}

/** Returns the result of a path whose last name holds an array that an expression made. */
export function lastField(value: unknown): unknown {
  if (!isSequence(value)) return value;
  const found = settle(value);
  if (!isSequence(found)) return found;
  const items = emptySequence();
  addItems(items, found);
  return settle(items);
}

/**
 * One step of a path: what `evaluate` gives for each item, flattened by one level. An array that the last step gives
 * for a single item stays the array it is.
 */
export function step(input: unknown, evaluate: (item: unknown) => unknown, isLast: boolean): unknown[] {
  // jsonata walks over anything that has a length, down to the characters of a text.
  if (!Array.isArray(input)) return giveUp();
  tick(input.length);
  const results = emptySequence();
  for (let index = 0; index < input.length; index++) {
    const result = evaluate(input[index]);
    if (result !== undefined) addItem(results, result);
  }
  const only = results[0];
  if (isLast && results.length === 1 && Array.isArray(only) && !isSequence(only)) return only;
  const flattened = emptySequence();
  for (const result of results) addFlattened(flattened, result);
  return flattened;
}

function addFlattened(sequence: unknown[], value: unknown): void {
  if (Array.isArray(value) && (value as MarkedArray).cons !== true) addItems(sequence, value);
  else addItem(sequence, value);
}

/** Returns whether a path ends here because a step found nothing. */
export function isNothing(value: unknown): boolean {
  return value === undefined || (value as { length?: unknown }).length === 0;
}

/** Marks the result of a path with `[]` as an array, without writing into arrays that may be the input's. */
export function keepArray(value: unknown): unknown {
  if (!Array.isArray(value)) return value === undefined ? giveUp() : value;
  const marked = value as MarkedArray;
  const kept = marked.cons === true && marked.sequence !== true ? sequenceOf(value) : marked;
  if (kept.sequence === true) kept.keepSingleton = true;
  return kept;
}

/** `*`: the values of an object, arrays among them flattened. Not yet settled. */
export function wildcard(context: unknown): unknown {
  const wrapped = context as MarkedArray;
  const value: unknown =
    Array.isArray(context) && wrapped.outerWrapper === true && context.length > 0 ? context[0] : context;
  // jsonata would read the flags that it keeps on a sequence as values.
  if (isSequence(value)) giveUp();
  let results: unknown[] = emptySequence();
  if (!isFieldObject(value)) return results;
  for (const key of keysOf(value)) {
    const member = value[key];
    if (Array.isArray(member)) results = append(results, flatten(member)) as unknown[];
    else addItem(results, member);
  }
  return results;
}

function flatten(array: readonly unknown[]): unknown[] {
  const flat: unknown[] = [];
  visit(array, (value) => {
    if (!Array.isArray(value)) flat.push(value);
    return Array.isArray(value) ? value : [];
  });
  return flat;
}

/** `**`: the value and everything below it. Not yet settled. */
export function descendants(context: unknown): unknown {
  if (context === undefined) return undefined;
  const results = emptySequence();
  visit(context, (value) => {
    if (Array.isArray(value)) return value;
    addItem(results, value);
    return isFieldObject(value) ? Object.values(value) : [];
  });
  return results.length === 1 ? results[0] : results;
}

/** Visits in depth, in order; `enter` gives what is below a value. */
function visit(root: unknown, enter: (value: unknown) => readonly unknown[]): void {
  const open: unknown[] = [root];
  let visited = 0;
  while (open.length > 0) {
    checkVisited(++visited);
    const below = enter(open.pop());
    tick(below.length + 1);
    for (let index = below.length - 1; index >= 0; index--) open.push(below[index]);
  }
}
