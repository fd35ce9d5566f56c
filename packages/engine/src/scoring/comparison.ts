import { beginNext } from '../expression/limits/meter';
import { ExpressionError } from '../expression/error';
import type { Expression } from '../expression/types';
import { explainPair } from './explanation';
import type { ExplanationFrame, MatcherFacts } from './explanation';
import type { ComparedRecord, DropReason, PairComparer, PairResult } from './types';
import { batchScore, castBoolean, readExpressionScore, readMatcherValue, ScoreReach } from './scoring';
import { runSteps } from '../values/steps';
import type { Steps } from '../values/steps';
import type { ToleranceCheck } from '../values/tolerance';

export interface NamedExpression {
  /** `jsonataExpr`, a matcher id, or `filters/0`… */
  id: string;
  expression: Expression;
}

export interface CompiledMatcher extends MatcherFacts {
  expression: Expression;
}

/** Rules that a pair is compared by, for one amount scale. */
export interface PairRules {
  frame: ExplanationFrame;
  windowDays: number | undefined;
  withinTolerance: ToleranceCheck | null;
  pairFilters: readonly NamedExpression[];
  /** The expression of a `jsonata` rule set, or the gate of a batch. */
  main: Expression | null;
  /** Null for a `jsonata` rule set. */
  matchers: readonly CompiledMatcher[] | null;
  /** Matchers in the order of evaluation: required ones in definition order, then the others. */
  order: readonly number[];
}

type Failure = Extract<PairResult, { decision: 'ERROR' }>['error'];
type NoMatch = Extract<PairResult, { decision: 'NO_MATCH' }>;

/** Progress of a pair. The first verdict is final; later results only inform. */
interface PairState {
  readonly left: ComparedRecord;
  readonly right: ComparedRecord;
  /** True if the evaluation ends with the first verdict. */
  readonly stopEarly: boolean;
  readonly input: { left: unknown; right: unknown };
  readonly values: (number | null | undefined)[];
  readonly errors: Map<string, string>;
  verdict: NoMatch | { decision: 'ERROR'; error: Failure } | null;
  score: number;
  reasons: unknown;
}

export const mainExpressionId = 'jsonataExpr';

/** Rules and what follows from them for every pair. */
interface ComparerRules extends PairRules {
  reach: ScoreReach;
}

export function createComparer(given: PairRules): PairComparer {
  const {
    frame: { scale, thresholds, weights },
    order,
  } = given;
  const rules: ComparerRules = { ...given, reach: new ScoreReach(scale, thresholds.Tpossible, weights, order) };
  return {
    compare: (left, right) => runSteps(comparePair(rules, left, right, true)),
    explain: (left, right) => runSteps(comparePair(rules, left, right, false)),
  };
}

/**
 * Evaluates a pair step by step in a fixed order: window, tolerance, pair filters, gate, required matchers, other
 * matchers. A pair that is decided before an expression fails keeps its decision, with or without `stopEarly`.
 */
function* comparePair(
  rules: ComparerRules,
  left: ComparedRecord,
  right: ComparedRecord,
  stopEarly: boolean,
): Steps<PairResult> {
  const state: PairState = {
    left,
    right,
    stopEarly,
    input: { left: left.value, right: right.value },
    values: [],
    errors: new Map(),
    verdict: null,
    score: 0,
    reasons: undefined,
  };
  const dropped = dropReason(rules, left, right);
  if (dropped !== null) drop(state, dropped);
  if (!isDecided(state)) yield* runFilters(rules, state);
  if (!isDecided(state)) {
    if (rules.matchers === null) yield* runExpression(rules, state);
    else yield* runBatch(rules, rules.matchers, state);
  }
  return conclude(rules, state);
}

/** Returns whether the evaluation of a pair ends here. */
function isDecided({ stopEarly, verdict }: PairState): boolean {
  return stopEarly && verdict !== null;
}

function dropReason(rules: PairRules, left: ComparedRecord, right: ComparedRecord): DropReason | null {
  if (rules.windowDays !== undefined) {
    if (left.day === null || right.day === null) return 'missing_date';
    if (Math.abs(left.day - right.day) > rules.windowDays) return 'window_days';
  }
  if (rules.withinTolerance !== null) {
    if (left.amountUnits === null || right.amountUnits === null) return 'missing_amount';
    if (!rules.withinTolerance(left.amountUnits, right.amountUnits)) return 'amount_tolerance';
  }
  return null;
}

