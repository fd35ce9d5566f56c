import type { Side } from '@tieout/engine';
import { decimalOf, unitsOf, type Units } from '../amounts';
import type { Reconciliation } from '../definition';
import type { BalanceOfSide } from './balances';
import { proofTerms, termOf, type ProofTerm, type SumRow } from './sums';

/** Explains the difference between the balances of both sides, in one currency. Amounts are decimal texts. */
export interface BalanceProof {
  currency: string | null;
  /** Items and balances count up to this day, YYYY-MM-DD. */
  day: string;
  balances: Record<Side, { amount: string; date: string } | null>;
  terms: Record<ProofTerm, Record<Side, string>>;
  /** Left less right of the balances, without that of each term; null: a side has no balance. */
  unexplained: string | null;
}

/** Builds the proof of each currency that a balance or an item has. */
export function proofsOf(
  rows: readonly SumRow[],
  balances: readonly BalanceOfSide[],
  { day, amountSign }: { day: string } & Pick<Reconciliation, 'amountSign'>,
): BalanceProof[] {
  const currencies = new Set(
    [...balances, ...rows.filter(({ isInProof }) => isInProof)].map(({ currency }) => currency),
  );
  const less = (left: Units, right: Units): Units => (amountSign === 'same' ? left - right : left + right);
  return [...currencies].sort(byName).map((currency) => {
    const of = (side: Side): BalanceOfSide | undefined =>
      balances.find((balance) => balance.side === side && balance.currency === currency);
    const [left, right] = [of('left'), of('right')];
    const sums = (term: ProofTerm): Record<Side, Units> => ({
      left: termOf(rows, term, 'left', currency),
      right: termOf(rows, term, 'right', currency),
    });
    const terms = proofTerms.map((term) => [term, sums(term)] as const);
    const explained = terms.reduce((sum, [, by]) => sum + less(by.left, by.right), 0n);
    return {
      currency,
      day,
      balances: { left: shownBalance(left), right: shownBalance(right) },
      terms: Object.fromEntries(
        terms.map(([term, by]) => [term, { left: decimalOf(by.left), right: decimalOf(by.right) }]),
      ) as BalanceProof['terms'],
      unexplained:
        left && right ? decimalOf(less(unitsOf(left.amount) ?? 0n, unitsOf(right.amount) ?? 0n) - explained) : null,
    };
  });
}

const shownBalance = (balance: BalanceOfSide | undefined): { amount: string; date: string } | null =>
  balance ? { amount: balance.amount, date: balance.date } : null;

/** Sorts currencies by name; a missing one comes first. */
const byName = (a: string | null, b: string | null): number =>
  a === b ? 0 : a === null ? -1 : b === null ? 1 : a < b ? -1 : 1;
