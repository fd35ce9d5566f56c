import {
  defaultBucketSize,
  defaultBucketWindow,
  defaultTimezone,
  isBlockingEnabled,
  isOpposite,
  recordKeys,
  ruleName,
  textRule,
} from './keys';
import type {
  BlockingKeyParams,
  BlockingParams,
  BlockingRuleParams,
  CompositionParams,
  RuleSetDefinition,
  RuleSetParams,
  TextBlockingParams,
} from './types';

/** Scores range over 0..1 when Tmatch <= 1, else over 0..100. */
export type ScoreScale = 1 | 100;

export function scoreScale(matchThreshold: number): ScoreScale {
  return matchThreshold <= 1 ? 1 : 100;
}

export interface EffectiveMatcher {
  id: string;
  name: string;
  expr: string;
  weight: number;
  required: boolean;
}

/** Default of maxPossiblePerRecord. */
const defaultMaxPossible = 20;

/** Default of maxGroupSize. */
export const defaultGroupSize = 12;

type Filled<T> = { [K in keyof T]-?: NonNullable<T[K]> };

export interface EffectiveBlocking {
  enabled: boolean;
  /** Set where both sides are read at the same path; so is `dateKey`. */
  amountKey?: string;
  amountKeyLeft: string;
  amountKeyRight: string;
  dateKey?: string;
  dateKeyLeft: string;
  dateKeyRight: string;
  amountBucketSize: number;
  amountBucketWindow: number;
  amountTolerancePercent?: number;
  amountTolerance?: number;
  dateToleranceDays?: number;
  dateFromDays?: number;
  dateToDays?: number;
  keys?: BlockingKeyParams[];
  text?: TextBlockingParams;
  rules?: BlockingRuleParams[];
}

export interface EffectiveComposition {
  enabled: boolean;
  direction: string;
  maxGroupSize: number;
  /** Set where both sides are read at the same path. */
  amountField?: string;
  amountFieldLeft: string;
  amountFieldRight: string;
  amountTolerancePercent: number;
  amountTolerance: number;
  groupByField?: string;
  preferCompleteGroup: boolean;
  dateStrategy: string;
  dateFieldLeft: string;
  dateFieldRight: string;
  dateToleranceDays: number;
  allowNegativeAmounts: boolean;
  skipAlreadyMatched: boolean;
  matchKeys: { left: string; right: string }[];
  evidence?: { matchers: string[]; required: boolean; weight: number };
  partial: Filled<NonNullable<CompositionParams['partial']>>;
  installmentDiscovery: {
    enabled: boolean;
    maxDivisor: number;
    divisorTolerance: number;
    totalCountField?: string;
    unitValueField?: string;
  };
}

export interface EffectiveParams {
  Tmatch: number;
  Tpossible: number;
  /** 1 or 100: the scale of thresholds and scores. */
  scale: ScoreScale;
  windowDays?: number;
  amountTolerancePercent?: number;
  amountTolerance?: number;
  amountSign: 'same' | 'opposite';
  timezone: string;
  filters: string[];
  matchers: EffectiveMatcher[];
  blocking: EffectiveBlocking;
  composition: EffectiveComposition;
  assignment: 'none' | 'one_to_one';
  maxPossiblePerRecord: number;
}

/** Fills in every default and inheritance of the parameters of a rule set. */
export function effectiveParams(def: RuleSetDefinition): EffectiveParams {
  const { params } = def;
  return {
    Tmatch: params.Tmatch,
    Tpossible: params.Tpossible,
    scale: scoreScale(params.Tmatch),
    ...given('windowDays', params.windowDays),
    ...given('amountTolerancePercent', params.amountTolerancePercent),
    ...given('amountTolerance', params.amountTolerance),
    amountSign: isOpposite(params) ? 'opposite' : 'same',
    timezone: params.timezone ?? defaultTimezone,
    filters: params.filters ?? [],
    matchers: effectiveMatchers(params),
    blocking: effectiveBlocking(params),
    composition: effectiveComposition(params),
    assignment: params.assignment ?? 'none',
    maxPossiblePerRecord: params.maxPossiblePerRecord ?? defaultMaxPossible,
  };
}

export function effectiveMatchers(params: RuleSetParams): EffectiveMatcher[] {
  return (params.matchers ?? []).map((matcher, index) => {
    const id = matcher.id ?? `m${index + 1}`;
    return {
      id,
      name: matcher.name ?? id,
      expr: matcher.expr,
      weight: matcher.weight ?? 1,
      required: matcher.required ?? false,
    };
  });
}

