export {
  compositeDirections, getCompositeMatch, listCompositeMatches, reviewStatuses,
  type CompositeDetail, type CompositeDirection, type CompositeFilter, type CompositeMatch, type CompositeMember, type Review, type ReviewStatus,
} from './composite-matches';
export { bestPossibleComposites, type BestComposite } from './best-possible';
export { reviewCompositeMatch, type ReviewInput } from './review';
export { deleteCompositesOfRecords, deleteCompositesOfRuleSet, deleteUnreviewedComposites } from './store';
export { reviewedComposites, type ReviewedComposite } from './reviewed';
export { writeComposites, type ComposedRecords, type CompositeOwner } from './write';
