import { exactDecimal } from './decimal';

/** Bound on the relative error of the comparison in doubles, with a wide margin: it is below 2^−50 by construction. */
const roundingMargin = 1e-12;

/** Decides |left − right| <= percent/100 · max(|left|, |right|) for integers of one scale, exactly. */
export type ToleranceCheck = (left: number, right: number) => boolean;

/**
 * Creates a check that decides in doubles where the sides differ by more than rounding could, and in big integers
 * otherwise.
 */
export function toleranceCheck(percent: number): ToleranceCheck {
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

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