function effectiveBlocking(params: RuleSetParams): EffectiveBlocking {
  const blocking: BlockingParams = params.blocking ?? {};
  const keys = recordKeys(params);
  return {
    enabled: isBlockingEnabled(blocking),
    ...given('amountKey', common(keys.left.amount, keys.right.amount)),
    amountKeyLeft: keys.left.amount,
    amountKeyRight: keys.right.amount,
    ...given('dateKey', common(keys.left.date, keys.right.date)),
    dateKeyLeft: keys.left.date,
    dateKeyRight: keys.right.date,
    amountBucketSize: blocking.amountBucketSize ?? defaultBucketSize,
    amountBucketWindow: blocking.amountBucketWindow ?? defaultBucketWindow,
    ...given('amountTolerancePercent', blocking.amountTolerancePercent ?? params.amountTolerancePercent),
    ...given('amountTolerance', blocking.amountTolerance ?? params.amountTolerance),
    ...given('dateToleranceDays', blocking.dateToleranceDays ?? params.windowDays),
    ...given('dateFromDays', blocking.dateFromDays),
    ...given('dateToDays', blocking.dateToDays),
    ...given('keys', blocking.keys),
    ...given('text', effectiveText(blocking)),
    ...given('rules', effectiveRules(params)),
  };
}

function effectiveText(rule: BlockingRuleParams): TextBlockingParams | undefined {
  return rule.text && { ...rule.text, ...textRule(rule) };
}

function effectiveRules(params: RuleSetParams): BlockingRuleParams[] | undefined {
  return params.blocking?.rules?.map((rule, at) => ({
    ...rule,
    name: rule.name ?? ruleName(at),
    ...given('text', effectiveText(rule)),
  }));
}

/** The directions by their stored names, which are accepted as well. */
const directionAliases: Readonly<Record<string, string>> = {
  one_to_many: 'left_to_many_right',
  many_to_one: 'right_to_many_left',
};

function effectiveComposition(params: RuleSetParams): EffectiveComposition {
  const composition: CompositionParams = params.composition ?? {};
  const keys = recordKeys(params);
  const direction = composition.direction ?? 'left_to_many_right';
  return {
    enabled: composition.enabled ?? false,
    direction: directionAliases[direction] ?? direction,
    maxGroupSize: composition.maxGroupSize ?? defaultGroupSize,
    ...given('amountField', composition.amountField ?? common(keys.left.amount, keys.right.amount)),
    amountFieldLeft: composition.amountField ?? keys.left.amount,
    amountFieldRight: composition.amountField ?? keys.right.amount,
    amountTolerancePercent: composition.amountTolerancePercent ?? 0,
    amountTolerance: composition.amountTolerance ?? 0,
    ...given('groupByField', composition.groupByField),
    preferCompleteGroup: composition.preferCompleteGroup ?? true,
    dateStrategy: composition.dateStrategy ?? 'none',
    dateFieldLeft: composition.dateFieldLeft ?? keys.left.date,
    dateFieldRight: composition.dateFieldRight ?? keys.right.date,
    dateToleranceDays: composition.dateToleranceDays ?? params.windowDays ?? 0,
    allowNegativeAmounts: composition.allowNegativeAmounts ?? false,
    skipAlreadyMatched: composition.skipAlreadyMatched ?? true,
    matchKeys: composition.matchKeys ?? [],
    ...given('evidence', effectiveEvidence(composition)),
    partial: effectivePartial(composition),
    installmentDiscovery: effectiveInstallments(composition),
  };
}

function effectiveEvidence({ evidence }: CompositionParams): EffectiveComposition['evidence'] {
  if (evidence === undefined) return undefined;
  const { matchers, required = false, weight = 0 } = evidence;
  return { matchers, required, weight };
}

function effectivePartial({ partial }: CompositionParams): EffectiveComposition['partial'] {
  return {
    enabled: partial?.enabled ?? false,
    minMembers: partial?.minMembers ?? 2,
    minCompletionRatio: partial?.minCompletionRatio ?? 0.5,
    uniformityRatio: partial?.uniformityRatio ?? 0,
  };
}

function effectiveInstallments({
  installmentDiscovery: discovery,
}: CompositionParams): EffectiveComposition['installmentDiscovery'] {
  return {
    enabled: discovery?.enabled ?? false,
    maxDivisor: discovery?.maxDivisor ?? 24,
    divisorTolerance: discovery?.divisorTolerance ?? 0.05,
    ...given('totalCountField', discovery?.totalCountField),
    ...given('unitValueField', discovery?.unitValueField),
  };
}

function common(left: string, right: string): string | undefined {
  return left === right ? left : undefined;
}

function given<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: T });
}
