export { deleteResultsOfRecords, recordsOfStep } from './delete';
export type { MatchFilter } from './filter';
export { explanationsOf, getMatch, listMatches, type Match } from './matches';
export {
  waitToRemove,
  deleteMatchesOf,
  deleteMatchesOfMany,
  deleteOldRemovalNotes,
  deleteNotesOfExisting,
  blockRemovals,
  noteRemovedRecords,
  recordsRemovedSince,
} from './removed';
export { expandersOf } from './expanders';
export { reviewMatch } from './review';
export {
  confirmedPairs,
  deleteWithheld,
  demoteRivals,
  demoteWithheld,
  rejectedPairs,
  type DeletedMatch,
  type EntryOwner,
  type PairDecisions,
  type RecordPair,
  type WithheldMatch,
} from './reviewed';
