export { maxSetMembers, maxOtherSets } from './search/types';

/** Larger amounts take no part: no sum of 64 smaller ones leaves the safe integers. */
export const maxComposedUnits = 2 ** 47;

/**
 * Nodes that all searches of a target may visit together. 30 candidates of which up to 12 are members are nearly always
 * searched to the end with that.
 */
export const nodeBudget = 1_000_000;

/** Candidates that one search of a target looks at, after equal ones beyond what a composite may have are left out. */
export const maxCandidates = 5_000;

/** Longer plans are none: forty years of months. */
export const maxInstallments = 480;

/** Instead of their number: a plan states more installments than maxInstallments. */
export const planTooLong = -1;

/** Up to so many rows are looked at one by one; of more, an order by amount or by distance is walked. */
export const maxPlainWalk = 20_000;

/** How often a target may search again while others take members. */
export const maxSearches = 256;
