export {
  reviewColumns,
  reviewOf,
  reviewStatuses,
  type Review,
  type ReviewInput,
  type ReviewRow,
  type ReviewStatus,
} from './review';
export { exclusionOf, type Exclusion } from './definition';
export { lockForReview, reviewing, storeReview, type Reviewed } from './lock';
export { matchHolding } from './holding';
