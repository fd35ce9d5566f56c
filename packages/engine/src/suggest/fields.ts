import { readDay } from '../values/calendar';
import { readPath } from '../values/json';
import { dayInZone } from '../values/zone';
import { lenientAmount } from '../expression/functions/lenient-amount';
import type { JsonObject } from '../values/types';
import type { FieldKind, FieldProfile } from './types';

/** Longer texts are read by their beginning, as functions of texts do. */
export const maxTextLength = 1_024;
/** Bounds on the fields of a side that are compared and that are counted, and on the records that say their kind. */
export const maxFields = 40;
const maxPaths = 1_000;
/** Records that say which of many fields differ most. */
const rankedRecords = 500;
const profiledRecords = 2_000;
const maxDepth = 3;
/** A field with values in a smaller share of records says too little. */
const minFill = 0.02;
/** A field is of a kind if this share of its values is. */
const minOfKind = 0.97;
/** Amounts are written with fewer words. */
const maxAmountWords = 3;

const utc = dayInZone('UTC');

/** Returns the text of a record at a path, cut; '' without one. */
export function textAt(record: JsonObject, path: string): string {
  const value = readPath(record, path);
  if (typeof value === 'string') return value.slice(0, maxTextLength).trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

export function numberAt(record: JsonObject, path: string): number {
  const value = readPath(record, path);
  if (typeof value !== 'number' && typeof value !== 'string') return NaN;
  return lenientAmount(typeof value === 'string' ? value.slice(0, maxTextLength) : value) ?? NaN;
}

/** Returns the day of a record at a path, since 1970; NaN without one. */
export function dayAt(record: JsonObject, path: string): number {
  const reading = readDay(readPath(record, path), utc);
  return reading.ok ? reading.day : NaN;
}

/** Profiles the fields of a side, fullest first. */
export function profileFields(records: readonly JsonObject[]): FieldProfile[] {
  const sample = spread(records, profiledRecords);
  return variedPaths(sample, filledPaths(sample)).flatMap((path) => profileField(sample, path) ?? []);
}

/** Returns the fields with most values of too many ones, which tell records apart best, in the order they have. */
function variedPaths(sample: readonly JsonObject[], paths: readonly string[]): readonly string[] {
  if (paths.length <= maxFields) return paths;
  const ranked = spread(sample, rankedRecords);
  const counts = new Map(paths.map((path) => [path, new Set(ranked.map((record) => textAt(record, path))).size]));
  const best = new Set(frequentFirst(counts, 2).slice(0, maxFields));
  return paths.filter((path) => best.has(path));
}

/** Lists the fields with values in enough of some records, fullest first. */
export function filledPaths(sample: readonly JsonObject[]): string[] {
  const counts = new Map<string, number>();
  for (const record of sample) countPaths(record, '', 1, counts);
  return frequentFirst(counts, minFill * sample.length);
}

/** Returns up to `count` items, evenly spread. */
export function spread<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)] as T);
}

export function countEach(values: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Returns the values that were counted at least `min` times, the most frequent one first. */
export function frequentFirst(counts: ReadonlyMap<string, number>, min: number): string[] {
  return [...counts]
    .filter(([, count]) => count >= min)
    .sort(([one, ones], [other, others]) => others - ones || compareTexts(one, other))
    .map(([value]) => value);
}

export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Returns whether a path and an expression can name a key: a dot is a step, but in keys of the record itself. */
export const isNamed = (key: string, isOfRecord: boolean): boolean =>
  key !== '' && !key.includes('`') && (isOfRecord || !key.includes('.'));

/** Lists the fields that hold a list, or an object in too many others, which are not compared. */
export function nestedPaths(sample: readonly JsonObject[]): string[] {
  const found = new Set<string>();
  const visit = (value: JsonObject, prefix: string, depth: number): void => {
    for (const [key, item] of Object.entries(value)) {
      if (typeof item !== 'object' || item === null || !isNamed(key, prefix === '')) continue;
      const path = prefix + key;
      if (!Array.isArray(item) && depth < maxDepth) visit(item as JsonObject, `${path}.`, depth + 1);
      else if (Object.keys(item).length > 0 && found.size < maxPaths) found.add(path);
    }
  };
  for (const record of sample) visit(record, '', 1);
  return [...found];
}

function countPaths(value: JsonObject, prefix: string, depth: number, counts: Map<string, number>): void {
  for (const [key, item] of Object.entries(value)) {
    if (!isNamed(key, prefix === '')) continue;
    const path = prefix + key;
    if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
      if (depth < maxDepth) countPaths(item as JsonObject, `${path}.`, depth + 1, counts);
    } else if (item !== null && item !== '' && !Array.isArray(item)) {
      const known = counts.get(path);
      if (known !== undefined || counts.size < maxPaths) counts.set(path, (known ?? 0) + 1);
    }
  }
}

