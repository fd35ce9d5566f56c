import type { Side } from '@tieout/engine';
import type { EntryError, UnblockedCount } from '../jobs/errors';
import type { ResultWarning } from '../jobs/warnings';
import type { TrialComposites } from './compose';
import type { TrialExamples } from './examples';
import type { ScoreBin, ThresholdFigures } from './figures';
import type { TrialChanges } from './live';
import type { CompositeChanges } from './live-composites';
import type { TrialUnmatched } from './unmatched';

/** Results that a rule set would have, from a share of the left records. */
export interface TrialAnswer {
  /** False for a first answer from few records. */
  isFinal: boolean;
  records: Record<Side, { total: number; read: number }>;
  pairs: number;
  decisionCounts: Record<
    'MATCH' | 'POSSIBLE' | 'NO_MATCH' | 'ERROR' | 'COMPOSITE_MATCH' | 'COMPOSITE_POSSIBLE',
    number
  >;
  possibleCut: number;
  unblocked: Record<Side, UnblockedCount>;
  errors: EntryError[];
  /** The highest score; thresholds lie between 0 and it. */
  scale: number;
  histogram: ScoreBin[];
  thresholds: ThresholdFigures[];
  /** Null without a rule set to compare with. */
  changes: TrialChanges | null;
  /** Null where the rule set composes no groups, or a warning says why they are not looked for. */
  composites: AnsweredComposites | null;
  unmatched: Record<Side, TrialUnmatched>;
  /** Absent in answers of older versions. */
  examples?: TrialExamples;
  cost: TrialCost;
  warnings: ResultWarning[];
}

/** Groups that a rule set composes, and how they differ from live ones; null without live ones to compare with. */
export type AnsweredComposites = Pick<TrialComposites, 'partial' | 'searchEnded' | 'page'> & {
  changes: CompositeChanges | null;
};

/** Estimates for all records. */
export interface TrialCost {
  pairs: number;
  /** Expressions for each pair that are compiled, and those that are interpreted, at some hundred times the cost. */
  compiled: number;
  interpreted: number;
  /** CPU time of comparing all pairs. */
  cpuMs: number;
}
