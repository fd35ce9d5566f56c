export {
  compositeDirections,
  getCompositeMatch,
  listCompositeMatches,
  type CompositeDetail,
  type CompositeDirection,
  type CompositeFilter,
  type CompositeMatch,
  type CompositeMember,
} from './composite-matches';
export { bestPossibleComposites, type BestComposite } from './best-possible';
export { compositeHolding, reviewCompositeMatch } from './review';
export {
  deleteCompositesOfRecords,
  deleteCompositesOfRuleSet,
  deleteUnreviewedComposites,
  lockCompositesNaming,
} from './store';
export { reviewedComposites, type ReviewedComposite } from './reviewed';
export { writeComposites, type ComposedRecords, type CompositeOwner } from './write';
