import type { Bounds } from '../../../generated/jsonata-sync';
import {
  checkItems,
  checkJson,
  checkPicture,
  checkPictured,
  checkTextLength,
  checkVisited,
  maxItems,
} from '../limits/bounds';
import {
  began,
  givesSlice,
  tick,
  tickChecked,
  tickItems,
  tickMade,
  tickMembers,
  tickRead,
  tickSearched,
  tickText,
} from '../limits/meter';
import { cloneAsJson } from './json-clone';
import { shown, told } from '../message-value';
import { createRegex } from '../regex';
import type { LinearRegex } from '../regex';

/**
 * Returns the code points of a text, without building an array when each is one UTF-16 unit. A partial application
 * passes any value, and jsonata takes the items of a value that is not text.
 */
function characters(text: unknown): ReturnType<Bounds['characters']> {
  if (typeof text !== 'string') return [...(text as Iterable<unknown>)];
  if (hasSurrogates.test(text)) {
    checkItems(text.length);
    tickItems(text.length);
    return [...text];
  }
  tickRead(text.length);
  return {
    length: text.length,
    slice: (start, end) => ({ join: () => text.slice(start, end) }),
  };
}

/** A partial application passes any values; only text is searched. */
function searched(text: unknown, part: unknown): void {
  if (typeof text === 'string') tickSearched(text.length, typeof part === 'string' ? part.length : 0);
}

function read(text: unknown): void {
  if (typeof text === 'string') tickText(text.length);
}

function returned(value: unknown, name: string): void {
  if (!givesSlice(name)) tickMade(value);
}

/** Is called for each node that a walk visits. */
function visited(nodes: number): void {
  checkVisited(nodes);
  if ((nodes & 1) === 0) tick(1);
}

/** The cost of writing a part of a value as JSON, in steps. */
const stepsPerPart = 4;

const hasSurrogates = /[\ud800-\udfff]/;

/** A date's pattern, run in linear time; jsonata asks for the whole match and its groups. */
function datePattern(source: string, flags: string): ReturnType<Bounds['pattern']> {
  const regex = datePatterns.get(`${flags} ${source}`, () => createRegex(source, flags));
  return {
    exec(text) {
      const found = regex.exec(String(text), 0);
      return found === null ? null : [found.match, ...found.groups];
    },
  };
}

const datePatterns = boundedCache<LinearRegex>(200);

/** Caches up to `maxValues` values and drops all of them when it is full. */
function boundedCache<Value>(maxValues: number): { get(key: string, make: () => Value): Value } {
  const values = new Map<string, Value>();
  return {
    get(key, make) {
      const known = values.get(key);
      if (known !== undefined) return known;
      if (values.size >= maxValues) values.clear();
      const value = make();
      values.set(key, value);
      return value;
    },
  };
}

/** The bounds that both builds of jsonata check, and compiled code where it does the work of jsonata itself. */
export const bounds: Bounds = {
  text: checkTextLength,
  items: checkItems,
  maxItems,
  characters,
  made: tickMade,
  returned,
  checked: (items) => tickChecked(items.length),
  began,
  searched,
  read,
  matched: tickChecked,
  members: tickMembers,
  clone: cloneAsJson,
  shown,
  told,
  visited,
  json: (value) => tick(stepsPerPart * checkJson(value)),
  picture: checkPicture,
  pictured: checkPictured,
  pattern: datePattern,
};
