import {
  createBlockingRule,
  minAmountScale,
  readAmount,
  readDay,
  rescale,
  type AmountReading,
  type RuleSetParams,
  type Side,
} from '@tieout/engine';
import type { PreviewPairResult } from '../../kernel/ports';

/** Reasons why no pass has tied a candidate, and what they mean. */
export const refusals = {
  no_pass: 'No pass compares these two datasets',
  composition: 'The pass does not compose groups for a record of this side',
  blocking: 'Blocking of the pass does not bring these amounts together',
  window: 'The dates are further apart than the pass allows',
  filter: 'A filter or a key of the pass keeps them apart',
  error: 'An expression of the pass failed on them',
  threshold: 'They miss what the pass asks for a MATCH: score, tolerance or size',
  rejected: 'People have rejected or released them',
  competition: 'The pass would tie them, but others are as good or better',
  not_run: 'The pass would tie them: no run has seen both as they are now',
} as const;
export type RefusalReason = keyof typeof refusals;

/** The amount that counts, and the day, of a record of a pair. */
export interface PairFacts {
  remaining: string | null;
  date: string | null;
}

/** Returns what keeps a pair from being compared; null where blocking lets it through. */
export function blockedBy(params: RuleSetParams, facts: Record<Side, PairFacts>): 'blocking' | 'window' | null {
  const rule = createBlockingRule(params);
  const amounts = {
    left: readAmount(facts.left.remaining),
    right: signed(readAmount(facts.right.remaining), params.amountSign === 'opposite' ? -1 : 1),
  };
  const left = rule.keyOf({ amount: amounts.left, day: readDay(facts.left.date) });
  const right = rule.keyOf({ amount: amounts.right, day: readDay(facts.right.date) });
  const missing = [left, right].flatMap((key) => ('reason' in key ? [key.reason] : []));
  if (missing.length > 0) return missing.every((reason) => reason.endsWith('_date')) ? 'window' : 'blocking';
  if ('reason' in left || 'reason' in right) return 'blocking';
  if (Math.abs(left.bucket - right.bucket) > rule.bucketWindow) return 'blocking';
  const scale = Math.max(minAmountScale, scaleOf(amounts.left), scaleOf(amounts.right));
  const [one, other] = [unitsAt(amounts.left, scale), unitsAt(amounts.right, scale)];
  if (rule.exact && !rule.admits(one, other, scale)) return 'blocking';
  return rule.blocksOnDay && Math.abs(left.day - right.day) > rule.dayWindow ? 'window' : null;
}

const signed = (amount: AmountReading, sign: 1 | -1): AmountReading =>
  amount.ok ? { ...amount, units: sign * amount.units } : amount;
const scaleOf = (amount: AmountReading): number => (amount.ok ? amount.scale : 0);
const unitsAt = (amount: AmountReading, scale: number): number | null =>
  amount.ok ? rescale(amount.units, amount.scale, scale) : null;

/** Returns why a scored pair is no MATCH; null for one. */
export function missedBy({ decision, dropped }: PreviewPairResult): RefusalReason | null {
  if (decision === 'MATCH') return null;
  if (decision === 'ERROR') return 'error';
  if (dropped === 'filter') return 'filter';
  if (dropped === 'window_days' || dropped === 'missing_date') return 'window';
  return dropped === undefined ? 'threshold' : 'blocking';
}
