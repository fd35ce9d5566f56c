/** An amount as an integer: `units` · 10^−`scale`. The scale of a reading is the smallest that holds it. */
export type AmountReading =
  { ok: true; units: number; scale: number } | { ok: false; reason: 'missing' | 'unreadable' | 'out_of_range' };

/** Maximum number of decimals; more are rounded half to even. */
export const maxAmountScale = 4;

/** Minimum number of decimals that a rule set computes with. */
export const minAmountScale = 2;

const decimalText = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const maxSafeUnits = BigInt(Number.MAX_SAFE_INTEGER);
/** 2^53 − 1 has 16 digits: a longer integer part is out of range. */
const maxIntegerDigits = 16;
/** Numbers of this many digits always fit a safe integer. */
const safeDigits = 15;
const safeDigitsLimit = 10 ** safeDigits;
const powersOfTen = [1, 10, 100, 1_000, 10_000] as const;

/**
 * Reads a JSON number by its shortest decimal text, or a decimal string (surrounding blanks, an optional sign and
 * `.` as separator; neither thousands separators nor an exponent).
 */
export function readAmount(value: unknown): AmountReading {
  if (value === null || value === undefined) return { ok: false, reason: 'missing' };
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return { ok: true, units: value + 0, scale: 0 };
    if (!Number.isFinite(value)) return { ok: false, reason: 'unreadable' };
    return shortNumber(value, 2) ?? shortNumber(value, maxAmountScale) ?? readDecimalText(String(value));
  }
  if (typeof value !== 'string') return { ok: false, reason: 'unreadable' };
  const text = value.trim();
  if (text === '') return { ok: false, reason: 'missing' };
  if (/[eE]/.test(text)) return { ok: false, reason: 'unreadable' };
  return readDecimalText(text);
}

/**
 * Reads a number of few digits without its text. Decimals of up to 15 digits map to distinct doubles, so the
 * decimal that gives the number back is its shortest text.
 */
function shortNumber(value: number, decimals: number): AmountReading | null {
  const power = powerOfTen(decimals);
  const units = Math.round(value * power);
  if (units / power !== value || !(Math.abs(units) < safeDigitsLimit)) return null;
  return shortReading(Math.abs(units), decimals, units < 0);
}

function readDecimalText(text: string): AmountReading {
  const parts = decimalText.exec(text);
  if (parts === null) return { ok: false, reason: 'unreadable' };
  const integer = parts[2] ?? '';
  const fraction = parts[3] ?? '';
  if (integer === '' && fraction === '') return { ok: false, reason: 'unreadable' };
  const digits = (integer + fraction).replace(/^0+/, '');
  if (digits === '') return { ok: true, units: 0, scale: 0 };
  const decimals = fraction.length - Number(parts[4] ?? '0');
  if (digits.length - decimals > maxIntegerDigits) return { ok: false, reason: 'out_of_range' };
  const negative = parts[1] === '-';
  if (digits.length <= safeDigits && decimals >= 0 && decimals <= maxAmountScale) {
    return shortReading(Number(digits), decimals, negative);
  }
  return normalise(roundToMaxScale(digits, decimals), negative);
}

/** Reads the common case without big integers: nothing to round and surely in range. */
function shortReading(magnitude: number, decimals: number, negative: boolean): AmountReading {
  let units = magnitude;
  let scale = decimals;
  while (scale > 0 && units % 10 === 0) {
    units /= 10;
    scale--;
  }
  return { ok: true, units: negative ? -units : units, scale };
}

/** Rounds `digits` · 10^−`decimals` to an integer of 10^−4. */
function roundToMaxScale(digits: string, decimals: number): bigint {
  const excess = decimals - maxAmountScale;
  if (excess <= 0) return BigInt(digits) * 10n ** BigInt(-excess);
  if (excess > digits.length) return 0n;
  const kept = BigInt(digits.slice(0, digits.length - excess) || '0');
  const dropped = digits.slice(digits.length - excess);
  const tie = dropped.startsWith('5') && /^50*$/.test(dropped);
  const up = tie ? kept % 2n === 1n : dropped.charAt(0) >= '5';
  return up ? kept + 1n : kept;
}

function normalise(fine: bigint, negative: boolean): AmountReading {
  let units = fine;
  let scale = maxAmountScale;
  while (scale > 0 && units % 10n === 0n) {
    units /= 10n;
    scale--;
  }
  if (units > maxSafeUnits) return { ok: false, reason: 'out_of_range' };
  if (units === 0n) return { ok: true, units: 0, scale: 0 };
  return { ok: true, units: Number(negative ? -units : units), scale };
}

/** Returns an amount with its sign, or with the other one. */
export function signed(amount: AmountReading, sign: 1 | -1): AmountReading {
  return sign === 1 || !amount.ok ? amount : { ...amount, units: 0 - amount.units };
}

/** Converts an amount to another scale; null when that leaves ±(2^53 − 1) or would lose digits. */
export function rescale(units: number, from: number, to: number): number | null {
  if (to >= from) {
    const scaled = units * powerOfTen(to - from);
    return Number.isSafeInteger(scaled) ? scaled : null;
  }
  const divisor = powerOfTen(from - to);
  return units % divisor === 0 ? units / divisor + 0 : null;
}

/** A table is faster than a power. */
function powerOfTen(exponent: number): number {
  return powersOfTen[exponent] ?? 10 ** exponent;
}

/** Returns the double nearest to the exact decimal: both operands are exact, so one division rounds once. */
export function amountToNumber(units: number, scale: number): number {
  return units / 10 ** scale;
}

/** The exact value of a finite number >= 0, by its shortest decimal text: `digits` · 10^−`scale`. */
export interface ExactDecimal {
  digits: bigint;
  scale: number;
}

export function exactDecimal(value: number): ExactDecimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [integer = '', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(integer + fraction);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}
