export {
  sideNumber,
  unmatchedReasons,
  withoutRecords,
  writeUnmatched,
  type UnmatchedList,
  type UnmatchedReason,
} from './blocks';
export { listUnmatched, type UnmatchedFilter, type UnmatchedRecord } from './list';
export { readUnmatched, type UnmatchedEntry } from './read';
export { removeUnmatched } from './remove';
