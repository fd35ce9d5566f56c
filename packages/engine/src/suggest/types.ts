import type { RuleSetParams } from '../definition/types';
import type { JsonObject, Side } from '../values/types';

export interface SuggestInput {
  left: readonly JsonObject[];
  right: readonly JsonObject[];
  /** Records of the whole datasets, of which the given ones are a sample. */
  totals: Record<Side, number>;
  /** True if the sides are halves of one dataset, which is compared with itself. */
  isOneSide?: boolean;
  /** True if the sides are files on a computer, where only the rule file is there to mend. */
  isOfFiles?: boolean;
  /** Is called between short steps of work. */
  onStep?: () => void;
}

/** Kinds of values that a field holds. */
export type FieldKind = 'date' | 'number' | 'code' | 'text';

export interface FieldProfile {
  path: string;
  /** True if the path is one key of the records, dots and all. */
  isKey: boolean;
  kind: FieldKind;
  /** Share of the records with a value. */
  fill: number;
  /** Share of the values that differ. */
  distinct: number;
  /** Mean number of words of a value. */
  words: number;
  /** True if every value has the type that the kind says: number, or text, which may be ''. */
  isPlain: boolean;
}

/** A field of each side that hold the same. */
export interface FieldPair {
  left: FieldProfile;
  right: FieldProfile;
  kind: FieldKind;
  /** Agreement of their values, 0..1. */
  overlap: number;
}

/** One outcome of a comparison. The first level whose condition holds is the pair's. */
export interface ComparisonLevel {
  label: string;
  /** JSONata; null for the last level. */
  when: string | null;
  /** Guess of its share among matches, from which learning starts. */
  start: number;
  /** True if a side lacks a value: such levels are in no order. */
  isMissing: boolean;
}

/** A question about a pair, which the levels answer. */
export interface Comparison {
  id: string;
  name: string;
  fields: Record<Side, readonly string[]>;
  /** Expressions of what is compared of each side: `$a` and `$b` in all that follows. */
  operands: Record<Side, string>;
  /** Variables that conditions share because they read both records, such as `$d := $a - $b`. */
  between: readonly string[];
  levels: readonly ComparisonLevel[];
  /**
   * Levels from the first to the last agree less and less, but for those without values: what meets the condition of
   * one meets that of the next.
   */
  isOrdered: boolean;
}

/** Fewer records of a side make what is learnt a guess. */
export const fewRecords = 200;

/** Returns whether a side has so few records that what is learnt is a guess. */
export const isFew = ({ totals }: Pick<SuggestInput, 'totals'>): boolean =>
  Math.min(totals.left, totals.right) < fewRecords;

/** Candidate pairs, those of a left record together. */
export interface PairSample {
  lefts: Int32Array;
  rights: Int32Array;
  /** Left records looked at, and all records of the right side. */
  leftCount: number;
  rightCount: number;
  /** True if all left records were looked at, so that pairs compete for right records too. */
  isWhole: boolean;
  /** The level of each pair, a comparison. */
  levels: readonly Uint8Array[];
  /** Number of other pairs at each level, a comparison; null where candidates say enough. */
  background: readonly Float64Array[] | null;
  /** 1 for each level that one of these other pairs is at, a comparison; null where there are none. */
  seen: readonly Uint8Array[] | null;
  /** For each record the place of the first that holds the same; null where copies are what is sought, or none are. */
  copies: Record<Side, Int32Array | null>;
  /** Places of the pairs that share a value which no other record has. */
  anchors: Int32Array;
}

export interface LearntModel {
  /** Logarithms of how much more often matches are at a level than other candidates. */
  weights: Float64Array[];
  matches: Float64Array[];
  others: Float64Array[];
  /** Sum of the weights of each pair. */
  scores: Float64Array;
  /** Probability of each pair. */
  probabilities: Float64Array;
  /** Expected share of left records with a partner. */
  share: number;
}

export interface SuggestedLevel {
  label: string;
  /** Logarithm of how much more often matches are at this level than other candidates. */
  weight: number;
  matches: number;
  others: number;
}

export interface SuggestedMatcher {
  id: string;
  name: string;
  fields: Record<Side, readonly string[]>;
  /** Mean weight of a match, in bits. */
  strength: number;
  levels: SuggestedLevel[];
  examples: { left: JsonObject; right: JsonObject; level: string }[];
}

export interface CurvePoint {
  threshold: number;
  precision: number;
  recall: number;
  matches: number;
}

/** Parts of the score of a pair. */
export interface ScoreParts {
  left: JsonObject;
  right: JsonObject;
  probability: number;
  score: number;
  parts: { matcher: string; level: string; weight: number }[];
}

export interface SuggestedRuleSet {
  ruleSet: { engine: 'jsonata-batch'; params: RuleSetParams };
  matchers: SuggestedMatcher[];
  blocking: { name: string; why: string; candidates: number; recall: number | null }[];
  fields: { left: string; right: string; kind: FieldKind; overlap: number }[];
  expected: { precision: number; recall: number; matches: number };
  curve: CurvePoint[];
  unlinkable: number;
  histogram: { from: number; to: number; matches: number; others: number }[];
  waterfalls: ScoreParts[];
  sample: Record<Side, number>;
  warnings: SuggestionWarning[];
}

/** Something that makes a suggestion doubtful, and what settles it. */
export interface SuggestionWarning {
  code: string;
  message: string;
}

export type Suggestion =
  | ({ connected: true } & SuggestedRuleSet)
  | {
      connected: false;
      reason: string;
      fields: { left: string; right: string; kind: FieldKind; overlap: number }[];
      warnings: SuggestionWarning[];
    };
