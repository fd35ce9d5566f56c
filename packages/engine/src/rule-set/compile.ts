import { amountFits, createBlockingRule } from '../blocking/blocking';
import { readDay } from '../values/calendar';
import { mainExpressionId } from '../scoring/comparison';
import type { CompiledMatcher, NamedExpression } from '../scoring/comparison';
import { compileComposition } from '../composition';
import { readAmount } from '../values/decimal';
import type { AmountReading } from '../values/decimal';
import { compileExpression } from '../expression/compile';
import { effort } from '../expression/limits/meter';
import { ExpressionError } from '../expression/error';
import { unionReferences } from '../expression/references';
import type { Expression, References } from '../expression/types';
import { readPath } from '../values/path';
import { castBoolean, scoreScale } from '../scoring/scoring';
import { runSteps } from '../scoring/steps';
import type { Steps } from '../scoring/steps';
import type { JsonObject, Side } from '../values/types';
import type { Admission, CompiledRuleSet } from './compiled';
import { effectiveMatchers } from '../definition/defaults';
import { recordKeys } from '../definition/keys';
import type { RecordKeys } from '../definition/keys';
import { PairStages } from './pair-stages';
import type { RuleSetDefinition } from '../definition/types';

/**
 * Compiles a rule set that `validateRuleSet` accepts. Throws an ExpressionError for an expression
 * that cannot be parsed or is missing.
 */
export function compileRuleSet(def: RuleSetDefinition): CompiledRuleSet {
  const { params } = def;
  const main = def.jsonataExpr === null ? null : compileExpression(def.jsonataExpr);
  if (def.engine === 'jsonata' && main === null) {
    throw new ExpressionError('jsonata_expr_required', 'is required for engine jsonata');
  }
  const matchers = def.engine === 'jsonata' ? null : compileMatchers(def);
  const filters = (params.filters ?? []).map(compileFilter);
  const named = [
    ...(main === null ? [] : [{ id: mainExpressionId, expression: main }]),
    ...(matchers ?? []),
    ...filters,
  ];
  const keys = recordKeys(params);
  const scale = scoreScale(params.Tmatch);
  const blocking = createBlockingRule(params);
  const composition = compileComposition(def);
  const filtersOf = (stage: FilterStage): NamedExpression[] =>
    filters.filter((filter) => filterStage(filter.expression) === stage);
  const oneSided = { left: filtersOf('left'), right: filtersOf('right') };
  const pairStages = new PairStages(def, blocking, { filters: filtersOf('pair'), main, matchers });

  return {
    definition: def,
    scale,
    references: unionReferences([
      ...named.map((one) => one.expression.references),
      keyReferences(keys),
      ...(composition === null ? [] : [composition.references]),
    ]),
    expressions: Object.fromEntries(named.map((one) => [one.id, one.expression.mode])),
    blocking,
    composition,
    readKeys: (side, record) => ({
      amount: inRange(readAmount(readPath(record, keys[side].amount))),
      day: readDay(readPath(record, keys[side].date)),
    }),
    admitRecord: (side, record) => runSteps(admit(oneSided[side], side, record)),
    comparer: (amountScale) => pairStages.comparer(amountScale),
    openBatch: (amountScale, options = {}) => pairStages.openBatch(amountScale, options),
  };
}

function compileMatchers(def: RuleSetDefinition): CompiledMatcher[] {
  return effectiveMatchers(def.params).map(({ expr, ...facts }) => ({ ...facts, expression: compileExpression(expr) }));
}

function compileFilter(source: string, index: number): NamedExpression {
  return { id: `filters/${index}`, expression: compileExpression(source) };
}

type FilterStage = Side | 'pair';

/** A filter that names neither side is constant: deciding it once per left record is enough. */
function filterStage(filter: Expression): FilterStage {
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
  return { admitted: true };
}

/** A rule set computes with two decimals at least, so the range ends where those no longer fit. */
function inRange(amount: AmountReading): AmountReading {
  return !amount.ok || amountFits(amount) ? amount : { ok: false, reason: 'out_of_range' };
}

/** A dotted path may be one key or begin with one. */
function keyReferences(keys: Record<Side, RecordKeys>): References {
  const select = ({ amount, date }: RecordKeys): { all: boolean; keys: string[] } => ({
    all: false,
    keys: [amount, date].flatMap((path) => [path, path.split('.')[0] ?? path]),
  });
  return { left: select(keys.left), right: select(keys.right) };
}
