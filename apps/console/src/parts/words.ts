import { unitsOf, type Formats, type WireAmount } from '../text/format';

type Values = Readonly<Record<string, unknown>>;

const maxShown = 200;

/** Returns the text of a value, cut so that a cell of a megabyte costs no more than any other. */
export function textOfValue(value: unknown, max = maxShown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

const cellLength = 120;

/** Returns a value as a cell of a narrow column shows it. */
export const cellText = (value: unknown): string => textOfValue(value, cellLength);

interface NamedRecord {
  record_id: string;
  external_id: string | null;
}

export interface ShownRecord extends NamedRecord {
  amount: WireAmount;
  date: string | null;
  currency: string | null;
  /** Absent when it was not asked for, null when it is gone. */
  record?: Values | null;
}

const shownTexts = 4;

/** Returns whether a text is a day of the calendar: 2026-02-30 only looks like one. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Returns whether a text is a date, an amount or another figure, which says less than a name. */
const isFigure = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text) || !/\p{L}/u.test(text);

/**
 * Joins the texts of a record, without its name, amount, date and currency, which have columns of their own. The
 * longest come first, and figures last: a name or a purpose says more than a code, and what does not fit is cut.
 */
export function wordsOf({ record, ...own }: ShownRecord, day: Formats['day'], maxTexts = shownTexts): string {
  const amount = unitsOf(own.amount);
  const hasOwnColumn = (text: string): boolean =>
    text === '' ||
    text === own.external_id ||
    text === own.date ||
    text === own.currency ||
    (amount !== null && unitsOf(text) === amount);
  const texts = Object.values(record ?? {}).filter(
    (value): value is string => typeof value === 'string' && !hasOwnColumn(value),
  );
  return [...new Set(texts.map(cellText))]
    .sort((one, other) => Number(isFigure(one)) - Number(isFigure(other)) || other.length - one.length)
    .slice(0, maxTexts)
    .map((text) => (isDay(text) ? day(text) : text))
    .join(' · ');
}

/** Names a record by its external id, or else by the end of its id: ids made at the same time differ only there. */
export const recordName = ({ external_id: name, record_id: id }: NamedRecord): string => name ?? id.slice(-8);

const shownNames = 3;

/** Names the first records, and gives the number of all where there are more. */
export function recordNames(records: readonly NamedRecord[]): string {
  const names = records.slice(0, shownNames).map(recordName).join(', ');
  return records.length > shownNames ? `${names} … (${records.length})` : names;
}
