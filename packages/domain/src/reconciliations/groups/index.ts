export { sweepChangedItems } from './changed';
export { reviewCompositeOfRun, reviewMatchOfRun } from './confirm';
export { approveMatchGroup, rejectMatchGroup } from './approve';
export { reviewMatches, type MatchSelection } from './review-many';
export { createMatchGroup, emitGroups, maxMembers } from './hold';
export type { GroupSource } from './insert';
export { maxRecordsOfSide, withMemberRecords } from './member-records';
export { getMatchGroup, groupSorts, listMatchGroups, type GroupSort, type MatchGroupFilter } from './read';
export {
  decidingHash,
  releaseMatchGroup,
  releaseMatchGroups,
  undoRun,
  type BulkOutcome,
  type ReleaseInput,
  type ReleaseSelection,
} from './release';
export {
  approvalStatuses,
  groupOrigins,
  groupStatuses,
  type AdjustmentInput,
  type ChangedMember,
  type GroupAdjustment,
  type GroupApproval,
  type GroupMember,
  type GroupOrigin,
  type GroupStatus,
  type MatchGroup,
  type MemberInput,
  type NewMatchGroup,
} from './types';
export { changeKinds, itemsOfFullRun, recordsOfStandingGroups, type ChangeCounts, type ChangeKind } from './full-run';
export { listRunChanges, type GroupTie, type RunChange } from './changes';
export { auditRun, holdRun, itemsChangedSince, ItemsChangedError, lockForRun, type RunSnapshot } from './run';
