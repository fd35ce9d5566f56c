/** No set has more members. */
export const maxSetMembers = 60;

/** Limit of the count of equally good sets. */
export const maxOtherSets = 10;

/** Bound on the difference of two days of the calendar. */
export const maxDaySpan = 2 ** 23;

/**
 * Months for members under `monthly`: each member, in the order of days, belongs in the slot of its place or in the
 * next.
 */
export interface Months {
  /** Days of the months from the target's on, ascending. */
  slots: readonly number[];
  toleranceDays: number;
}

/** Decides whether a set counts. */
export type SetAdmission = (sum: number, size: number, inside: number) => boolean;

/**
 * Describes the candidates of one target: dated ones by day, and an earlier one is preferred among equals. Amounts
 * are signed so that the target is > 0. No amount exceeds 2^47, so that no sum of 64 leaves the safe integers.
 */
export interface SubsetProblem {
  /** In minor units, > 0. */
  target: number;
  /** Inclusive bounds of the sum, in minor units: minSum <= target <= maxSum. */
  minSum: number;
  maxSum: number;
  /** In minor units; only the first `length` entries count. */
  amounts: Float64Array;
  /** Day numbers; noDay contributes nothing to the spread and is taken last. */
  days: Int32Array;
  length: number;
  /** Candidates by amount, descending, then ascending; absent where they have to be sorted first. */
  byAmount?: Int32Array | undefined;
  /** 1 <= minMembers <= maxMembers <= maxSetMembers. */
  minMembers: number;
  maxMembers: number;
  /** 0 = off; else the largest member is > 0 and the smallest at least this share of it. */
  uniformity: number;
  /** Under `monthly`, sets with more members inside win among those of equal sum and size, before the spread counts. */
  months?: Months | undefined;
  /**
   * Decides under `monthly` whether a set with this sum, size and members inside counts. It never rejects a set
   * while it admits the same set with fewer members inside.
   */
  admits?: SetAdmission | undefined;
  /** Nodes (choices, comparisons, rows) that the search may visit. It ends at most one scan of the candidates later. */
  maxNodes: number;
}

export interface SubsetResult {
  /** Indexes of candidates, ascending; null when nothing was found. */
  members: number[] | null;
  /** In minor units; 0 without members. */
  sum: number;
  /** Days from the first to the last dated member. */
  spread: number;
  /**
   * Other multisets of (amount, day) with the same |target - sum|, size, members inside and spread; at most
   * maxOtherSets.
   */
  otherSets: number;
  nodes: number;
  /** True if the search was exact before maxNodes ended it. */
  complete: boolean;
}

/** Counts the nodes of one search against the limits of its current step and of the whole. */
export class NodeBudget {
  nodes = 0;
  limit = 0;
  maxNodes = 0;

  get isSpent(): boolean {
    return this.nodes >= this.limit;
  }

  get isExhausted(): boolean {
    return this.nodes >= this.maxNodes;
  }
}
