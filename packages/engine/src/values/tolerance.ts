import { exactDecimal } from './decimal';

/** Bound on the relative error of the comparison in doubles, with a wide margin: it is below 2^−50 by construction. */
const roundingMargin = 1e-12;

/** Decides whether integers of one scale differ by no more than a tolerance, exactly. */
export type ToleranceCheck = (left: number, right: number) => boolean;

/** `percent` of the larger amount, or `absolute` currency units: the larger of both holds. */
interface Tolerance {
  percent: number;
  absolute: number;
}

/** Creates a check of integers of a scale. */
export function toleranceCheck({ percent, absolute }: Tolerance, scale: number): ToleranceCheck {
  const within = percentCheck(percent);
  if (absolute === 0) return within;
  const units = unitsWithin(absolute, scale);
  return (left, right) => Math.abs(left - right) <= units || within(left, right);
}

/** Returns the largest whole number of units of a scale in a number of currency units >= 0. */
export function unitsWithin(absolute: number, scale: number): number {
  const { digits, scale: own } = exactDecimal(absolute);
  return Number((digits * 10n ** BigInt(scale)) / 10n ** BigInt(own));
}

/**
 * Creates a check of |left − right| <= percent/100 · max(|left|, |right|) that decides in doubles where the sides
 * differ by more than rounding could, and in big integers otherwise.
 */
function percentCheck(percent: number): ToleranceCheck {
  const { digits, scale } = exactDecimal(percent);
  const hundred = 100n * 10n ** BigInt(scale);
  const ratio = percent / 100;
  return (left, right) => {
    if (left === right) return true;
    const gap = Math.abs(left - right);
    const bound = ratio * Math.max(Math.abs(left), Math.abs(right));
    if (gap < bound * (1 - roundingMargin)) return true;
    if (gap > bound * (1 + roundingMargin)) return false;
    const exactLeft = BigInt(left);
    const exactRight = BigInt(right);
    return magnitude(exactLeft - exactRight) * hundred <= digits * larger(magnitude(exactLeft), magnitude(exactRight));
  };
}

/** The absolute value. */
export function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
