import { exactDecimal, maxAmountScale } from '../values/decimal';
import type { AmountBlocking, AmountTolerance } from '../definition/keys';
import { toleranceCheck } from '../values/tolerance';
import type { ToleranceCheck } from '../values/tolerance';

/** Sorts amounts into buckets, so that two amounts that can match are at most `window` buckets apart. */
export interface AmountBuckets {
  readonly window: number;
  of(units: number, scale: number): number;
  /** Checks exactly what the buckets leave undecided; null when they leave nothing. */
  readonly admits: ((left: number, right: number, scale: number) => boolean) | null;
  /**
   * True if `admits` accepts an interval of magnitudes of each bucket: the amounts of one bucket have one sign, or
   * the sign does not count.
   */
  readonly contiguous: boolean;
  describe(bucket: number): string;
}

export function amountBuckets(part: AmountBlocking): AmountBuckets {
  if (part.kind === 'bucket') {
    const buckets = fixedBuckets(part.size, part.window);
    return part.keepsSigns ? signedBuckets(buckets) : buckets;
  }
  return part.absolute < smallestUnit ? percentBuckets(part.percent) : absoluteBuckets(part);
}

/**
 * Bound on the width of buckets: narrower ones would only add buckets, because neighbours are checked exactly
 * anyway.
 */
const minLogWidth = 1e-6;
const logSlack = 1e-11;
/** Below this share the exact logarithm is far under minLogWidth. */
const smallShare = 1e-7;
/** Amounts are whole numbers of this unit: a smaller tolerance allows nothing. */
const smallestUnit = 1e-4;
/** Amounts in range are smaller, in currency units. */
const maxAmount = 1e14;

/**
 * Creates signed logarithmic buckets.
 *
 * With p = percent/100 < 1, |l − r| <= p·max(|l|, |r|) needs amounts of one sign (or two zeros) with max/min <=
 * 1/(1 − p), that is logarithms at most w0 = ln(1/(1 − p)) apart. With buckets of width w > w0 such amounts are in
 * the same bucket or in neighbouring ones. The slack: x is at most 10^20, so ln x <= 46.1; rounding x, its
 * logarithm and the quotient moves a logarithm by less than 2·10^−14, and w0 is off by less than 10^−15, so that w
 * = w0 + 10^−11 keeps two computed quotients less than 1 apart. Positive buckets start at 2 and negative ones at
 * −2, so that zero at 0 neighbours neither. With p >= 1 amounts of any size can match: one bucket.
 */
function percentBuckets(percent: number): AmountBuckets {
  const within = toleranceCheck({ percent, absolute: 0 }, 0);
  const width = logWidth(percent);
  return {
    window: width === null ? 0 : 1,
    of: (units, scale) => (width === null || units === 0 ? 0 : logBucket(units, scale, width)),
    admits: (left, right) => within(left, right),
    contiguous: width !== null,
    describe: (bucket) => `amount~${bucket}`,
  };
}

/** Bound on the width of linear buckets in currency units, so that their numbers are safe integers. */
const minLinearWidth = 0.1;
/** Widens linear buckets, for rounding: quotients of amounts up to 9·10^13 are off by less than a tenth each. */
const linearSlack = 1.5;

/**
 * Creates buckets for an absolute tolerance a and a percentage p = percent/100. Amounts within either of them are
 * neighbours on the scale f. Without a percentage f(x) = x / a. Otherwise, with c = a(1 − p)/p, f(x) = ±ln(1 + |x|/c),
 * on which a and p both span at most ln(1/(1 − p)), and amounts of different signs at most twice ln(1 + a/2c). With p
 * >= 1 amounts of any size can match: one bucket.
 */
function absoluteBuckets({ percent, absolute }: AmountTolerance): AmountBuckets {
  const place = placeOnScale(percent / 100, absolute);
  const checks = [0, 1, 2, 3, 4].map((scale) => toleranceCheck({ percent, absolute }, scale));
  return {
    window: place === null ? 0 : 1,
    of: (units, scale) => (place === null ? 0 : Math.floor(place(units / 10 ** scale))),
    admits: (left, right, scale) => (checks[scale] as ToleranceCheck)(left, right),
    contiguous: false,
    describe: (bucket) => `amount~${bucket}`,
  };
}

