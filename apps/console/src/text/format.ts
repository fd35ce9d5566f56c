import type { Count } from './plural';

/** An amount as the API sends it: a number, or a decimal text where a double cannot hold it. */
export type WireAmount = number | string | null;

const scale = 10_000n;

/** The amount in units of a ten-thousandth, so that sums are exact; null where there is none. */
export function unitsOf(amount: WireAmount): bigint | null {
  if (amount === null) return null;
  const match = /^(-?)(\d+)(?:\.(\d{1,4}))?$/.exec(String(amount));
  if (match === null) return null;
  const [, sign, whole = '0', fraction = ''] = match;
  const units = BigInt(whole) * scale + BigInt(fraction.padEnd(4, '0'));
  return sign === '-' ? -units : units;
}

/** The decimal text of units. */
export function decimalOf(units: bigint): string {
  const size = units < 0n ? -units : units;
  const fraction = String(size % scale)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${size / scale}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * Reads an amount as a person of the locale writes it; null where it is none. Separators out of place are refused: the
 * point of 12.50 groups digits in another locale, and without it the amount would be a hundred times as large.
 */
export function readAmount(text: string, locale: string): string | null {
  const parts = new Intl.NumberFormat(locale).formatToParts(1234.5);
  const decimal = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  const group = parts.find(({ type }) => type === 'group')?.value ?? ',';
  const [whole = '', ...fraction] = text
    .replace(/\u2212/g, '-')
    .replace(/[\s\u00a0\u202f]/g, '')
    .split(decimal);
  const [first = '', ...groups] = whole.split(group);
  const isGrouped = /^-?\d{1,3}$/.test(first) && groups.every((digits) => /^\d{2,3}$/.test(digits));
  if (groups.length > 0 && (!isGrouped || groups.at(-1)?.length !== 3)) return null;
  const plain = [[first, ...groups].join(''), ...fraction].join('.');
  return unitsOf(plain) === null ? null : plain;
}

export interface Formats {
  locale: string;
  /** Has the decimals of the currency, or more where the amount has more. */
  amount(amount: WireAmount, currency?: string | null): string;
  day(day: string | null): string;
  /** The day of a moment, where the reader is. */
  dayOf(timestamp: string): string;
  moment(timestamp: string): string;
  count(count: number): string;
  /** A count for a text that agrees with it. */
  counted(count: number): Count;
  /** A share, which is never rounded up: what is almost all is not all. */
  percent(share: number | null): string;
  /** A time that something took. */
  duration(ms: number): string;
  bytes(count: number): string;
  /** A month such as 2026-01. */
  month(period: string): string;
  /** A number that is no amount. */
  number(value: number, decimals?: number): string;
  /** A score, which is never rounded up: one that misses a threshold must not look as if it reached it. */
  score(value: number): string;
}

/** Negative amounts have one sign everywhere. */
const withMinus = (text: string): string => text.replace(/^-/, '\u2212');

function decimalsOf(currency: string | null | undefined): number {
  if (currency === undefined || currency === null || !/^[A-Za-z]{3}$/.test(currency)) return 2;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** Has at most two units. */
function durationOf(ms: number, locale: string): string {
  const number = (value: number, unit: string): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow', maximumFractionDigits: 1 }).format(
      value,
    );
  if (ms < 1_000) return new Intl.NumberFormat(locale).format(Math.round(ms)) + '\u00a0ms';
  const seconds = ms / 1_000;
  if (seconds < 60) return number(seconds, 'second');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${number(minutes, 'minute')} ${number(Math.floor(seconds % 60), 'second')}`;
  return `${number(Math.floor(minutes / 60), 'hour')} ${number(minutes % 60, 'minute')}`;
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

function bytesOf(count: number, locale: string): string {
  const step = count < 1 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log(count) / Math.log(1024)));
  const format = { style: 'unit', unit: byteUnits[step], unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, format).format(count / 1024 ** step);
}

/** @param timeZone that of moments; default: where the reader is */
export function createFormats(locale: string, timeZone?: string): Formats {
  const byDecimals = new Map<number, Intl.NumberFormat>();
  const byCurrency = new Map<string, number>();
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const daysOfMoments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  const months = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const counts = new Intl.NumberFormat(locale);
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1, roundingMode: 'trunc' });
  const scores = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    roundingMode: 'trunc',
  });
  const exact = (value: number): Intl.StringNumericLiteral => String(value) as Intl.StringNumericLiteral;
  const numberFormat = (decimals: number): Intl.NumberFormat => {
    let format = byDecimals.get(decimals);
    if (format === undefined) {
      format = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: 4 });
      byDecimals.set(decimals, format);
    }
    return format;
  };
  return {
    locale,
    amount: (amount, currency) => {
      if (amount === null) return '';
      const code = currency ?? '';
      let decimals = byCurrency.get(code);
      if (decimals === undefined) byCurrency.set(code, (decimals = decimalsOf(currency)));
      return withMinus(numberFormat(decimals).format(String(amount) as Intl.StringNumericLiteral));
    },
    day: (day) => (day === null ? '' : days.format(new Date(`${day}T00:00:00Z`))),
    dayOf: (timestamp) => daysOfMoments.format(new Date(timestamp)),
    moment: (timestamp) => moments.format(new Date(timestamp)),
    count: (count) => counts.format(count),
    counted: (count) => ({ value: count, text: counts.format(count) }),
    percent: (share) => (share === null ? '–' : percents.format(exact(share))),
    duration: (ms) => durationOf(ms, locale),
    bytes: (count) => bytesOf(count, locale),
    month: (period) => months.format(new Date(`${period}-01T00:00:00Z`)),
    number: (value, decimals = 2) =>
      withMinus(new Intl.NumberFormat(locale, { maximumFractionDigits: decimals }).format(value)),
    score: (value) => withMinus(scores.format(exact(value))),
  };
}
