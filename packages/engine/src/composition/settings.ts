import { exactDecimal } from '../values/decimal';
import { effectiveParams } from '../definition/defaults';
import { amountSigns } from '../definition/keys';
import { unitsWithin } from '../values/tolerance';
import type { Side } from '../values/types';
import type { EffectiveComposition, ScoreScale } from '../definition/defaults';
import type { RuleSetDefinition } from '../definition/types';
import { maxComposedUnits, nodeBudget } from './limits';
import type { Relation } from './relation';
import type { CompositeDirection } from './types';

export type DateStrategy = 'none' | 'window' | 'after' | 'before' | 'monthly';

/** Parameters of a composition, with defaults filled in. */
export interface CompositionSettings {
  readonly scale: ScoreScale;
  readonly thresholds: { readonly match: number; readonly possible: number };
  readonly directions: readonly CompositeDirection[];
  readonly maxGroupSize: number;
  readonly grouped: boolean;
  readonly preferCompleteGroup: boolean;
  readonly dateStrategy: DateStrategy;
  /** Date tolerance in whole days. */
  readonly toleranceDays: number;
  readonly allowNegativeAmounts: boolean;
  readonly partial: EffectiveComposition['partial'];
  readonly installments: EffectiveComposition['installmentDiscovery'];
  /** Pair filters and evidence; null without any. */
  readonly relation: Relation | null;
  /** Share of the evidence in the score. */
  readonly evidenceWeight: number;
  /** Returns the units by which a sum may miss a target. */
  toleranceOf(targetUnits: number, amountScale: number): number;
  /** Bound on the nodes that all searches of a target visit together. */
  readonly maxNodes: number;
  /** Signs with which the amounts of each side are compared. */
  readonly signs: Record<Side, 1 | -1>;
  /** Returns the smallest sum of a partial composite. */
  minPartialSum(targetUnits: number): number;
}

/** Is larger than the sum of any set. */
const anySum = 64 * maxComposedUnits;

export function compositionSettings(def: RuleSetDefinition, relation: Relation | null): CompositionSettings {
  const { composition, scale, Tmatch, Tpossible } = effectiveParams(def);
  const percent = exactDecimal(composition.amountTolerancePercent);
  const completion = exactDecimal(composition.partial.minCompletionRatio);
  return {
    scale,
    thresholds: { match: Tmatch, possible: Tpossible },
    directions: compositeDirections(composition.direction),
    maxGroupSize: composition.maxGroupSize,
    grouped: composition.groupByField !== undefined,
    preferCompleteGroup: composition.preferCompleteGroup,
    dateStrategy: composition.dateStrategy as DateStrategy,
    // Days are whole, so a fraction of one reaches no further.
    toleranceDays: Math.floor(composition.dateToleranceDays),
    allowNegativeAmounts: composition.allowNegativeAmounts,
    partial: composition.partial,
    installments: composition.installmentDiscovery,
    relation,
    evidenceWeight: relation?.usesEvidence === true ? (composition.evidence?.weight ?? 0) : 0,
    maxNodes: nodeBudget,
    signs: amountSigns(def.params),
    toleranceOf: (targetUnits, amountScale) => {
      const absolute = unitsWithin(composition.amountTolerance, amountScale);
      const units = (percent.digits * BigInt(targetUnits)) / (100n * 10n ** BigInt(percent.scale));
      return Math.min(Math.max(absolute, Number(units)), anySum);
    },
    minPartialSum: (targetUnits) => {
      const divisor = 10n ** BigInt(completion.scale);
      return Number((completion.digits * BigInt(targetUnits) + divisor - 1n) / divisor);
    },
  };
}

/** Returns the stored directions of a direction with its default and aliases filled in. */
export function compositeDirections(direction: string): CompositeDirection[] {
  if (direction === 'both') return ['one_to_many', 'many_to_one'];
  return direction === 'left_to_many_right' ? ['one_to_many'] : ['many_to_one'];
}
