export type { JsonObject, MaybePromise, Side } from './values/types';

export { amountToNumber, maxAmountScale, minAmountScale, readAmount, rescale } from './values/decimal';
export type { AmountReading } from './values/decimal';
export { addMonths, formatDay, readDay } from './values/calendar';
export type { DayReading } from './values/calendar';
export { lowerBound } from './values/binary-search';
export { readPath, withoutPath } from './values/json';
export { dayInZone, isTimezone, offsetInZone } from './values/zone';

export { compileExpression } from './expression/compile';
export { ExpressionError, nullHint } from './expression/error';
export type { Expression, ExpressionLimits, FieldSelection, References } from './expression/types';

export {
  compareGroups,
  PoolBuilder,
  poolOf,
  compareProposals,
  maxComposedUnits,
  memberSide,
  maxOtherSets,
  planTooLong,
  settle,
  settleWithPauses,
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
  RelationFailure,
  RelationFailures,
  SettleWatch,
  Taken,
} from './composition';

export { amountDelta, explanationExpander } from './scoring/explanation';
export { compileRuleSet } from './rule-set/compile';
export { blockingParts, recordKeys } from './definition/keys';
export { blockingReaches } from './blocking/reach';
export type { BlockingReach } from './blocking/reach';
export { decidingText } from './rule-set/deciding';
export { effectiveParams } from './definition/defaults';
export type { EffectiveBlocking, EffectiveComposition, EffectiveMatcher, EffectiveParams } from './definition/defaults';
export { ruleSetReferences, undeclaredReferences } from './rule-set/references';
export type { DeclaredFields } from './rule-set/references';
export { nearNames } from './rule-set/near-names';
export type { SoughtField } from './rule-set/sought-fields';
export { maxExpressionLength } from './rule-set/checks';
export { validateRuleSet } from './rule-set/validate';
export type { Admission, CompiledRuleSet } from './rule-set/compile';
export type { ComparedRecord, DropReason, PairComparer, PairResult } from './scoring/types';
export type {
  BlockingKeyParams,
  BlockingParams,
  BlockingRuleParams,
  TextBlockingParams,
  CompositionParams,
  EngineName,
  InstallmentDiscoveryParams,
  Issue,
  MatcherParams,
  PartialParams,
  RuleSetDefinition,
  RuleSetParams,
} from './definition/types';

export { rarityField, rarityKey, remainingKey } from './expression/snapshot-values';
export { heavyEffort } from './pairs/types';
export { noDay } from './values/calendar';
export { abstains, maxNearestValues, valueSteps } from './pairs/nearest-pairs';
export type {
  KeptPairs,
  NearestOfRows,
  NearestSearch,
  PairBatch,
  PairBatchOptions,
  PairCounts,
  PairError,
  PairFailure,
} from './pairs/types';

export { amountFits, createBlockingRule } from './blocking/blocking';
export type { BlockingRule, BlockKey, SortedKeys, UnblockedReason } from './blocking/blocking';
export type { BlockingRules, KeyFailure, ListedRule, Placing, RulePlace, TextRule } from './blocking/rules';
export { candidateWindows } from './blocking/candidate-windows';
export type { CandidateWindows } from './blocking/candidate-windows';
export { gather, grown, magnitudes, sortedOrder } from './candidates/order';
export { equalityTexts } from './candidates/equality';
export { ListedCandidates, ListedPairsError } from './candidates/listed-candidates';
export type { LeftCandidates } from './candidates/listed-candidates';
export { RuleEntries } from './candidates/rule-entries';
export { candidatesOf, recordState, unitsAt } from './candidates/side';
export type { CandidateSide } from './candidates/side';
export { commonScale, excludeOutOfRange, sortSide } from './candidates/sorted-side';
export type { SortedSide } from './candidates/sorted-side';
export { TextNeighbours } from './candidates/text-neighbours';
export { createAssignment } from './assignment/one-to-one';
export type {
  AssignmentOptions,
  Loss,
  OneToOneAssignment,
  RankedPair,
  RecordClasses,
  RejectedPair,
} from './assignment/one-to-one';
export { sampledPairs } from './rule-set/sampled-pairs';
export type { SampledPair, SampledPairsInput } from './rule-set/sampled-pairs';
export { counted } from './values/counted';
export { storable, storableText } from './values/json';
export { runToEnd } from './values/steps';
export { batchScore, castBoolean, roundScore, weigh } from './scoring/scoring';
export { scoreScale } from './definition/defaults';
export type { ScoreScale } from './definition/defaults';
export { toleranceCheck } from './values/tolerance';
export type { ToleranceCheck } from './values/tolerance';

export { chooseSlice, suggestRuleSet, suggestSteps, withoutSources } from './suggest';
export type { Slice, SuggestedMatcher, SuggestedRuleSet, SuggestInput, Suggestion } from './suggest';

export { chooseQuestions, trainRuleSet } from './train';
export type {
  HeldOutQuality,
  QuestionInput,
  Stratum,
  TrainedThresholds,
  Training,
  TrainingPairs,
  TrainInput,
} from './train';
