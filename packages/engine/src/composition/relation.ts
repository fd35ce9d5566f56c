import type { EffectiveParams } from '../definition/defaults';
import { unionReferences } from '../expression/references';
import type { Expression, FieldSelection, References } from '../expression/types';
import { ExpressionError } from '../expression/error';
import { beginNext } from '../expression/limits/meter';
import { castBoolean, readMatcherValue } from '../scoring/scoring';
import type { JsonObject, Side } from '../values/types';
import { targetSide } from './types';
import type { CompositeDirection, CompositionPool } from './types';

/** Stands for a record that is no member of a target. */
export const notRelated = -1;

/** Expressions over a target and a member. */
export interface RelationExpressions {
  /** Filters that name both sides, and the condition beside matchers. */
  filters: readonly Expression[];
  /** Matchers that `evidence` names, with their weights. */
  evidence: readonly { expression: Expression; weight: number }[];
}

/** Pair filters and evidence of a composition, which are evaluated for a target and each possible member. */
export class Relation {
  readonly references: References;
  readonly usesEvidence: boolean;

  constructor(
    private readonly expressions: RelationExpressions,
    private readonly isRequired: boolean,
  ) {
    const { filters, evidence } = expressions;
    this.references = unionReferences(
      [...filters, ...evidence.map((one) => one.expression)].map((one) => one.references),
    );
    this.usesEvidence = evidence.length > 0;
  }

  /** Returns what the expressions read of a record, as JSON. */
  read(side: Side, record: JsonObject): string {
    return JSON.stringify(selected(record, this.references[side]));
  }

  /**
   * Returns the evidence of members of one target by their related texts: 0..1, or `notRelated`. A pair on which a
   * filter fails is not related; a matcher that fails or abstains gives no evidence.
   */
  of(pool: CompositionPool, direction: CompositeDirection, target: number): (related: number) => number {
    const texts = pool.related ?? [];
    const side = targetSide[direction];
    const own = JSON.parse(texts[pool[side].related?.[target] ?? -1] ?? '{}') as JsonObject;
    const known = new Map<number, number>();
    return (related) => {
      let evidence = known.get(related);
      if (evidence === undefined) {
        const other = JSON.parse(texts[related] ?? '{}') as JsonObject;
        evidence = this.evaluate(side === 'left' ? { left: own, right: other } : { left: other, right: own });
        known.set(related, evidence);
      }
      return evidence;
    };
  }

  private evaluate(input: Record<Side, JsonObject>): number {
    const { filters, evidence } = this.expressions;
    if (!filters.every((filter) => attempt(() => castBoolean(valueOf(filter, input)), false))) return notRelated;
    let weight = 0;
    let weighted = 0;
    for (const one of evidence) {
      const reading = attempt(() => readMatcherValue(valueOf(one.expression, input)), null);
      if (reading?.ok !== true || reading.value === null) continue;
      weight += one.weight;
      weighted += one.weight * reading.value;
    }
    const mean = weight === 0 ? 0 : weighted / weight;
    return this.isRequired && mean === 0 ? notRelated : mean;
  }
}

/** Creates the relation of a composition; null where nothing relates its targets to members. */
export function relationOf(
  { composition: { evidence } }: EffectiveParams,
  { filters, matchers }: { filters: readonly Expression[]; matchers: readonly RelationMatcher[] },
): Relation | null {
  const named = matchers.filter(({ id }) => evidence?.matchers.includes(id) === true);
  if (filters.length === 0 && named.length === 0) return null;
  // Matchers that are there for evidence only have no weight in the score.
  const isWeighted = named.some(({ weight }) => weight > 0);
  const weighted = named.map(({ expression, weight }) => ({ expression, weight: isWeighted ? weight : 1 }));
  return new Relation({ filters, evidence: weighted }, evidence?.required ?? false);
}

export interface RelationMatcher {
  id: string;
  expression: Expression;
  weight: number;
}

function selected(record: JsonObject, { all, keys }: FieldSelection): JsonObject {
  if (all) return record;
  const own = keys.filter((key) => Object.hasOwn(record, key));
  return Object.fromEntries(own.sort().map((key) => [key, record[key]]));
}

/** Evaluates at once. An expression too deep for that fails. */
function valueOf(expression: Expression, input: unknown): unknown {
  const value = expression.evaluate(input);
  if (!(value instanceof Promise)) return value;
  value.catch(() => undefined);
  throw new ExpressionError('D1011', 'The expression is nested too deep for composition.');
}

function attempt<T, F>(work: () => T, otherwise: F): T | F {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return otherwise;
  } finally {
    beginNext();
  }
}
