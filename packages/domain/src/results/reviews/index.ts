export {
  exclusionOf,
  matchHolding,
  reviewColumns,
  reviewOf,
  reviewStatuses,
  type Exclusion,
  type Review,
  type ReviewInput,
  type ReviewRow,
  type ReviewStatus,
} from './review';
export { lockForReview, reviewing, storeReview, type Reviewed } from './lock';
