import { readDay, storableText } from '@tieout/engine';
import { providerBadResponse } from '../failures';

/**
 * Reads what a provider wrote, field by field. What it adds is left out; what is missing is null where our shape allows it.
 * Everything else is `provider_bad_response`, whose cause names the field and never its value.
 */
export interface Reader {
  /** Whether the field is there, if only as null. */
  has(name: string): boolean;
  /** As ids travel in urls, keys and records: printable ASCII. */
  id(name: string): string;
  text(name: string): string;
  textOrNull(name: string): string | null;
  oneOf<T extends string>(name: string, values: readonly T[]): T;
  oneOfOrNull<T extends string>(name: string, values: readonly T[]): T | null;
  /** Of money: a number or a decimal text, up to four decimals. */
  amount(name: string): number;
  amountOrNull(name: string): number | null;
  /** The same, never negative. */
  unsigned(name: string): number;
  numberOrNull(name: string): number | null;
  integerOrNull(name: string): number | null;
  flag(name: string): boolean;
  /** `2026-11-20`; of a time, the day that is written in it. */
  day(name: string): string;
  dayOrNull(name: string): string | null;
  /** ISO 8601 in UTC. */
  timeOrNull(name: string): string | null;
  /** A part of the same kind; null when it is missing. */
  part(name: string): Reader | null;
  list(name: string): Reader[];
  /** All fields, each of which is a text. */
  texts(): Record<string, string>;
}

const longestText = 2_000;
const longestId = 200;
const idPattern = /^[\x21-\x7e]+$/;
/** Below this, numbers hold four decimals exactly. */
const mostMoney = 900_000_000_000;
const decimal = /^-?\d{1,12}(\.\d{1,4})?$/;
const plainNumber = /^-?\d{1,15}(\.\d{1,15})?$/;

export function reader(value: unknown, at: string): Reader {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw unusable(at, 'is no object');
  const source = value as Record<string, unknown>;

  /** undefined for what is missing, also where it is written as null. */
  const read = (name: string): unknown => (Object.hasOwn(source, name) ? (source[name] ?? undefined) : undefined);
  const fault = (name: string, what: string) => unusable(`${at}/${name}`, what);

  const orNull =
    <T>(readOne: (name: string) => T) =>
    (name: string): T | null =>
      read(name) === undefined ? null : readOne(name);

  const text = (name: string): string => {
    const found = read(name);
    if (typeof found !== 'string') throw fault(name, 'is no text');
    // Neither can be stored: the character 0, and half a character.
    return storableText(found.slice(0, longestText));
  };
  const oneOf = <T extends string>(name: string, values: readonly T[]): T => {
    const found = values.find((known) => known === read(name));
    if (found === undefined) throw fault(name, `is none of ${values.join(', ')}`);
    return found;
  };
  const amount = (name: string): number => {
    const found = read(name);
    const number = typeof found === 'string' && decimal.test(found) ? Number(found) : found;
    if (typeof number !== 'number' || !(Math.abs(number) <= mostMoney)) throw fault(name, 'is no amount');
    // Not −0, which JSON would not carry.
    return Math.round(number * 10_000) / 10_000 + 0;
  };
  const number = (name: string): number => {
    const found = read(name);
    const value = typeof found === 'string' && plainNumber.test(found) ? Number(found) : found;
    if (typeof value !== 'number' || !Number.isFinite(value)) throw fault(name, 'is no number');
    return value;
  };
  const day = (name: string): string => {
    const found = text(name);
    const written = found.slice(0, 10);
    if (!readDay(written).ok || (found.length > 10 && !/^[Tt ]/.test(found.slice(10)))) throw fault(name, 'is no date');
    return written;
  };

  return {
    has: (name) => Object.hasOwn(source, name),
    id: (name) => {
      const found = read(name);
      if (typeof found !== 'string' || found.length > longestId || !idPattern.test(found))
        throw fault(name, 'is no id');
      return found;
    },
    text,
    textOrNull: orNull(text),
    oneOf,
    oneOfOrNull: (name, values) => (read(name) === undefined ? null : oneOf(name, values)),
    amount,
    amountOrNull: orNull(amount),
    unsigned: (name) => {
      const found = amount(name);
      if (found < 0) throw fault(name, 'is negative');
      return found;
    },
    numberOrNull: orNull(number),
    integerOrNull: orNull((name) => {
      const found = number(name);
      if (!Number.isSafeInteger(found)) throw fault(name, 'is no whole number');
      return found;
    }),
    flag: (name) => read(name) === true,
    day,
    dayOrNull: orNull(day),
    timeOrNull: orNull((name) => {
      const found = Date.parse(text(name));
      if (Number.isNaN(found)) throw fault(name, 'is no time');
      return new Date(found).toISOString();
    }),
    texts: () => Object.fromEntries(Object.keys(source).map((name) => [name, text(name)])),
    part: (name) => (read(name) === undefined ? null : reader(read(name), `${at}/${name}`)),
    list: (name) => {
      const found = read(name);
      if (!Array.isArray(found)) throw fault(name, 'is no list');
      return found.map((one, index) => reader(one, `${at}/${name}/${index}`));
    },
  };
}

const unusable = (at: string, what: string) => providerBadResponse(`${at} ${what}`);
