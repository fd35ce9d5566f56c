import { fail, giveUp } from '../../fault';
import { checkSequenceLength, tick, tickKey } from '../../limits/meter';
import { isSequence } from './sequences';
import { emptyObject, isFunctionValue } from './values';

export interface GroupPair {
  key: (item: unknown) => unknown;
  value: (items: unknown) => unknown;
}

/** The cost of a member of an object, in steps; it takes memory too. */
const stepsPerMember = 64;

interface Entry {
  data: unknown;
  /** True when `data` is our own array, to which items can be added. */
  owned: boolean;
  pair: number;
}

/** `{key: value, …}`: puts items that give the same key together and evaluates the value over them. */
export function group(input: unknown, pairs: readonly GroupPair[]): Record<string, unknown> {
  const groups = emptyObject() as Record<string, Entry>;
  for (const item of itemsOf(input)) {
    tick(stepsPerMember * pairs.length);
    for (let index = 0; index < pairs.length; index++) {
      const key = (pairs[index] as GroupPair).key(item);
      if (key !== undefined) addToGroup(groups, checkedKey(key), index, item);
    }
  }
  const result = emptyObject();
  for (const key of Object.keys(groups)) {
    const { pair, data } = groups[key] as Entry;
    const value = (pairs[pair] as GroupPair).value(data);
    if (value !== undefined) result[key] = checkedMember(key, value);
  }
  return result;
}

function itemsOf(input: unknown): readonly unknown[] {
  if (!Array.isArray(input)) return [input];
  if (input.length > 0) return input;
  // jsonata puts an item into the empty array, which the rest of the expression then sees.
  if (!isSequence(input)) return giveUp();
  input.push(undefined);
  return input;
}

function checkedKey(key: unknown): string {
  if (typeof key !== 'string') return fail({ code: 'T1003', value: key });
  if (key === '_jsonata_lambda' || key === '_jsonata_function') return fail({ code: 'D1013', value: key });
  tickKey(key);
  return key;
}

/** JavaScript itself calls functions of these names. It does not call objects, and jsonata's lambdas are objects. */
function checkedMember(key: string, value: unknown): unknown {
  return (key === 'toJSON' || key === 'then') && isFunctionValue(value) ? giveUp() : value;
}

function addToGroup(groups: Record<string, Entry>, key: string, pair: number, item: unknown): void {
  const entry = groups[key];
  if (entry === undefined) groups[key] = { data: item, owned: false, pair };
  else if (entry.pair !== pair) fail({ code: 'D1009', value: key });
  else if (entry.data === undefined) entry.data = item;
  else if (item !== undefined) addToEntry(entry, Array.isArray(item) ? item : [item]);
}

function addToEntry(entry: Entry, added: readonly unknown[]): void {
  if (!entry.owned) {
    entry.data = Array.isArray(entry.data) ? entry.data.slice() : [entry.data];
    entry.owned = true;
  }
  const data = entry.data as unknown[];
  checkSequenceLength(data.length + added.length);
  tick(added.length);
  for (const item of added) data.push(item);
}

/** A member of an object constructor; what is missing makes none. */
export function addMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (value !== undefined) object[key] = value;
}
