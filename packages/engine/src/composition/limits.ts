export { MAX_MEMBERS, MOST_OTHER_SETS } from './search/types';

/** Larger amounts take no part: no sum of 64 smaller ones leaves the safe integers. */
export const MAX_COMPOSED_UNITS = 2 ** 47;

/**
 * Nodes that all searches of a target may visit together. 30 candidates of which up to 12 are members are nearly always
 * searched to the end with that.
 */
export const NODE_BUDGET = 1_000_000;

/** Candidates that one search of a target looks at, after equal ones beyond what a composite may have are left out. */
export const MAX_CANDIDATES = 5_000;

/** Longer plans are none: forty years of months. */
export const MAX_INSTALLMENTS = 480;

/** Instead of their number: a plan states more installments than MAX_INSTALLMENTS. */
export const PLAN_TOO_LONG = -1;

/** Up to so many rows are looked at one by one; of more, an order by amount or by distance is walked. */
export const PLAIN_WALK = 20_000;

/** How often a target may search again while others take members. */
export const MOST_SEARCHES = 256;
