export { sweepChangedItems } from './changed';
export { reviewCompositeOfRun, reviewMatches, reviewMatchOfRun, type MatchSelection } from './confirm';
export { createMatchGroup, emitGroups, maxMembers, type GroupSource } from './hold';
export { getMatchGroup, groupSorts, listMatchGroups, type GroupSort, type MatchGroupFilter } from './read';
export {
  decidingHash,
  releaseMatchGroup,
  releaseMatchGroups,
  type BulkOutcome,
  type ReleaseInput,
  type ReleaseSelection,
} from './release';
export {
  groupOrigins,
  groupStatuses,
  type AdjustmentInput,
  type GroupAdjustment,
  type GroupMember,
  type GroupOrigin,
  type GroupStatus,
  type MatchGroup,
  type MemberInput,
  type NewMatchGroup,
} from './types';
export { holdRun, itemsChangedSince, lockForRun } from './run';
