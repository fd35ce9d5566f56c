import { amountFits, createBlockingRule } from '../blocking/blocking';
import { compileBlockingRules, pathReferences } from '../blocking/rules';
import type { BlockingRules } from '../blocking/rules';
import { readDay } from '../values/calendar';
import { dayInZone } from '../values/zone';
import { mainExpressionId } from '../scoring/comparison';
import type { CompiledMatcher, NamedExpression } from '../scoring/comparison';
import { compileComposition } from '../composition';
import { amountToNumber, readAmount, signed } from '../values/decimal';
import type { AmountReading } from '../values/decimal';
import type { DayReading } from '../values/calendar';
import type { BlockingRule } from '../blocking/blocking';
import type { CompiledComposition } from '../composition';
import type { PairBatch, PairBatchOptions } from '../pairs/types';
import type { PairComparer } from '../scoring/types';
import { compileExpression, defaultExpressionLimits } from '../expression/compile';
import { effort } from '../expression/limits/meter';
import { ExpressionError } from '../expression/error';
import { remainingKey } from '../expression/snapshot-values';
import { unionReferences } from '../expression/references';
import type { Expression, References } from '../expression/types';
import { readPath } from '../values/json';
import { castBoolean } from '../scoring/scoring';
import { scoreScale, effectiveMatchers } from '../definition/defaults';
import { runSteps } from '../values/steps';
import type { Steps } from '../values/steps';
import type { JsonObject, MaybePromise, Side } from '../values/types';
import { amountSigns, defaultTimezone, recordKeys } from '../definition/keys';
import { PairEvaluation } from './pair-evaluation';
import type { RuleSetDefinition } from '../definition/types';
import { soughtFields } from './sought-fields';
import type { SoughtField } from './sought-fields';

/**
 * Result of the one-sided filters. `effort` of a failed filter is the share of the steps that an evaluation may
 * take, 0..1.
 */
export type Admission =
  | { admitted: true }
  | { admitted: false; error?: { code: string; message: string; expression: string }; effort?: number };

export interface CompiledRuleSet {
  readonly definition: RuleSetDefinition;
  /** Scale of scores: 1 when Tmatch <= 1, else 100. */
  readonly scale: 1 | 100;
  /** Fields that a job reads: those of expressions, the amount and date keys, and those of composition. */
  readonly references: References;
  /** The parameters that read fields. */
  readonly sought: readonly SoughtField[];
  /** Mode of each expression by its id: `jsonataExpr`, matcher ids, `filters/0`… */
  readonly expressions: Readonly<Record<string, 'compiled' | 'reference'>>;
  /** Windows of amount and date. They let every pair through where `listed` decides. */
  readonly blocking: BlockingRule;
  /** Rules whose pairs are listed before they are compared; null where windows decide. */
  readonly listed: BlockingRules | null;
  /** Composition of the rule set; null unless it is enabled. */
  readonly composition: CompiledComposition | null;
  /** Signs with which the amounts of each side are compared. */
  readonly amountSigns: Record<Side, 1 | -1>;
  /** Reads the day of a date or timestamp, in the time zone of the rule set. */
  readDay(value: unknown): DayReading;
  readKeys(side: Side, record: JsonObject): { amount: AmountReading; day: DayReading };
  /** Replaces the amount of a record by its remaining amount, if the rule set reads it. */
  withRemaining(side: Side, record: JsonObject, remaining?: AmountReading): JsonObject;
  /** Runs the filters that name only this side (a filter naming neither counts as left). */
  admitRecord(side: Side, record: JsonObject): MaybePromise<Admission>;
  /** `amountScale` (2..4) is the scale of `amountUnits` in the records it compares. */
  comparer(amountScale: number): PairComparer;
  /** Returns the number of function calls that deciding on a pair may take, without cheap ones. */
  pairCalls(): number;
  /** Opens a batch of pairs, decided as `comparer(amountScale).compare` does. */
  openBatch(amountScale: number, options?: PairBatchOptions): PairBatch;
}

/**
 * Compiles a rule set that `validateRuleSet` accepts.
 *
 * @throws ExpressionError for an expression that cannot be parsed or is missing
 */
