export { deleteResultsOfRecords } from './delete';
export { getMatch, listMatches, type Match, type MatchFilter } from './matches';
export { reviewMatch } from './review';
export { confirmedPairs, withholdReviewed, type ReviewedOf, type Withheld } from './reviewed';
