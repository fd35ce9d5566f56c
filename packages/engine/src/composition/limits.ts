/** Larger amounts take no part: no sum of 64 smaller ones leaves the safe integers. */
export const MAX_COMPOSED_UNITS = 2 ** 47;

/** Nodes that all searches of a target may visit together. */
export const NODE_BUDGET = 200_000;

/** Candidates that one search of a target looks at, after equal ones beyond MOST_EQUAL are left out. */
export const MAX_CANDIDATES = 5_000;

/** No composite has more members, hence none needs more of equal rows. */
export const MOST_EQUAL = 60;

/** Up to so many rows are looked at one by one; of more, an order by amount or by distance is walked. */
export const PLAIN_WALK = 20_000;

/** Other sets just as good are counted up to here. */
export const MOST_OTHER_SETS = 10;

/** How often a target may search again while others take members. */
export const MOST_SEARCHES = 256;