export function compileRuleSet(def: RuleSetDefinition): CompiledRuleSet {
  const { params } = def;
  const timezone = params.timezone ?? defaultTimezone;
  const compile: Compile = (source) => compileExpression(source, defaultExpressionLimits, timezone);
  const main = def.jsonataExpr === null ? null : compile(def.jsonataExpr);
  if (def.engine === 'jsonata' && main === null) {
    throw new ExpressionError('jsonata_expr_required', 'is required for engine jsonata');
  }
  const matchers = def.engine === 'jsonata' ? null : compileMatchers(def, compile);
  const filters = (params.filters ?? []).map((source, at): NamedExpression => ({
    id: `filters/${at}`,
    expression: compile(source),
  }));
  const named = [
    ...(main === null ? [] : [{ id: mainExpressionId, expression: main }]),
    ...(matchers ?? []),
    ...filters,
  ];
  const keys = recordKeys(params);
  const signs = amountSigns(params);
  const dayIn = dayInZone(timezone);
  const scale = scoreScale(params.Tmatch);
  const listed = compileBlockingRules(params);
  const blocking = createBlockingRule(listed === null ? params : { ...params, blocking: {} });
  const filtersOf = (input: FilterInput): NamedExpression[] =>
    filters.filter((filter) => filterInput(filter.expression) === input);
  const oneSided = { left: filtersOf('left'), right: filtersOf('right') };
  const pairFilters = filtersOf('pair');
  const reads = unionReferences([
    ...named.map((one) => one.expression.references),
    pathReferences(keys),
    ...(listed === null ? [] : [listed.references]),
  ]);
  const composition = compileComposition(def, {
    reads,
    // Next to matchers, the expression is a condition.
    filters: [
      ...pairFilters,
      ...(main === null || matchers === null ? [] : [{ id: mainExpressionId, expression: main }]),
    ],
    matchers: matchers ?? [],
  });
  const pairEvaluation = new PairEvaluation(def, blocking, { filters: pairFilters, main, matchers });

  const references = unionReferences([reads, ...(composition === null ? [] : [composition.references])]);
  const readsRemaining = {
    left: references.left.keys.includes(remainingKey),
    right: references.right.keys.includes(remainingKey),
  };

  return {
    definition: def,
    scale,
    references,
    sought: soughtFields(def, named),
    expressions: { ...Object.fromEntries(named.map((one) => [one.id, one.expression.mode])), ...listed?.expressions },
    blocking,
    listed,
    composition,
    amountSigns: signs,
    readDay: (value) => readDay(value, dayIn),
    readKeys: (side, record) => ({
      amount: signed(inRange(readAmount(readPath(record, keys[side].amount))), signs[side]),
      day: readDay(readPath(record, keys[side].date), dayIn),
    }),
    withRemaining: (side, record, remaining) => {
      if (!readsRemaining[side]) return record;
      const amount = remaining ?? readAmount(readPath(record, keys[side].amount));
      return amount.ok ? { ...record, [remainingKey]: amountToNumber(amount.units, amount.scale) } : record;
    },
    admitRecord: (side, record) =>
      oneSided[side].length === 0 ? admitted : runSteps(admit(oneSided[side], side, record)),
    comparer: (amountScale) => pairEvaluation.comparer(amountScale),
    pairCalls: () => pairEvaluation.calls(),
    openBatch: (amountScale, options = {}) => pairEvaluation.openBatch(amountScale, options),
  };
}

type Compile = (source: string) => Expression;

function compileMatchers(def: RuleSetDefinition, compile: Compile): CompiledMatcher[] {
  return effectiveMatchers(def.params).map(({ expr, ...facts }) => ({ ...facts, expression: compile(expr) }));
}

const admitted: Admission = { admitted: true };

type FilterInput = Side | 'pair';

/**
 * Returns what a filter reads. A filter that names neither side is constant: deciding it once per left record is
 * enough.
 */
function filterInput(filter: Expression): FilterInput {
  const { left, right } = filter.references;
  if (!right.all && right.keys.length === 0) return 'left';
  return left.all || left.keys.length > 0 ? 'pair' : 'right';
}

function* admit(filters: readonly NamedExpression[], side: Side, record: JsonObject): Steps<Admission> {
  for (const filter of filters) {
    try {
      if (!castBoolean(yield filter.expression.evaluate({ [side]: record }))) return { admitted: false };
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return {
        admitted: false,
        error: { code: error.code, message: error.message, expression: filter.id },
        effort: effort(),
      };
    }
  }
  return admitted;
}

/** Rejects amounts that do not fit two decimals, with which each rule set computes at least. */
function inRange(amount: AmountReading): AmountReading {
  return !amount.ok || amountFits(amount) ? amount : { ok: false, reason: 'out_of_range' };
}
