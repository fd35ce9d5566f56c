import type { EffectiveParams } from '../definition/defaults';
import { unionReferences } from '../expression/references';
import type { Expression, FieldSelection, References } from '../expression/types';
import { ExpressionError } from '../expression/error';
import { beginNext, effort } from '../expression/limits/meter';
import type { NamedExpression } from '../scoring/comparison';
import { castBoolean, readMatcherValue } from '../scoring/scoring';
import type { JsonObject, Side } from '../values/types';
import type { RelationFailure, RelationFailures } from './relation-failures';
import { memberSide, targetSide } from './types';
import type { CompositeDirection, CompositionPool } from './types';

/** The index of a record that is not a member of a target. */
export const notRelated = -1;

/** Expressions over a target and a member. */
interface RelationExpressions {
  /** Filters that name both sides, and the condition in addition to matchers. */
  filters: readonly NamedExpression[];
  /** Matchers that `evidence` names, with their weights. */
  evidence: readonly RelationMatcher[];
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
    this.references = unionReferences([...filters, ...evidence].map(({ expression }) => expression.references));
    this.usesEvidence = evidence.length > 0;
  }

  /** Returns what the expressions read of a record, as JSON. */
  read(side: Side, record: JsonObject): string {
    return JSON.stringify(selected(record, this.references[side]));
  }

  /**
   * Returns the evidence of members of one target by their rows: 0..1, or `notRelated`. A pair on which a filter fails
   * is not related; a matcher that fails or abstains gives no evidence. Failures count once for equal members.
   */
  of(
    pool: CompositionPool,
    { direction, row }: RelationTarget,
    failures: RelationFailures,
  ): (member: number) => number {
    const texts = pool.related ?? [];
    const side = targetSide[direction];
    const members = pool[memberSide[direction]].related;
    const own = JSON.parse(texts[pool[side].related?.[row] ?? -1] ?? '{}') as JsonObject;
    const known = new Map<number, number>();
    return (member) => {
      const related = members?.[member] ?? -1;
      let evidence = known.get(related);
      if (evidence === undefined) {
        const other = JSON.parse(texts[related] ?? '{}') as JsonObject;
        const input = side === 'left' ? { left: own, right: other } : { left: other, right: own };
        evidence = this.evaluate(input, (failure) => failures.add({ member, ...failure }));
        known.set(related, evidence);
      }
      return evidence;
    };
  }

  private evaluate(input: Record<Side, JsonObject>, onFailure: OnFailure): number {
    const { filters, evidence } = this.expressions;
    if (!filters.every((filter) => attempt(filter, input, castBoolean, onFailure) ?? false)) return notRelated;
    let weight = 0;
    let weighted = 0;
    for (const one of evidence) {
      const value = attempt(one, input, matcherValue, onFailure) ?? null;
      if (value === null) continue;
      weight += one.weight;
      weighted += one.weight * value;
    }
    const mean = weight === 0 ? 0 : weighted / weight;
    return this.isRequired && mean === 0 ? notRelated : mean;
  }
}

/** Creates the relation of a composition; null where nothing relates its targets to members. */
export function relationOf(
  { composition: { evidence } }: EffectiveParams,
  { filters, matchers }: { filters: readonly NamedExpression[]; matchers: readonly RelationMatcher[] },
): Relation | null {
  const named = matchers.filter(({ id }) => evidence?.matchers.includes(id) === true);
  if (filters.length === 0 && named.length === 0) return null;
  // Matchers that are there for evidence only have no weight in the score.
  const isWeighted = named.some(({ weight }) => weight > 0);
  const weighted = named.map((one) => ({ ...one, weight: isWeighted ? one.weight : 1 }));
  return new Relation({ filters, evidence: weighted }, evidence?.required ?? false);
}

export interface RelationMatcher extends NamedExpression {
  weight: number;
}

interface RelationTarget {
  direction: CompositeDirection;
  row: number;
}

type OnFailure = (failure: Omit<RelationFailure, 'member'>) => void;

/** Returns the fields that expressions read of a record, sorted by name; the record itself where they read all. */
export function selected(record: JsonObject, { all, keys }: FieldSelection): JsonObject {
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

function matcherValue(result: unknown): number | null {
  const reading = readMatcherValue(result);
  if (reading.ok) return reading.value;
  throw new ExpressionError('matcher_result_type', reading.problem);
}

/** Evaluates and reads the result; undefined where that fails. */
function attempt<T>(
  { id, expression }: NamedExpression,
  input: unknown,
  read: (result: unknown) => T,
  onFailure: OnFailure,
): T | undefined {
  try {
    return read(valueOf(expression, input));
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    onFailure({ code: error.code, message: error.message, expression: id, effort: effort() });
    return undefined;
  } finally {
    beginNext();
  }
}