function profileField(sample: readonly JsonObject[], path: string): FieldProfile | null {
  const texts = sample.map((record) => textAt(record, path)).filter((text) => text !== '');
  if (texts.length < minFill * sample.length || texts.length === 0) return null;
  const distinct = new Set(texts).size;
  if (distinct === 1 && texts.length > 1) return null;
  const words = wordsPerText(texts);
  const kind = kindOf(sample, path, texts, words);
  const type = kind === 'number' ? 'number' : 'string';
  return {
    path,
    isKey: sample.some((record) => Object.hasOwn(record, path)),
    kind,
    fill: texts.length / sample.length,
    distinct: distinct / texts.length,
    words,
    isPlain: sample
      .map((record) => readPath(record, path))
      .every((value) => value === undefined || typeof value === type),
  };
}

function kindOf(sample: readonly JsonObject[], path: string, texts: readonly string[], words: number): FieldKind {
  const share = (holds: (record: JsonObject) => boolean): number =>
    sample.filter((record) => textAt(record, path) !== '' && holds(record)).length / texts.length;
  if (share((record) => !Number.isNaN(dayAt(record, path))) >= minOfKind) return 'date';
  if (texts.filter(isDateText).length >= minOfKind * texts.length) return 'code';
  if (words < maxAmountWords && share((record) => !Number.isNaN(numberAt(record, path))) >= minOfKind)
    return isQuantity(texts) || isWide(sample, path) ? 'number' : 'code';
  const isCode = (text: string): boolean => /\d/u.test(text) && !/\s/u.test(text);
  return texts.filter(isCode).length >= 0.8 * texts.length ? 'code' : 'text';
}

const writtenInNumbers = /^(?:\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})|\d{4}([./])\d{1,2}\2\d{1,2})(?:[ T].*)?$/u;
const writtenInWords =
  /^(?:\d\d?[ .-]{1,2})?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[ .,-]{1,2}(?:\d\d?, ?)?\d{4}$/iu;

/** Returns whether a text is a date that needs a format, such as 31.12.2026 or 1 Sep 2026: it is no amount. */
export const isDateText = (text: string): boolean => writtenInNumbers.test(text) || writtenInWords.test(text);

/** Returns whether the numbers in some values of a field can be amounts, rather than parts of titles and codes. */
export function canBeAmounts(sample: readonly JsonObject[], path: string): boolean {
  const texts = sample.map((record) => textAt(record, path)).filter((text) => text !== '');
  return wordsPerText(texts) < maxAmountWords && (isQuantity(texts) || isWide(sample, path));
}

const wordsPerText = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.split(/\s+/u).length, 0) / texts.length;

/** Returns whether numbers measure: some have decimals. Whole ones are years, numbers of houses and the like. */
function isQuantity(texts: readonly string[]): boolean {
  return texts.filter((text) => /\d[.,]\d/u.test(text)).length >= 0.05 * texts.length;
}

/** Returns whether whole numbers, sent as numbers, spread too widely to be years or counts. */
function isWide(sample: readonly JsonObject[], path: string): boolean {
  const values = sample.map((record) => readPath(record, path)).filter((value) => typeof value === 'number');
  const largest = values.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return largest > 3_000 && new Set(values).size >= 0.02 * values.length;
}
