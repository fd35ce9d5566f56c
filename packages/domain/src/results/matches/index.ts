export { deleteResultsOfRecords, recordsOfStep } from './delete';
export type { MatchFilter } from './filter';
export { getMatch, listMatches, type Match } from './matches';
export {
  beginRemoval,
  dropMatchesOf,
  forgetRemoved,
  forgetStaying,
  keepRecords,
  noteRemoved,
  removedSince,
} from './removed';
export { reviewMatch } from './review';
export { confirmedPairs, withholdReviewed } from './reviewed';
