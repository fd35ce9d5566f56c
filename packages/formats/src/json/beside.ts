import { limits } from '../limits';
import { readEnd } from '../source';
import { TextReader } from '../text/decoder';
import type { Detected, FileSource } from '../types';
import { isSurrounding } from './place';
import { isObject, parse } from './row';

const tailBytes = 65_536;
const maxPairs = 100;
/** Occurrences of a name that are looked at. */
const maxTries = 10;
const maxValueChars = 1_000;

/**
 * Adds the values next to the rows of an object that is too long to be one row, and warns about them. `text` is the
 * beginning of the file; values that follow the rows are read from its end.
 */
export async function withValuesBeside(source: FileSource, detected: Detected, text: string): Promise<Detected> {
  const { path = [], encoding, warnings = [] } = detected;
  if (path.length === 0) return detected;
  const tail = new TextReader(encoding ?? 'utf-8').push(await readEnd(source, tailBytes), true);
  const pairs = [...valuesIn(beginning(text, path), path), ...valuesIn(end(tail, path), path)]
    .filter(([name, value]) => !isSurrounding(name, value))
    .slice(0, maxPairs);
  if (pairs.length === 0) return detected;
  const names = pairs.map(([name]) => name).join(', ');
  const message =
    `The object of the file is longer than a row may be (${limits.rowChars} characters): the elements of ` +
    `"${path.join('.')}" are the rows, without ${names.slice(0, 200)} beside them, which the preamble of the file ` +
    'keeps. If they belong to each row, write them into the elements and read the file again';
  return {
    ...detected,
    preamble: Object.fromEntries(pairs.map(([name, value]) => [name, String(value).slice(0, maxValueChars)])),
    warnings: [{ code: 'nested_rows', column: null, message }, ...warnings],
  };
}

/** Parses an object up to its list, as if the list were empty. */
function beginning(text: string, path: readonly string[]): unknown {
  const name = JSON.stringify(path.at(-1));
  let tries = 0;
  for (let at = text.indexOf(name); at >= 0 && tries < maxTries; at = text.indexOf(name, at + 1), tries++) {
    const value = parse(`${text.slice(0, at + name.length)}:[]${'}'.repeat(path.length)}`);
    if (isObject(value)) return value;
  }
  return null;
}

/** Parses an object from the end of its list on, as if nothing stood before. */
function end(text: string, path: readonly string[]): unknown {
  const rest = text.slice(text.lastIndexOf(']') + 1);
  const open = path.map((name, index) => `{${JSON.stringify(name)}:${index === path.length - 1 ? '[]' : ''}`).join('');
  return parse(open + rest);
}

/** Returns the texts, numbers and truth values of the objects along a path. */
function valuesIn(object: unknown, path: readonly string[]): [string, unknown][] {
  const pairs: [string, unknown][] = [];
  let at = object;
  for (const name of path) {
    if (!isObject(at)) break;
    for (const pair of Object.entries(at))
      if (['string', 'number', 'boolean'].includes(typeof pair[1]) && pair[0] !== '__proto__') pairs.push(pair);
    at = at[name];
  }
  return pairs;
}
