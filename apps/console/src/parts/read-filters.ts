import type { Texts } from '../text';
import { unitsOf } from '../text/format';
import type { Search } from './address';
import type { FilterChip } from './chips';
import { isDay } from './words';

type MendTexts = Texts['frame']['mends'];

/** Values of the address that are written alike. */
export interface FilterKind<V> {
  /** Reads a text; undefined where it is no value of the kind. */
  read(text: string): V | undefined;
  /** Says what can be read. */
  mend(texts: MendTexts): string;
}

const decimal = /^-?(\d+(\.\d+)?|\.\d+)(e[-+]?\d+)?$/i;

function readNumber(text: string): number | undefined {
  const value = decimal.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : undefined;
}

const numberKind: FilterKind<number> = { read: readNumber, mend: (texts) => texts.number };

const amount: FilterKind<number> = {
  read: (text) => {
    const value = readNumber(text);
    return value === undefined || unitsOf(value) === null ? undefined : value;
  },
  mend: (texts) => texts.amount,
};

const maxDays = 100_000;

const days: FilterKind<number> = {
  read: (text) => (/^\d{1,6}$/.test(text) && Number(text) <= maxDays ? Number(text) : undefined),
  mend: (texts) => texts.days(maxDays),
};

const day: FilterKind<string> = { read: (text) => (isDay(text) ? text : undefined), mend: (texts) => texts.day };

const month: FilterKind<string> = {
  read: (text) => (isDay(`${text}-01`) ? text : undefined),
  mend: (texts) => texts.month,
};

const maxLength = 200;

const words: FilterKind<string> = {
  read: (text) => (text.length <= maxLength ? text : undefined),
  mend: (texts) => texts.words(maxLength),
};

const oneOf = <V extends string>(values: readonly V[]): FilterKind<V> => ({
  read: (text) => values.find((value) => value === text),
  mend: (texts) => (values.length > 1 ? texts.oneOf(values.join(', ')) : values.join('')),
});

export const kinds = { number: numberKind, amount, days, day, month, words, oneOf };

/** A filter of a screen. */
export interface Filter<Q> {
  /** Its name on the page. */
  label: string;
  /** Reads the text of the address: the part of the query, and the text of the chip. Undefined: it cannot be read. */
  read(text: string): { query: Q; chip: string | undefined } | undefined;
  mend: FilterKind<unknown>['mend'];
}

/** The filters of a screen by the parameters of the address that hold them. */
export type Filters<Q> = Readonly<Record<string, Filter<Q>>>;

interface FilterMeaning<V, Q> {
  label: string;
  kind: FilterKind<V>;
  ask(value: V): Q;
  /** The value as the chip shows it after the label. Default: as it is in the address. */
  shown?: (value: V) => string;
  /** The text of the chip without the label; null: no chip, since a control of the screen shows the value. */
  chip?: ((value: V) => string) | null;
}

export function filter<V, Q>({ label, kind, ask, shown = String, chip }: FilterMeaning<V, Q>): Filter<Q> {
  const chipOf = chip === undefined ? (value: V): string => `${label}: ${shown(value)}` : chip;
  return {
    label,
    mend: (texts) => kind.mend(texts),
    read: (text) => {
      const value = kind.read(text);
      return value === undefined ? undefined : { query: ask(value), chip: chipOf?.(value) };
    },
  };
}

/** A filter of the address that cannot be read. */
export interface FilterFault {
  name: string;
  label: string;
  text: string;
  mend: string;
}

/** The filters of a screen as the address has them. Everything that a screen shows, asks and does comes from it. */
export interface FilterReading<Q> {
  chips: readonly FilterChip[];
  faults: readonly FilterFault[];
  /** The query of the list; undefined where a filter cannot be read: without it, more is listed than was asked for. */
  query: Partial<Q> | undefined;
}

/** Reads the filters of a screen off its address. */
export function readFilters<Q>(search: Search, filters: Filters<Q>, texts: MendTexts): FilterReading<Q> {
  const chips: FilterChip[] = [];
  const faults: FilterFault[] = [];
  let query: Partial<Q> = {};
  for (const [name, { label, mend, read }] of Object.entries(filters)) {
    const text = search[name];
    if (text === undefined || text === '') continue;
    const value = read(text);
    if (value === undefined) {
      faults.push({ name, label, text, mend: mend(texts) });
      chips.push({ names: [name], text: `${label}: ${text}`, isWrong: true });
      continue;
    }
    query = { ...query, ...value.query };
    if (value.chip !== undefined) chips.push({ names: [name], text: value.chip });
  }
  return { chips, faults, query: faults.length === 0 ? query : undefined };
}
