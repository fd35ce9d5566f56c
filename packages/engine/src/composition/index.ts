export { compileComposition } from './compile';
export { compositionReferences, undeclaredCompositionFields } from './fields';
export { MAX_COMPOSED_UNITS, MOST_OTHER_SETS, PLAN_TOO_LONG } from './limits';
export { compareGroups, compareProposals } from './rank';
export { settle, settleInTurns } from './settle';
export { memberSide, targetSide } from './sides';
export type { SettleWatch } from './settle';
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
