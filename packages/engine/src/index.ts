export type { JsonObject, MaybePromise, Side } from './types';

export { amountToNumber, formatAmount, MAX_AMOUNT_SCALE, MIN_AMOUNT_SCALE, readAmount, rescale } from './decimal';
export type { AmountReading } from './decimal';
export { addMonths, formatDay, parseDateWithFormat, readDay } from './calendar';
export type { DayReading } from './calendar';
export { readPath } from './path';

export { compileExpression, DEFAULT_EXPRESSION_LIMITS } from './expression/compile';
export { ExpressionError } from './expression/error';
export type { Expression, ExpressionLimits, FieldSelection, References } from './expression/types';

export {
  compareGroups,
  compareProposals,
  MAX_COMPOSED_UNITS,
  memberSide,
  MOST_OTHER_SETS,
  PLAN_TOO_LONG,
  settle,
  settleInTurns,
  targetSide,
} from './composition';
export type {
  CompiledComposition,
  Composer,
  CompositeDirection,
  CompositeKind,
  CompositionFacts,
  CompositionPool,
  CompositionSide,
  Proposal,
  SettleWatch,
  Taken,
} from './composition';

export { explanationExpander } from './explanation';
export { compileRuleSet } from './rule-set/compile';
export { recordKeys } from './rule-set/keys';
export { effectiveParams } from './rule-set/defaults';
export type { EffectiveBlocking, EffectiveComposition, EffectiveMatcher, EffectiveParams } from './rule-set/defaults';
export { ruleSetReferences, undeclaredReferences } from './rule-set/references';
export type { DeclaredFields } from './rule-set/references';
export { MAX_EXPRESSION_LENGTH, validateRuleSet } from './rule-set/validate';
export type {
  Admission,
  ComparedRecord,
  CompiledRuleSet,
  DropReason,
  PairComparer,
  PairResult,
} from './rule-set/compiled';
export type {
  BlockingParams,
  CompositionParams,
  EngineName,
  InstallmentDiscoveryParams,
  Issue,
  MatcherParams,
  PartialParams,
  RuleSetDefinition,
  RuleSetParams,
} from './rule-set/types';

export { HEAVY_EFFORT, NO_DAY } from './pairs/types';
export type { KeptPairs, PairBatch, PairBatchOptions, PairCounts, PairError, PairFailure } from './pairs/types';

export { amountFits, createBlockingRule } from './blocking';
export type { BlockingRule, BlockKey, SortedKeys, UnblockedReason } from './blocking';
export { candidateWindows } from './candidate-windows';
export type { CandidateWindows } from './candidate-windows';
export { oneToOne } from './assignment';
export type { Loss, OneToOne, RankedPair } from './assignment';
export { storableText } from './storable';
export { castBoolean, roundScore, scoreScale } from './scoring';
export type { ScoreScale } from './scoring';
export { toleranceCheck } from './tolerance';
export type { ToleranceCheck } from './tolerance';
