export { compileComposition } from './composer';
export { compositionReferences, namedCompositionFields, undeclaredCompositionFields } from './fields';
export { maxComposedUnits, maxOtherSets, planTooLong } from './limits';
export { PoolBuilder } from './fact-columns';
export { poolOf } from './pool-of';
export { compareGroups, compareProposals } from './rank';
export type { RelationFailure, RelationFailures } from './relation-failures';
export { settle, settleWithPauses } from './settle';
export { memberSide, targetSide } from './types';
export type { SettleListener as SettleWatch } from './settle';
export type {
  CompiledComposition,
  Composer,
  CompositeDirection,
  CompositeKind,
  CompositionFacts,
  CompositionPool,
  CompositionSide,
  Proposal,
  Taken,
} from './types';
