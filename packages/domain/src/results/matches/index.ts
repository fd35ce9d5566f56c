export { deleteResultsOfRecords, recordsOfStep } from './delete';
export type { MatchFilter } from './filter';
export { getMatch, listMatches, type Match } from './matches';
export {
  waitToRemove,
  deleteMatchesOf,
  deleteOldRemovalNotes,
  deleteNotesOfExisting,
  blockRemovals,
  noteRemovedRecords,
  recordsRemovedSince,
} from './removed';
export { reviewMatch } from './review';
export { confirmedPairs, withholdReviewed } from './reviewed';
