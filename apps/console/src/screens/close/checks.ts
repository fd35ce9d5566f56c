import type { MonthSummary } from '../../api/periods';
import { unitsOf } from '../../text/format';

const names = ['balances', 'proved', 'explained', 'assigned', 'stale'] as const;

export type CheckName = (typeof names)[number];

export interface MonthCheck {
  name: CheckName;
  isDone: boolean;
  /** The number of things left to do, where they can be counted. */
  count?: number;
}

/** The points of the list before they have been read. */
export const unknownChecks: readonly MonthCheck[] = names.map((name) => ({ name, isDone: false }));

/** Lists what has to be done before a month is closed. Each currency has a proof, and each has to come out. */
export function checksOf(
  { proof = [], left, right }: Pick<MonthSummary, 'proof' | 'left' | 'right'>,
  work: { unexplained: number; unassigned: number },
): MonthCheck[] {
  const stale = left.stale.count + right.stale.count;
  return [
    {
      name: 'balances',
      isDone: proof.length > 0 && proof.every(({ balances }) => balances.left !== null && balances.right !== null),
    },
    {
      name: 'proved',
      isDone: proof.length > 0 && proof.every(({ unexplained }) => unexplained !== null && unitsOf(unexplained) === 0n),
    },
    { name: 'explained', isDone: work.unexplained === 0, count: work.unexplained },
    { name: 'assigned', isDone: work.unassigned === 0, count: work.unassigned },
    { name: 'stale', isDone: stale === 0, count: stale },
  ];
}
