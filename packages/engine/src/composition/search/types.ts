/** No set has more members. */
export const maxSetMembers = 60;

/** Other sets just as good are counted up to here. */
export const maxOtherSets = 10;

/** Days of a calendar differ by less. */
export const maxDaySpan = 2 ** 23;

/** Where members should lie under `monthly`: the member at a place in the order of days in the slot of that place, or in the next. */
export interface Months {
  /** Days of the months from the target's on, ascending. */
  slots: readonly number[];
  toleranceDays: number;
}

export type Admission = (sum: number, size: number, inside: number) => boolean;

/**
 * Candidates of one target: those with a day by day, and among equals an earlier one is preferred. Amounts are signed so
 * that the target is > 0; none exceeds 2^47 in size, so that no sum of 64 leaves the safe integers.
 */
export interface SubsetProblem {
  /** In minor units, > 0. */
  target: number;
  /** Inclusive bounds of the sum, in minor units: least <= target <= most. */
  minSum: number;
  maxSum: number;
  /** In minor units; only the first `length` entries count. */
  amounts: Float64Array;
  /** Day numbers; noDay contributes nothing to the spread and is taken last. */
  days: Int32Array;
  length: number;
  /** 1 <= minMembers <= maxMembers <= maxSetMembers. */
  minMembers: number;
  maxMembers: number;
  /** 0 = off; else the largest member is > 0 and the smallest at least this share of it. */
  uniformity: number;
  /** With them, of sets of the same sum and size those with more members inside go first, before the spread counts. */
  months?: Months | undefined;
  /** With months: whether sets with this sum, size and members inside count. Of two that differ in the members inside it never admits the lesser alone. */
  admits?: Admission | undefined;
  /** Choices, comparisons and rows the search may visit. It ends at most one scan of the candidates later. */
  maxNodes: number;
}

export interface SubsetResult {
  /** Indexes of candidates, ascending; null when nothing was found. */
  members: number[] | null;
  /** In minor units; 0 without members. */
  sum: number;
  /** Days from the first to the last dated member. */
  spread: number;
  /** Other multisets of (amount, day) with the same |target - sum|, size, members inside and spread; at most maxOtherSets. */
  otherSets: number;
  nodes: number;
  /** False when maxNodes ended the search before it was exact. */
  complete: boolean;
}
