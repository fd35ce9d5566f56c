import { noDay } from '../../values/calendar';
import { emptySpan } from './rows-by-day';
import type { DaySpan } from './rows-by-day';
import type { Months, SetAdmission } from './types';

/** The columns of the candidates. */
export type CandidateColumns = Pick<SlotProblem, 'amounts' | 'days'>;

/** The candidates of one target, and the sums that count. */
export interface SlotProblem {
  /** In minor units. */
  target: number;
  /** Inclusive bounds of the sum. */
  minSum: number;
  maxSum: number;
  /** Amounts of the candidates, which are sorted by preference. */
  amounts: Float64Array;
  /** Days of the candidates; noDay contributes nothing to the spread. */
  days: Int32Array;
  /** 0 = off; else the largest member is > 0 and the smallest at least this share of it. */
  uniformity: number;
  /** Steps that all runs may take together. */
  maxNodes: number;
}

/**
 * Months for the members of a run: members of slots belong in the month of their slot, the others in the remaining
 * months.
 */
export interface RunMonths extends Months {
  /** Months that may be the first one. */
  firsts: readonly number[];
  /** Rejects sets with members outside of their months. */
  allInside: boolean;
  /** Decides whether a set counts, as in a SubsetProblem. */
  admits?: SetAdmission | undefined;
}

/** Describes the sets of one run: at most one candidate of each slot and any number of free ones, `size` together. */
export interface SlotRun {
  size: number;
  /** Candidates, ascending; the place of a slot is its month. */
  slots: readonly (readonly number[])[];
  /** Candidates, ascending. */
  free?: readonly number[];
  months?: RunMonths | undefined;
}

/** The best set and how many are as good. */
export interface SlotSets {
  /** Members of slots by place, then the free ones ascending. */
  members: number[];
  sum: number;
  /** Days from the first to the last dated member. */
  spread: number;
  /** Members of slots. */
  placed: number;
  /** Other multisets of (amount, day) with the same |target - sum|, size and cost; at most maxOtherSets. */
  otherSets: number;
  /** Keys (`setKey`) of the best set and of the others. */
  keys: ReadonlySet<string>;
}

/** Candidates of one slot, or all free ones, by (amount, day, candidate). */
export interface Slot {
  place: number;
  choices: readonly number[];
  amounts: readonly number[];
  /** Bounds of the sum of one candidate from this slot and from each following slot. */
  minRest: number;
  maxRest: number;
  /** Extreme amounts of this slot, the following ones and the free candidates. */
  smallest: number;
  largest: number;
  /** Min span in days of a set that has one candidate from this slot and from each following slot. */
  span: DaySpan;
}

/** Free candidates of one amount, by (day, candidate). */
export interface FreeAmount {
  amount: number;
  rows: number[];
}

/** Groups free candidates by amount, largest first. */
export function groupFree(problem: CandidateColumns, candidates: readonly number[]): FreeAmount[] {
  const groups: FreeAmount[] = [];
  for (const candidate of sortCandidates(problem, candidates).reverse()) {
    const amount = problem.amounts[candidate] as number;
    if (groups.at(-1)?.amount !== amount) groups.push({ amount, rows: [] });
    (groups.at(-1) as FreeAmount).rows.unshift(candidate);
  }
  return groups;
}

/** Prepares the slots that have candidates, those with few first, and bounds what each and the following ones add. */
export function boundSlots(
  problem: CandidateColumns,
  slots: readonly (readonly number[])[],
  free: readonly FreeAmount[],
): Slot[] {
  let [minRest, maxRest] = [0, 0];
  let [smallest, largest] = [free.at(-1)?.amount ?? Infinity, free[0]?.amount ?? -Infinity];
  const last: Slot = { place: -1, choices: [], amounts: [], minRest, maxRest, smallest, largest, span: emptySpan };
  let { span } = last;
  return slots
    .map((candidates, place) => ({ place, choices: sortCandidates(problem, candidates) }))
    .filter(({ choices }) => choices.length > 0)
    .sort((one, other) => other.choices.length - one.choices.length || other.place - one.place)
    .map(({ place, choices }): Slot => {
      const values = choices.map((candidate) => problem.amounts[candidate] as number);
      minRest += values[0] as number;
      maxRest += values.at(-1) as number;
      smallest = Math.min(smallest, values[0] as number);
      largest = Math.max(largest, values.at(-1) as number);
      span = widened(span, problem.days, choices);
      return { place, choices, amounts: values, minRest, maxRest, smallest, largest, span };
    })
    .reverse()
    .concat(last);
}

function sortCandidates({ amounts, days }: CandidateColumns, candidates: readonly number[]): number[] {
  const dayOf = (candidate: number): number => (days[candidate] === noDay ? Infinity : (days[candidate] as number));
  return [...candidates].sort(
    (one, other) =>
      (amounts[one] as number) - (amounts[other] as number) ||
      Number(dayOf(one) > dayOf(other)) - Number(dayOf(one) < dayOf(other)) ||
      one - other,
  );
}

/** Widens a span to what every choice of the candidates covers; an undated candidate widens nothing. */
function widened({ first, last }: DaySpan, allDays: Int32Array, candidates: readonly number[]): DaySpan {
  const days = candidates.map((candidate) => allDays[candidate] as number);
  return days.includes(noDay)
    ? { first, last }
    : { first: Math.min(first, Math.max(...days)), last: Math.max(last, Math.min(...days)) };
}

/** Returns a key that is equal for sets of the same amounts and days. */
export function setKey({ amounts, days }: CandidateColumns, members: readonly number[]): string {
  return members
    .map((candidate) => `${amounts[candidate]}/${days[candidate]}`)
    .sort()
    .join(' ');
}
