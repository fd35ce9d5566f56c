export { jobsDecidingAlike, jobsDecidingAs } from './alike';
export {
  exclusionOf,
  findMatchHolding,
  holdsAfter,
  reviewColumns,
  reviewOf,
  reviewStatuses,
  type Exclusion,
  type Review,
  type ReviewInput,
  type ReviewRow,
  type ReviewStatus,
} from './review';
export {
  forgetVersionsOfRecords,
  forgetVersionsOfRuleSet,
  isStaleSql,
  sweepStaleReviews,
  versionsSql,
  type ChangedVersion,
} from './versions';
export { busyMessage, lockForReview, inReviewTransaction, storeReview, withdrawReview } from './lock';