function placeOnScale(share: number, absolute: number): ((amount: number) => number) | null {
  if (share >= 1) return null;
  if (share < smallShare) {
    // A percentage this small moves amounts in range by less than the slack of a wider bucket.
    const width = Math.max(minLinearWidth, absolute, share * maxAmount) * linearSlack;
    return (amount) => amount / width;
  }
  const offset = (absolute * (1 - share)) / share;
  const width = Math.max(-Math.log1p(-share), 2 * Math.log1p(absolute / (2 * offset))) * linearSlack;
  return (amount) => (Math.sign(amount) * Math.log1p(Math.abs(amount) / offset)) / width;
}

function logBucket(units: number, scale: number, width: number): number {
  const magnitude = Math.abs(units) * 10 ** (maxAmountScale - scale);
  return Math.sign(units) * (Math.floor(Math.log(magnitude) / width) + 2);
}

function logWidth(percent: number): number | null {
  if (percent >= 100) return null;
  if (percent / 100 < smallShare) return minLogWidth + logSlack;
  const { digits, scale } = exactDecimal(percent);
  const hundred = 100n * 10n ** BigInt(scale);
  // Integers, because 1 − p in doubles loses its digits when p is close to 1.
  return Math.max(Math.log(Number(hundred) / Number(hundred - digits)), minLogWidth) + logSlack;
}

/** From this size on, every bucket number of an amount in range (9·10^13 units) is a safe integer. */
const minExactSize = 0.01;
/** Number of smaller buckets that share a key: 9·10^17 / 128 is a safe integer again. */
const bucketsPerKey = 128n;

/** Creates buckets floor(|amount| / size) in exact decimal. */
function fixedBuckets(size: number, window: number): AmountBuckets {
  const number = bucketNumber(size);
  if (size >= minExactSize) {
    return {
      window,
      of: (units, scale) => Number(number(units, scale)),
      admits: null,
      contiguous: true,
      describe: (bucket) => `amount:${bucket}`,
    };
  }
  return {
    window: Math.ceil(window / Number(bucketsPerKey)),
    of: (units, scale) => Number(BigInt(number(units, scale)) / bucketsPerKey),
    admits: (left, right, scale) =>
      distance(BigInt(number(left, scale)), BigInt(number(right, scale))) <= BigInt(window),
    contiguous: true,
    describe: (bucket) => `amount:${BigInt(bucket) * bucketsPerKey}+`,
  };
}

/** Leaves pairs out whose amounts have different signs, of which 0 is neither. */
function signedBuckets(buckets: AmountBuckets): AmountBuckets {
  const { admits } = buckets;
  return {
    ...buckets,
    admits: (left, right, scale) => left * right >= 0 && (admits === null || admits(left, right, scale)),
    contiguous: false,
  };
}

function distance(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one;
}

function bucketNumber(size: number): (units: number, scale: number) => number | bigint {
  const { digits, scale: sizeScale } = exactDecimal(size);
  const divisors = [0, 1, 2, 3, 4].map((scale) => divisorAt(digits, sizeScale, scale));
  return (units, scale) => {
    const { factor, divisor } = divisors[scale] ?? divisorAt(digits, sizeScale, scale);
    const scaled = Math.abs(units) * factor;
    if (Number.isSafeInteger(scaled) && Number.isSafeInteger(divisor)) return (scaled - (scaled % divisor)) / divisor;
    const exactDivisor = digits * 10n ** BigInt(Math.max(0, scale - sizeScale));
    return (BigInt(Math.abs(units)) * 10n ** BigInt(Math.max(0, sizeScale - scale))) / exactDivisor;
  };
}

/** Brings amount and size to one scale: floor(units · factor / divisor). */
function divisorAt(digits: bigint, sizeScale: number, scale: number): { factor: number; divisor: number } {
  return {
    factor: 10 ** Math.max(0, sizeScale - scale),
    divisor: Number(digits * 10n ** BigInt(Math.max(0, scale - sizeScale))),
  };
}
