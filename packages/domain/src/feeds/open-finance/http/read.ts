import { readDay, storableText } from '@tieout/engine';
import { providerBadResponse } from '../failures';

/**
 * Reads the fields of a provider's answer. It ignores unknown fields; a missing one is null where our shape allows it.
 * Any other difference throws `provider_bad_response`, whose cause names the field and never its value.
 */
export interface Reader {
  /** Returns whether the field exists, if only as null. */
  has(name: string): boolean;
  /** Reads an id: printable ASCII, since it is used in urls, keys and records. */
  id(name: string): string;
  text(name: string): string;
  textOrNull(name: string): string | null;
  oneOf<T extends string>(name: string, values: readonly T[]): T;
  oneOfOrNull<T extends string>(name: string, values: readonly T[]): T | null;
  /** Reads money: a number or a decimal text, with up to four decimals. */
  amount(name: string): number;
  amountOrNull(name: string): number | null;
  /** Reads money that is never negative. */
  unsigned(name: string): number;
  numberOrNull(name: string): number | null;
  integerOrNull(name: string): number | null;
  flag(name: string): boolean;
  /** Reads a day (`2026-11-20`), or the day of a time. */
  day(name: string): string;
  dayOrNull(name: string): string | null;
  /** Reads a time as ISO 8601 in UTC. */
  timeOrNull(name: string): string | null;
  /** Returns the reader of a nested object; null when it is missing. */
  part(name: string): Reader | null;
  list(name: string): Reader[];
  /** Reads all fields as texts. */
  texts(): Record<string, string>;
}

const maxTextLength = 2_000;
const maxIdLength = 200;
const idPattern = /^[\x21-\x7e]+$/;
/** Up to here a number holds four decimals exactly. */
const maxMoney = 900_000_000_000;
const decimal = /^-?\d{1,12}(\.\d{1,4})?$/;
const plainNumber = /^-?\d{1,15}(\.\d{1,15})?$/;

export function reader(value: unknown, at: string): Reader {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw unusable(at, 'is not an object');
  const source = value as Record<string, unknown>;

  /** Returns undefined for a missing field, and for null. */
  const read = (name: string): unknown => (Object.hasOwn(source, name) ? (source[name] ?? undefined) : undefined);
  const fault = (name: string, what: string) => unusable(`${at}/${name}`, what);

  const orNull =
    <T>(readOne: (name: string) => T) =>
    (name: string): T | null =>
      read(name) === undefined ? null : readOne(name);

  const text = (name: string): string => {
    const found = read(name);
    if (typeof found !== 'string') throw fault(name, 'is not text');
    // The character 0 and lone surrogates cannot be stored.
    return storableText(found.slice(0, maxTextLength));
  };
  const oneOf = <T extends string>(name: string, values: readonly T[]): T => {
    const found = values.find((known) => known === read(name));
    if (found === undefined) throw fault(name, `is not one of ${values.join(', ')}`);
    return found;
  };
  const amount = (name: string): number => {
    const found = read(name);
    const number = typeof found === 'string' && decimal.test(found) ? Number(found) : found;
    if (typeof number !== 'number' || !(Math.abs(number) <= maxMoney)) throw fault(name, 'is not an amount');
    // The sum turns −0, which JSON does not carry, into 0.
    return Math.round(number * 10_000) / 10_000 + 0;
  };
  const number = (name: string): number => {
    const found = read(name);
    const value = typeof found === 'string' && plainNumber.test(found) ? Number(found) : found;
    if (typeof value !== 'number' || !Number.isFinite(value)) throw fault(name, 'is not a number');
    return value;
  };
  const day = (name: string): string => {
    const found = text(name);
    const written = found.slice(0, 10);
    if (!readDay(written).ok || (found.length > 10 && !/^[Tt ]/.test(found.slice(10))))
      throw fault(name, 'is not a date');
    return written;
  };

  return {
    has: (name) => Object.hasOwn(source, name),
    id: (name) => {
      const found = read(name);
      if (typeof found !== 'string' || found.length > maxIdLength || !idPattern.test(found))
        throw fault(name, 'is not an id');
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
      if (!Number.isSafeInteger(found)) throw fault(name, 'is not a whole number');
      return found;
    }),
    flag: (name) => read(name) === true,
    day,
    dayOrNull: orNull(day),
    timeOrNull: orNull((name) => {
      const found = Date.parse(text(name));
      if (Number.isNaN(found)) throw fault(name, 'is not a time');
      return new Date(found).toISOString();
    }),
    texts: () => Object.fromEntries(Object.keys(source).map((name) => [name, text(name)])),
    part: (name) => (read(name) === undefined ? null : reader(read(name), `${at}/${name}`)),
    list: (name) => {
      const found = read(name);
      if (!Array.isArray(found)) throw fault(name, 'is not a list');
      return found.map((one, index) => reader(one, `${at}/${name}/${index}`));
    },
  };
}

const unusable = (at: string, what: string) => providerBadResponse(`${at} ${what}`);
