import type { BlockingRule } from '../blocking/blocking';
import { createComparer, mainExpressionId } from '../scoring/comparison';
import type { CompiledMatcher, NamedExpression, PairRules } from '../scoring/comparison';
import type { Expression } from '../expression/types';
import { ColumnBatch } from '../pairs/batch';
import { LoopCache } from '../pairs/loop/loop-cache';
import { callsOf, costOf, planPairs } from '../pairs/plan/pair-plan';
import type { CostClass, PairPlan } from '../pairs/plan/pair-plan';
import type { PairBatch, PairBatchOptions } from '../pairs/types';
import { scoreScale } from '../definition/defaults';
import { toleranceOf } from '../definition/keys';
import { toleranceCheck } from '../values/tolerance';
import type { PairComparer } from '../scoring/types';
import type { RuleSetDefinition } from '../definition/types';

export interface PairExpressions {
  filters: readonly NamedExpression[];
  main: Expression | null;
  /** Matchers of the rule set; null for a `jsonata` rule set. */
  matchers: readonly CompiledMatcher[] | null;
}

/** Evaluates the part of a rule set that needs both records of a pair. It plans nothing before a pair is compared. */
export class PairEvaluation {
  /** Loops by the scale of amounts, in which tolerances are counted. */
  private readonly loops = new Map<number, LoopCache>();

  constructor(
    private readonly definition: RuleSetDefinition,
    private readonly blocking: BlockingRule,
    private readonly expressions: PairExpressions,
  ) {}

  private withinTolerance(amountScale: number): PairRules['withinTolerance'] {
    const { amountTolerancePercent, amountTolerance } = this.definition.params;
    const tolerance = toleranceOf(amountTolerancePercent, amountTolerance);
    return tolerance === null ? null : toleranceCheck(tolerance, amountScale);
  }

  comparer(amountScale: number): PairComparer {
    return createComparer(this.rules(amountScale));
  }

  openBatch(amountScale: number, options: PairBatchOptions): PairBatch {
    const loops = this.loops.get(amountScale) ?? this.makeLoops(amountScale);
    this.loops.set(amountScale, loops);
    const rules = this.rules(amountScale);
    return new ColumnBatch({ loops, frame: rules.frame, comparer: createComparer(rules) }, options);
  }

  calls(): number {
    return callsOf(this.plan());
  }

  private plan(): PairPlan {
    const { filters, main, matchers } = this.expressions;
    return planPairs({
      filters,
      main: main === null ? null : { id: mainExpressionId, expression: main },
      matchers,
    });
  }

  private rules(amountScale: number): PairRules {
    const { params, version } = this.definition;
    const { filters, main, matchers } = this.expressions;
    return {
      frame: {
        scale: scoreScale(params.Tmatch),
        thresholds: { Tmatch: params.Tmatch, Tpossible: params.Tpossible },
        matchers: matchers ?? [],
        weights: (matchers ?? []).map((matcher) => matcher.weight),
        blocking: this.blocking,
        ruleSetVersion: version,
        amountScale,
      },
      windowDays: params.windowDays,
      withinTolerance: this.withinTolerance(amountScale),
      pairFilters: filters,
      main,
      matchers,
      order: evaluationOrder(matchers ?? []),
    };
  }

  private makeLoops(amountScale: number): LoopCache {
    const { params } = this.definition;
    const plan = this.plan();
    const given = this.expressions.matchers ?? [];
    return new LoopCache({
      plan,
      windowDays: params.windowDays,
      withinTolerance: this.withinTolerance(amountScale),
      scale: scoreScale(params.Tmatch),
      possibleThreshold: params.Tpossible,
      weights: given.map((matcher) => matcher.weight),
      required: given.map((matcher) => matcher.required),
      order: evaluationOrder(given),
      costs: costsOf(given, plan),
    });
  }
}

/** Returns the order of evaluation: required matchers in definition order, then the others. */
function evaluationOrder(matchers: readonly CompiledMatcher[]): number[] {
  const indexes = matchers.map((_, index) => index);
  return [true, false].flatMap((required) => indexes.filter((index) => matchers[index]?.required === required));
}

function costsOf(matchers: readonly CompiledMatcher[], plan: PairPlan): CostClass[] {
  return (plan.matchers ?? []).map(({ root }, index) => costOf((matchers[index] as CompiledMatcher).expression, root));
}