function* runFilters(rules: PairRules, state: PairState): Steps<void> {
  for (const filter of rules.pairFilters) {
    const outcome = yield* evaluate(filter.expression, state, castBoolean);
    if ('failure' in outcome) fail(state, filter.id, outcome.failure);
    else if (!outcome.value) drop(state, 'filter');
    if (isDecided(state)) return;
  }
}

function* runExpression(rules: PairRules, state: PairState): Steps<void> {
  if (rules.main === null) return;
  const outcome = yield* evaluate(rules.main, state);
  if ('failure' in outcome) return fail(state, mainExpressionId, outcome.failure);
  const reading = readExpressionScore(outcome.value, rules.frame.scale);
  if (!reading.ok) return refuse(state, mainExpressionId, { code: 'result_type', message: reading.problem });
  state.score = reading.value.score;
  state.reasons = reading.value.reasons;
}

function* runBatch(rules: ComparerRules, matchers: readonly CompiledMatcher[], state: PairState): Steps<void> {
  if (rules.main !== null) {
    const outcome = yield* evaluate(rules.main, state, castBoolean);
    if ('failure' in outcome) fail(state, mainExpressionId, outcome.failure);
    else if (!outcome.value) settle(state);
    if (isDecided(state)) return;
  }
  let weight = 0;
  let weighted = 0;
  for (const [step, index] of rules.order.entries()) {
    const matcher = matchers[index];
    if (matcher === undefined) continue;
    yield* runMatcher(matcher, index, state);
    const value = state.values[index] ?? null;
    if (value !== null) {
      weight += matcher.weight;
      weighted += matcher.weight * value;
    }
    if (!state.verdict && rules.reach.isLost(step, weight, weighted)) settle(state);
    if (isDecided(state)) return;
  }
  state.score = batchScore(rules.frame.scale, rules.frame.weights, state.values);
}

function* runMatcher(matcher: CompiledMatcher, index: number, state: PairState): Steps<void> {
  const outcome = yield* evaluate(matcher.expression, state);
  // A failed matcher abstains in the explanation of a pair that was decided before.
  state.values[index] = null;
  if ('failure' in outcome) return fail(state, matcher.id, outcome.failure);
  const reading = readMatcherValue(outcome.value);
  if (!reading.ok) return refuse(state, matcher.id, { code: 'matcher_result_type', message: reading.problem });
  state.values[index] = reading.value;
  if (matcher.required && !reading.value) settle(state);
}

type EvaluationOutcome = { value: unknown } | { failure: { code: string; message: string } };

/**
 * Evaluates an expression and casts its result.
 *
 * @param cast throws an ExpressionError for an invalid result; the evaluation itself has not failed then, whatever
 * it took
 */
function* evaluate(
  expression: Expression,
  state: PairState,
  cast?: (result: unknown) => unknown,
): Steps<EvaluationOutcome> {
  try {
    const value = yield expression.evaluate(state.input);
    if (cast === undefined) return { value };
    beginNext();
    return { value: cast(value) };
  } catch (error) {
    if (error instanceof ExpressionError) return { failure: { code: error.code, message: error.message } };
    throw error;
  }
}

function fail(state: PairState, expression: string, failure: { code: string; message: string }): void {
  if (state.verdict) state.errors.set(expression, failure.code);
  else state.verdict = { decision: 'ERROR', error: { ...failure, expression } };
}

/** Fails on an invalid result. Its evaluation has not failed, whatever it took. */
function refuse(state: PairState, expression: string, failure: { code: string; message: string }): void {
  beginNext();
  fail(state, expression, failure);
}

function drop(state: PairState, reason: DropReason): void {
  state.verdict ??= { decision: 'NO_MATCH', score: 0, dropped: reason };
}

function settle(state: PairState): void {
  state.verdict ??= { decision: 'NO_MATCH', score: 0 };
}

function conclude(rules: PairRules, state: PairState): PairResult {
  const { left, right, stopEarly, verdict, score } = state;
  if (verdict?.decision === 'ERROR') return verdict;
  const { Tmatch, Tpossible } = rules.frame.thresholds;
  const noMatch = verdict ?? (score < Tpossible ? { decision: 'NO_MATCH' as const } : null);
  if (noMatch !== null && stopEarly) return { ...noMatch, score };
  const explanation = explainPair(rules.frame, left, right, state);
  if (noMatch !== null) return { ...noMatch, score, explanation };
  return { decision: score >= Tmatch ? 'MATCH' : 'POSSIBLE', score, explanation };
}
