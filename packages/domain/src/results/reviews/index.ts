export {
  exclusionOf,
  findMatchHolding,
  reviewColumns,
  reviewOf,
  reviewStatuses,
  type Exclusion,
  type Review,
  type ReviewInput,
  type ReviewRow,
  type ReviewStatus,
} from './review';
export { lockForReview, inReviewTransaction, storeReview, type Reviewed } from './lock';
