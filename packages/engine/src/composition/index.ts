export { compileComposition } from './compile';
export { compositionReferences, undeclaredCompositionFields } from './fields';
export { MAX_COMPOSED_UNITS } from './limits';
export { compareProposals } from './rank';
export { settle, settleInTurns } from './settle';
export type { SettleWatch } from './settle';
export type {
  CompiledComposition, Composer, CompositeDirection, CompositeKind, CompositionFacts, CompositionPool, CompositionSide,
  Proposal, Taken,
} from './types';
