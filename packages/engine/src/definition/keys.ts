import type { BlockingParams, RecordKeys, RuleSetParams } from './types';
import type { Side } from '../values/types';

/** Returns the paths of amount and date on each side: blocking's keys, the side's own first. */
export function recordKeys(params: RuleSetParams): Record<Side, RecordKeys> {
  if (params.recordKeys !== undefined) return params.recordKeys;
  const { amountKey, amountKeyLeft, amountKeyRight, dateKey, dateKeyLeft, dateKeyRight } = params.blocking ?? {};
  return {
    left: { amount: amountKeyLeft ?? amountKey ?? 'amount', date: dateKeyLeft ?? dateKey ?? 'date' },
    right: { amount: amountKeyRight ?? amountKey ?? 'amount', date: dateKeyRight ?? dateKey ?? 'date' },
  };
}

/** The time zone in which timestamps have their days, unless a rule set names one. */
export const defaultTimezone = 'UTC';

/** Returns whether what is positive on the left is negative on the right. */
export const isOpposite = ({ amountSign }: RuleSetParams): boolean => amountSign === 'opposite';

/** Signs with which the amounts of each side are compared. */
export const amountSigns = (params: RuleSetParams): Record<Side, 1 | -1> => ({
  left: 1,
  right: isOpposite(params) ? -1 : 1,
});

/** `percent` of the larger amount, or `absolute` currency units: the larger of both holds. */
export interface AmountTolerance {
  percent: number;
  absolute: number;
}

/** Returns the tolerance of two keys; null where neither is given. */
export function toleranceOf(percent: number | undefined, absolute: number | undefined): AmountTolerance | null {
  return percent === undefined && absolute === undefined ? null : { percent: percent ?? 0, absolute: absolute ?? 0 };
}

export type AmountBlocking =
  ({ kind: 'tolerance' } & AmountTolerance) | { kind: 'bucket'; size: number; window: number };

export const defaultBucketSize = 1;
export const defaultBucketWindow = 1;

/** The active parts of blocking; null where a part does not block. */
export interface BlockingParts {
  amount: AmountBlocking | null;
  dayWindow: number | null;
}

export function blockingParts(params: RuleSetParams): BlockingParts {
  const blocking = params.blocking ?? {};
  if (!isBlockingEnabled(blocking)) return { amount: null, dayWindow: null };
  return { amount: amountPart(params, blocking), dayWindow: datePart(params, blocking) };
}

/** Returns whether blocking is on: as soon as one of its keys is set, unless `enabled` says otherwise. */
export function isBlockingEnabled(blocking: BlockingParams): boolean {
  return blocking.enabled ?? Object.values(blocking).some(isSet);
}

function amountPart(params: RuleSetParams, blocking: BlockingParams): AmountBlocking | null {
  const own = [
    blocking.amountKey,
    blocking.amountKeyLeft,
    blocking.amountKeyRight,
    blocking.amountBucketSize,
    blocking.amountBucketWindow,
    blocking.amountTolerancePercent,
    blocking.amountTolerance,
  ];
  if (!own.some(isSet)) return null;
  const tolerance = toleranceOf(
    blocking.amountTolerancePercent ?? params.amountTolerancePercent,
    blocking.amountTolerance ?? params.amountTolerance,
  );
  if (tolerance !== null) return { kind: 'tolerance', ...tolerance };
  return {
    kind: 'bucket',
    size: blocking.amountBucketSize ?? defaultBucketSize,
    // Buckets and days are whole, so a fraction of one reaches no further.
    window: Math.floor(blocking.amountBucketWindow ?? defaultBucketWindow),
  };
}

function datePart(params: RuleSetParams, blocking: BlockingParams): number | null {
  const own = [blocking.dateKey, blocking.dateKeyLeft, blocking.dateKeyRight, blocking.dateToleranceDays];
  if (!own.some(isSet)) return null;
  const days = blocking.dateToleranceDays ?? params.windowDays;
  return days === undefined ? null : Math.floor(days);
}

function isSet(value: unknown): boolean {
  return value !== undefined;
}
