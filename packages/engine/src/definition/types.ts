import type { Side } from '../values/types';

/** `jsonata`: one expression decides; `jsonata-batch`: weighted matchers, with an optional gate. */
export type EngineName = 'jsonata' | 'jsonata-batch';

/** Dotted paths of a record's amount and date. */
export interface RecordKeys {
  amount: string;
  date: string;
}

export interface MatcherParams {
  id?: string | undefined;
  name?: string | undefined;
  expr: string;
  weight?: number | undefined;
  required?: boolean | undefined;
}

/** Expressions of a left and a right record whose values are equal: one for each side, or one for both. */
export interface BlockingKeyParams {
  left?: string | undefined;
  right?: string | undefined;
  expr?: string | undefined;
}

/** Similar texts of a left and a right record, by an expression of each. */
export interface TextBlockingParams {
  left: string;
  right: string;
  top?: number | undefined;
  maxDocumentShare?: number | undefined;
}

/** Conditions that a pair meets together. */
export interface BlockingRuleParams {
  name?: string | undefined;
  amountKey?: string | undefined;
  amountKeyLeft?: string | undefined;
  amountKeyRight?: string | undefined;
  dateKey?: string | undefined;
  dateKeyLeft?: string | undefined;
  dateKeyRight?: string | undefined;
  amountTolerancePercent?: number | undefined;
  amountTolerance?: number | undefined;
  amountBucketSize?: number | undefined;
  amountBucketWindow?: number | undefined;
  dateToleranceDays?: number | undefined;
  /** Days from the left to the right date: at least `dateFromDays`, at most `dateToDays`. */
  dateFromDays?: number | undefined;
  dateToDays?: number | undefined;
  keys?: BlockingKeyParams[] | undefined;
  text?: TextBlockingParams | undefined;
}

/** The conditions of one rule, or a list of rules: a pair is a candidate if one of them lets it through. */
export interface BlockingParams extends BlockingRuleParams {
  enabled?: boolean | undefined;
  rules?: BlockingRuleParams[] | undefined;
}

export interface PartialParams {
  enabled?: boolean | undefined;
  minMembers?: number | undefined;
  minCompletionRatio?: number | undefined;
  uniformityRatio?: number | undefined;
}

export interface InstallmentDiscoveryParams {
  enabled?: boolean | undefined;
  maxDivisor?: number | undefined;
  divisorTolerance?: number | undefined;
  totalCountField?: string | undefined;
  unitValueField?: string | undefined;
}

/** Paths whose values are equal for a target and each of its members. */
export interface MatchKeyParams {
  left: string;
  right: string;
}

export interface EvidenceParams {
  matchers: string[];
  required?: boolean | undefined;
  weight?: number | undefined;
}

export interface CompositionParams {
  enabled?: boolean | undefined;
  direction?: string | undefined;
  maxGroupSize?: number | undefined;
  amountField?: string | undefined;
  amountTolerancePercent?: number | undefined;
  amountTolerance?: number | undefined;
  groupByField?: string | undefined;
  preferCompleteGroup?: boolean | undefined;
  dateStrategy?: string | undefined;
  dateFieldLeft?: string | undefined;
  dateFieldRight?: string | undefined;
  dateToleranceDays?: number | undefined;
  allowNegativeAmounts?: boolean | undefined;
  skipAlreadyMatched?: boolean | undefined;
  matchKeys?: MatchKeyParams[] | undefined;
  evidence?: EvidenceParams | undefined;
  partial?: PartialParams | undefined;
  installmentDiscovery?: InstallmentDiscoveryParams | undefined;
}

export interface RuleSetParams {
  Tmatch: number;
  Tpossible: number;
  windowDays?: number | undefined;
  amountTolerancePercent?: number | undefined;
  amountTolerance?: number | undefined;
  amountSign?: string | undefined;
  timezone?: string | undefined;
  filters?: string[] | undefined;
  matchers?: MatcherParams[] | undefined;
  blocking?: BlockingParams | undefined;
  composition?: CompositionParams | undefined;
  assignment?: 'none' | 'one_to_one' | undefined;
  maxPossiblePerRecord?: number | undefined;
  /** Paths that a pass takes from its reconciliation, whether blocking uses them or not. */
  recordKeys?: Record<Side, RecordKeys> | undefined;
}

export interface RuleSetDefinition {
  engine: EngineName;
  jsonataExpr: string | null;
  params: RuleSetParams;
  version: number;
}

/** A reason why a rule set is refused. `path` is a JSON pointer from the request body. */
export interface Issue {
  path: string;
  code: string;
  message: string;
  position?: number;
  token?: string;
}
