export {
  sideNames,
  sideNumber,
  unmatchedReasons,
  withoutRecords,
  writeUnmatched,
  type SideNumber,
  type UnmatchedList,
  type UnmatchedReason,
} from './blocks';
export type { StoredNearest } from './nearest';
export type { NearestCandidate } from './candidates';
export { listUnmatched, type UnmatchedFilter, type UnmatchedRecord } from './list';
export { readUnmatched, unmatchedReasonsOf, type UnmatchedEntry } from './read';
export { removeUnmatched } from './remove';
