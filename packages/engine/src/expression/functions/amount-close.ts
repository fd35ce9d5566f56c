import { exactDecimal, maxAmountScale, readAmount, rescale } from '../../values/decimal';
import { magnitude, toleranceCheck } from '../../values/tolerance';
import type { ToleranceCheck } from '../../values/tolerance';
import { refuse, refuseType } from './failure';
import { memoiseTexts } from './memo';

const functionName = 'amountClose';

/** Differences of integers up to this size are exact as doubles. */
const exactUnits = 2 ** 52;

/** The largest number of units, 15 digits, for which the nearest double identifies the decimal. */
const maxShortUnits = 10 ** 15 - 1;

const readAmountText = memoiseTexts(readAmount);

interface Amount {
  units: number;
  scale: number;
}

/**
 * Returns whether |left − right| <= absolute or, with a percentage, <= percent/100 · max(|left|, |right|). Exact in
 * decimals; amounts are rounded to four decimals, half to even. A blank amount is missing.
 */
export function amountClose(left: unknown, right: unknown, absolute: unknown, percent?: unknown): boolean | undefined {
  checkTolerance(absolute, 3);
  checkTolerance(percent, 4);
  const one = amountOf(left, 1);
  const other = amountOf(right, 2);
  if (one === undefined || other === undefined || absolute === undefined) return undefined;
  const scale = Math.max(one.scale, other.scale);
  const oneUnits = rescale(one.units, one.scale, scale);
  const otherUnits = rescale(other.units, other.scale, scale);
  if (oneUnits === null || otherUnits === null || !isSmall(oneUnits) || !isSmall(otherUnits)) {
    return largeAmountsClose(one, other, absolute, percent);
  }
  if (gapWithin(Math.abs(oneUnits - otherUnits), scale, absolute)) return true;
  return percent !== undefined && percentCheck(percent)(oneUnits, otherUnits);
}

function checkTolerance(tolerance: unknown, argument: number): asserts tolerance is number | undefined {
  if (tolerance === undefined) return;
  if (typeof tolerance !== 'number') return refuseType(functionName, argument);
  if (tolerance >= 0 && Number.isFinite(tolerance)) return;
  refuse('tolerance_invalid', functionName, tolerance, 'is not a tolerance (a number of at least 0)');
}

function amountOf(value: unknown, argument: number): Amount | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number') {
    const short = shortAmount(value, 2) ?? shortAmount(value, maxAmountScale);
    if (short !== undefined) return short;
  } else if (typeof value !== 'string') return refuseType(functionName, argument);
  const reading = typeof value === 'string' ? readAmountText(value) : readAmount(value);
  if (reading.ok) return reading;
  switch (reading.reason) {
    case 'missing':
      return undefined;
    case 'unreadable':
      return refuse('amount_unreadable', functionName, value, 'is not a decimal number');
    case 'out_of_range':
      return refuse('amount_out_of_range', functionName, value, 'is beyond the range of amounts');
  }
}

/** Returns the same as `readAmount` for a number of few digits, without making its text. The scale may be larger. */
function shortAmount(value: number, scale: number): Amount | undefined {
  const units = Math.round(value * 10 ** scale);
  return Math.abs(units) <= maxShortUnits && units / 10 ** scale === value ? { units, scale } : undefined;
}

function isSmall(units: number): boolean {
  return Math.abs(units) <= exactUnits;
}

function gapWithin(gap: number, scale: number, absolute: number): boolean {
  const unit = 10 ** scale;
  const limit = Math.round(absolute * unit);
  if (limit <= maxShortUnits && limit / unit === absolute) return gap <= limit;
  return exactGapWithin(BigInt(gap), scale, absolute);
}

function exactGapWithin(gap: bigint, scale: number, absolute: number): boolean {
  const limit = exactDecimal(absolute);
  return gap * 10n ** BigInt(limit.scale) <= limit.digits * 10n ** BigInt(scale);
}

function largeAmountsClose(one: Amount, other: Amount, absolute: number, percent: number | undefined): boolean {
  const left = fineUnits(one);
  const right = fineUnits(other);
  const gap = magnitude(left - right);
  if (exactGapWithin(gap, maxAmountScale, absolute)) return true;
  if (percent === undefined) return false;
  const share = exactDecimal(percent);
  const larger = magnitude(left) > magnitude(right) ? magnitude(left) : magnitude(right);
  return gap * 100n * 10n ** BigInt(share.scale) <= share.digits * larger;
}

function fineUnits({ units, scale }: Amount): bigint {
  return BigInt(units) * 10n ** BigInt(maxAmountScale - scale);
}

let latestPercent: { percent: number; check: ToleranceCheck } | undefined;

/** A rule compares with one percentage again and again. */
function percentCheck(percent: number): ToleranceCheck {
  if (latestPercent?.percent !== percent)
    latestPercent = { percent, check: toleranceCheck({ percent, absolute: 0 }, 0) };
  return latestPercent.check;
}
