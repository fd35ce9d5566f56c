import { exactDecimal, MAX_AMOUNT_SCALE, readAmount, rescale } from '../../decimal';
import { toleranceCheck } from '../../tolerance';
import type { ToleranceCheck } from '../../tolerance';
import { refuse } from './failure';

const FUNCTION_NAME = 'amountClose';

/** Up to here the difference of two integers, and a tolerance in units, are exact as doubles. */
const EXACT_UNITS = 2 ** 49;

interface Amount {
  units: number;
  scale: number;
}

/**
 * Whether |left − right| <= absolute or, when a percentage is given, <= percent/100 · max(|left|, |right|).
 * Exact in decimals; amounts are rounded to four decimals, half to even. A blank amount is missing.
 */
export function amountClose(
  left: number | string | undefined, right: number | string | undefined,
  absolute: number | undefined, percent?: number,
): boolean | undefined {
  checkTolerance(absolute);
  checkTolerance(percent);
  const one = amountOf(left);
  const other = amountOf(right);
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

function checkTolerance(tolerance: number | undefined): void {
  if (tolerance === undefined || (tolerance >= 0 && Number.isFinite(tolerance))) return;
  refuse('tolerance_invalid', FUNCTION_NAME, tolerance, 'is no tolerance (a number of at least 0)');
}

function amountOf(value: number | string | undefined): Amount | undefined {
  const reading = readAmount(value);
  if (reading.ok) return reading;
  switch (reading.reason) {
    case 'missing': return undefined;
    case 'unreadable': return refuse('amount_unreadable', FUNCTION_NAME, value, 'is no decimal number');
    case 'out_of_range': return refuse('amount_out_of_range', FUNCTION_NAME, value, 'is beyond the range of amounts');
  }
}

function isSmall(units: number): boolean {
  return Math.abs(units) <= EXACT_UNITS;
}

function gapWithin(gap: number, scale: number, absolute: number): boolean {
  const unit = 10 ** scale;
  const limit = Math.round(absolute * unit);
  // The nearest double to a decimal of up to 15 digits stands for that decimal.
  if (limit <= EXACT_UNITS && limit / unit === absolute) return gap <= limit;
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
  if (exactGapWithin(gap, MAX_AMOUNT_SCALE, absolute)) return true;
  if (percent === undefined) return false;
  const share = exactDecimal(percent);
  const larger = magnitude(left) > magnitude(right) ? magnitude(left) : magnitude(right);
  return gap * 100n * 10n ** BigInt(share.scale) <= share.digits * larger;
}

function fineUnits({ units, scale }: Amount): bigint {
  return BigInt(units) * 10n ** BigInt(MAX_AMOUNT_SCALE - scale);
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

let latestPercent: { percent: number; check: ToleranceCheck } | undefined;

/** A rule compares with one percentage again and again. */
function percentCheck(percent: number): ToleranceCheck {
  if (latestPercent?.percent !== percent) latestPercent = { percent, check: toleranceCheck(percent) };
  return latestPercent.check;
}
