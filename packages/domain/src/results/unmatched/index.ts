export {
  sideNumber,
  unmatchedReasons,
  withoutRecords,
  writeUnmatched,
  type UnmatchedList,
  type UnmatchedReason,
} from './blocks';
export { readUnmatched, type UnmatchedEntry } from './read';
export { removeUnmatched } from './remove';
