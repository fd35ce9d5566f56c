import { blockingParts, listedRules, recordKeys, ruleKeys } from '../definition/keys';
import type { AmountBlocking } from '../definition/keys';
import type { BlockingParams, RuleSetParams } from '../definition/types';
import type { Side } from '../values/types';

/** A window of a rule: right records lie within it around a left one, by one key of both. */
export interface BlockingReach {
  /** Amounts without their signs, or days. */
  kind: 'amount' | 'day';
  paths: Record<Side, string>;
  /** Returns bounds of the right values that the left ones between two values meet. */
  widen: (from: number, to: number) => [from: number, to: number];
}

/** Lists the windows of amounts and days of all rules, in their order. */
export function blockingReaches(params: RuleSetParams): BlockingReach[] {
  const rules = listedRules(params);
  return (rules ?? [params.blocking ?? {}]).flatMap((rule): BlockingReach[] => {
    const { rules: _rules, ...own }: BlockingParams = rule;
    const { amount, dayWindow } = blockingParts({ ...params, blocking: own });
    const { left, right } = rules === null ? recordKeys(params) : ruleKeys(params, rule);
    const reaches: BlockingReach[] = [];
    if (amount !== null)
      reaches.push({ kind: 'amount', paths: { left: left.amount, right: right.amount }, widen: amountReach(amount) });
    if (dayWindow !== null) {
      const widen = (from: number, to: number): [number, number] => [from + dayWindow.from, to + dayWindow.to];
      reaches.push({ kind: 'day', paths: { left: left.date, right: right.date }, widen });
    }
    return reaches;
  });
}

/** Part of a bound that calculating with it may lose. */
const slack = 1e-9;

function amountReach(amount: AmountBlocking): BlockingReach['widen'] {
  if (amount.kind === 'bucket') {
    const far = (amount.window + 1) * amount.size;
    return (from, to) => [from - far, to + far];
  }
  // The percentage is of the larger amount: with 5 %, 100 reaches up to 100 / 0.95.
  const kept = 1 - amount.percent / 100;
  return (from, to) => [
    Math.min(from * kept, from - amount.absolute) * (1 - slack) - slack,
    Math.max(kept > 0 ? to / kept : Infinity, to + amount.absolute) * (1 + slack) + slack,
  ];
}
