import { maxAmountScale, readAmount } from '@tieout/engine';

/** Amounts of reconciliations are integers of 10^-4: sums over any number of records stay exact. */
export type Units = bigint;

/** Decimals of this many digits map to distinct doubles. */
const maxDoubleDigits = 15;

/** Reads an amount of a request or a numeric of the database; null when it is none. */
export function unitsOf(value: unknown): Units | null {
  if (typeof value === 'string' && /^[+-]?\d+\.\d{4}$/.test(value)) return BigInt(value.replace('.', ''));
  const reading = readAmount(value);
  return reading.ok ? BigInt(reading.units) * 10n ** BigInt(maxAmountScale - reading.scale) : null;
}

/** Amounts in requests must be smaller than 10^16, like those of records. */
const unitsLimit: Units = 10n ** 20n;

/** Relative error of a double below which it counts as the decimal it stands for: sums of doubles are inexact. */
const noise = 1e-14;

export const isExactAmount = 'must be an amount of at most 4 decimals, such as 12.5 or "12.50"';

/** Reads an amount of a request; null when it is none, or one that would be rounded. */
export function exactUnitsOf(value: number | string): Units | null {
  const units = unitsOf(value);
  if (units === null || units >= unitsLimit || -units >= unitsLimit) return null;
  const isExact =
    typeof value === 'number'
      ? Math.abs(value - Number(units) / 10 ** maxAmountScale) <= Math.abs(value) * noise
      : !/\.\d{4}\d*[1-9]/.test(value);
  return isExact ? units : null;
}

/** Formats units as a decimal for the database. */
export function decimalOf(units: Units): string {
  const digits = String(units < 0n ? -units : units).padStart(maxAmountScale + 1, '0');
  const cut = digits.length - maxAmountScale;
  return `${units < 0n ? '-' : ''}${digits.slice(0, cut)}.${digits.slice(cut)}`;
}

/** Gives units as answers show them: a number, or a decimal text where a double cannot hold it. */
export function wireAmount(units: Units): number | string {
  const text = decimalOf(units).replace(/\.?0+$/, '');
  return text.replace(/[-.]/g, '').length <= maxDoubleDigits ? Number(text) : text;
}

/** Formats a numeric of the database as `wireAmount` does. */
export const wireDecimal = (text: string | null): number | string | null =>
  text === null ? null : wireAmount(unitsOf(text) ?? 0n);
