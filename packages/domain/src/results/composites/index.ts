export {
  compositeDirections,
  getCompositeMatch,
  listCompositeMatches,
  type CompositeDetail,
  type CompositeFilter,
  type CompositeMatch,
  type CompositeMember,
} from './composite-matches';
export { heldOn, heldRecords, heldScale, type HeldRecords } from './held';
export { findCompositeHolding, reviewCompositeMatch } from './review';
export {
  bestPossibleComposites,
  deleteCompositesOfRecords,
  deleteCompositesOfRuleSet,
  deleteUnreviewedComposites,
  lockCompositesNaming,
  reviewedComposites,
  type ReviewedComposite,
} from './store';
export { writeComposites, type ComposedRecords, type CompositeOwner } from './write';
