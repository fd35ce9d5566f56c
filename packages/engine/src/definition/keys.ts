import type { BlockingParams, RuleSetParams } from './types';
import type { Side } from '../values/types';

export interface RecordKeys {
  /** Dotted path of the amount. */
  amount: string;
  /** Dotted path of the date. */
  date: string;
}

/** Returns the paths of amount and date on each side: blocking's keys, the side's own first. */
export function recordKeys(params: RuleSetParams): Record<Side, RecordKeys> {
  const { amountKey, amountKeyLeft, amountKeyRight, dateKey, dateKeyLeft, dateKeyRight } = params.blocking ?? {};
  return {
    left: { amount: amountKeyLeft ?? amountKey ?? 'amount', date: dateKeyLeft ?? dateKey ?? 'date' },
    right: { amount: amountKeyRight ?? amountKey ?? 'amount', date: dateKeyRight ?? dateKey ?? 'date' },
  };
}

export type AmountBlocking = { kind: 'tolerance'; percent: number } | { kind: 'bucket'; size: number; window: number };

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

/** Tells whether blocking is on: as soon as one of its keys is set, unless `enabled` says otherwise. */
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
  ];
  if (!own.some(isSet)) return null;
  const percent = blocking.amountTolerancePercent ?? params.amountTolerancePercent;
  if (percent !== undefined) return { kind: 'tolerance', percent };
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
