import type { BlockingParams, BlockingRuleParams, RecordKeys, RuleSetParams } from './types';
import type { Side } from '../values/types';

/**
 * Returns the paths of amount and date on each side: blocking's keys, the side's own first. With rules, these are the
 * keys that blocking names itself, or else those of the first rule that names any.
 */
export function recordKeys({ blocking = {}, recordKeys: given }: RuleSetParams): Record<Side, RecordKeys> {
  if (given !== undefined) return given;
  const named = [blocking, ...(blocking.rules ?? [])];
  const amounts = named.find(namesAmount) ?? {};
  const dates = named.find(namesDate) ?? {};
  return keysOf(amounts, dates);
}

/**
 * Returns the paths that a rule reads: its own keys, else those that blocking names beside the rules, else those of the
 * pass.
 */
export function ruleKeys(params: RuleSetParams, rule: BlockingRuleParams): Record<Side, RecordKeys> {
  const { left, right } = params.recordKeys ?? keysOf({}, {});
  const paths = {
    amountKeyLeft: left.amount,
    amountKeyRight: right.amount,
    dateKeyLeft: left.date,
    dateKeyRight: right.date,
    ...pathsOf(params.blocking ?? {}),
    ...pathsOf(rule),
  };
  return keysOf(paths, paths);
}

const namesAmount = ({ amountKey, amountKeyLeft, amountKeyRight }: BlockingRuleParams): boolean =>
  [amountKey, amountKeyLeft, amountKeyRight].some(isSet);
const namesDate = ({ dateKey, dateKeyLeft, dateKeyRight }: BlockingRuleParams): boolean =>
  [dateKey, dateKeyLeft, dateKeyRight].some(isSet);

type KeyPaths = Partial<Record<`${'amount' | 'date'}Key${'Left' | 'Right'}`, string>>;

/** Returns the given paths, of each side. */
function pathsOf({ amountKey, dateKey, ...own }: BlockingRuleParams): KeyPaths {
  const paths = {
    amountKeyLeft: own.amountKeyLeft ?? amountKey,
    amountKeyRight: own.amountKeyRight ?? amountKey,
    dateKeyLeft: own.dateKeyLeft ?? dateKey,
    dateKeyRight: own.dateKeyRight ?? dateKey,
  };
  return Object.fromEntries(Object.entries(paths).filter(([, path]) => isSet(path)));
}

function keysOf(amounts: BlockingRuleParams, dates: BlockingRuleParams): Record<Side, RecordKeys> {
  const { amountKeyLeft = 'amount', amountKeyRight = 'amount' } = pathsOf(amounts);
  const { dateKeyLeft = 'date', dateKeyRight = 'date' } = pathsOf(dates);
  return {
    left: { amount: amountKeyLeft, date: dateKeyLeft },
    right: { amount: amountKeyRight, date: dateKeyRight },
  };
}

/** Returns the name of a rule without one. */
export const ruleName = (at: number): string => `rule ${at + 1}`;

export const defaultTop = 15;
export const defaultDocumentShare = 0.1;

/** Returns how similar texts are chosen; null for a rule without them. */
export function textRule({ text }: BlockingRuleParams): { top: number; maxDocumentShare: number } | null {
  if (text === undefined) return null;
  return { top: text.top ?? defaultTop, maxDocumentShare: text.maxDocumentShare ?? defaultDocumentShare };
}

/** Returns the rules of which one has to let a pair through; null where only windows of amount and date decide. */
export function listedRules({ blocking = {} }: RuleSetParams): BlockingRuleParams[] | null {
  if (!isBlockingEnabled(blocking)) return null;
  if (blocking.rules !== undefined) return blocking.rules;
  return blocking.keys === undefined && blocking.text === undefined ? null : [blocking];
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
  ({ kind: 'tolerance' } & AmountTolerance) | { kind: 'bucket'; size: number; window: number; keepsSigns: boolean };

export const defaultBucketSize = 1;
export const defaultBucketWindow = 1;

/** Days from the left to the right date that blocking lets through, both inclusive. */
export interface DayWindow {
  from: number;
  to: number;
}

/** The active parts of blocking; null where a part does not block. */
export interface BlockingParts {
  amount: AmountBlocking | null;
  dayWindow: DayWindow | null;
}

export function blockingParts(params: RuleSetParams): BlockingParts {
  const blocking = params.blocking ?? {};
  // With rules, keys only name the fields that the rules read.
  if (!isBlockingEnabled(blocking) || blocking.rules !== undefined) return { amount: null, dayWindow: null };
  return { amount: amountPart(params, blocking), dayWindow: datePart(params, blocking) };
}

/** Returns whether blocking is on: as soon as one of its keys is set, unless `enabled` says otherwise. */
export function isBlockingEnabled(blocking: BlockingParams): boolean {
  return blocking.enabled ?? Object.values(blocking).some(isSet);
}

function amountPart(params: RuleSetParams, blocking: BlockingRuleParams): AmountBlocking | null {
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
    keepsSigns: isOpposite(params),
  };
}

function datePart(params: RuleSetParams, blocking: BlockingRuleParams): DayWindow | null {
  const { dateKey, dateKeyLeft, dateKeyRight, dateToleranceDays, dateFromDays, dateToDays } = blocking;
  const own = [dateKey, dateKeyLeft, dateKeyRight, dateToleranceDays, dateFromDays, dateToDays];
  if (!own.some(isSet)) return null;
  const days = dateToleranceDays ?? params.windowDays;
  const from = dateFromDays ?? (days === undefined ? undefined : 0 - days);
  const to = dateToDays ?? days;
  return from === undefined || to === undefined ? null : { from: 0 + Math.ceil(from), to: 0 + Math.floor(to) };
}

function isSet(value: unknown): boolean {
  return value !== undefined;
}
