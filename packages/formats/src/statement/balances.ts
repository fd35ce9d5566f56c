import type { StatementBalance } from '../types';
import type { DecimalSum } from './sum';

/** Tells by how much transactions miss the closing balance; null where they do not, or where a balance is missing. */
export function balanceDifference(balances: readonly StatementBalance[], transactions: DecimalSum): string | null {
  const opening = balances.find(({ type }) => type === 'opening');
  const closing = balances.findLast(({ type }) => type === 'closing');
  if (opening === undefined || closing === undefined) return null;
  const sum = transactions.text;
  transactions.add(opening.amount);
  if (transactions.equals(closing.amount)) return null;
  return `opening ${opening.amount}, transactions ${sum}, closing ${closing.amount}`;
}
