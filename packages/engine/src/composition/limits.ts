export { maxSetMembers, maxOtherSets } from './search/types';

/** Bound on amounts that take part: no sum of 64 smaller ones leaves the safe integers. */
export const maxComposedUnits = 2 ** 47;

/**
 * Bound on the nodes that all searches of a target visit together. It suffices for nearly all searches for up to 12
 * of 30 candidates.
 */
export const nodeBudget = 1_000_000;

/** Bound on the candidates of one search, not counting equal ones beyond the size of a composite. */
export const maxCandidates = 5_000;

/** Bound on the installments of a plan: forty years of months. */
export const maxInstallments = 480;

/** The value of a number of installments above maxInstallments. */
export const planTooLong = -1;

/** Max rows that are checked one by one; larger sets are searched in order of amount or distance. */
export const maxPlainWalk = 20_000;

/** Bound on the searches of a target while others take members. */
export const maxSearches = 256;
