import type { ScoreScale } from '../definition/defaults';
import { ExpressionError } from '../expression/error';

const scorePrecision = 1e12;

/** Bound on the error of adding up some weights, relative to the scale; far below one unit of the 12th decimal. */
const summationNoise = 12 * Number.EPSILON;

/**
 * Rounds a sum of weights to the decimal that was meant: 0.4 + 0.2 + 0.2 gives 0.8000000000000002 or 0.7999999999999999
 * and has to reach a threshold of 0.8. Only floating-point noise goes: a third stays a third.
 */
export function roundScore(score: number, scale: ScoreScale = 1): number {
  const rounded = Math.round(score * scorePrecision) / scorePrecision + 0;
  return Math.abs(rounded - score) <= summationNoise * scale ? rounded : score;
}

export type ResultReading<T> = { ok: true; value: T } | { ok: false; problem: string };

/** Reads a matcher's result as a share of 0..1; null abstains. */
export function readMatcherValue(result: unknown): ResultReading<number | null> {
  if (result === null) return { ok: true, value: null };
  if (result === undefined || result === false) return { ok: true, value: 0 };
  if (result === true) return { ok: true, value: 1 };
  if (typeof result === 'number' && Number.isFinite(result)) return { ok: true, value: clamp(result, 1) };
  return { ok: false, problem: `expected true, false, null or a number, got ${describeResult(result)}` };
}

export interface ExpressionScore {
  score: number;
  reasons?: unknown;
}

/** Bound on the JSON length of reasons: each match carries its own, and a page of matches carries a hundred. */
const maxReasonsLength = 8_192;

/** Reads the result of a `jsonata` rule set: true, false, null, a number or `{score, reasons?}`. */
export function readExpressionScore(result: unknown, scale: ScoreScale): ResultReading<ExpressionScore> {
  if (result === true) return { ok: true, value: { score: scale } };
  if (result === false || result === null || result === undefined) return { ok: true, value: { score: 0 } };
  if (typeof result === 'number') return readScore(result, scale, {});
  if (typeof result === 'object' && !Array.isArray(result)) {
    const { score, reasons } = result as Record<string, unknown>;
    const size = reasons === undefined ? 0 : (JSON.stringify(reasons) ?? '').length;
    if (size > maxReasonsLength) {
      return {
        ok: false,
        problem: `the reasons take ${size} characters as JSON, more than the ${maxReasonsLength} that are stored`,
      };
    }
    if (typeof score === 'number') return readScore(score, scale, reasons === undefined ? {} : { reasons });
    return { ok: false, problem: `expected a number as score, got ${describeResult(score)}` };
  }
  return {
    ok: false,
    problem: `expected true, false, null, a number or {score, reasons}, got ${describeResult(result)}`,
  };
}

function readScore(score: number, scale: ScoreScale, rest: { reasons?: unknown }): ResultReading<ExpressionScore> {
  if (!Number.isFinite(score)) return { ok: false, problem: `expected a finite number, got ${score}` };
  return { ok: true, value: { score: roundScore(clamp(score, scale), scale), ...rest } };
}

function clamp(value: number, highest: number): number {
  return Math.min(Math.max(value, 0), highest);
}

function describeResult(result: unknown): string {
  if (result === undefined) return 'nothing';
  if (result === null) return 'null';
  if (Array.isArray(result)) return 'an array';
  if (typeof result === 'object') return 'an object';
  if (typeof result === 'number') return String(result);
  return `a ${typeof result}`;
}

/**
 * Casts as JSONata's `$boolean` does; nothing and functions count as false.
 *
 * @throws ExpressionError D1001 where a number is infinite
 */
export function castBoolean(result: unknown): boolean {
  // All items are checked: an infinite number is an error at any position.
  if (Array.isArray(result)) return result.reduce<boolean>((truthy, item) => castBoolean(item) || truthy, false);
  if (typeof result === 'object' && result !== null) return Object.keys(result).length > 0;
  if (typeof result === 'string') return result.length > 0;
  if (typeof result !== 'number') return result === true;
  if (Math.abs(result) === Infinity) throw new ExpressionError('D1001', `Number out of range: ${result}`);
  return result !== 0 && !Number.isNaN(result);
}

/** Values of 0..1 by matcher, in definition order; null abstains, undefined is unknown yet. */
export type MatcherValues = readonly (number | null | undefined)[];

/** Sums the weights of the matchers that vote, and their weighted values, in definition order. */
export function weigh(weights: readonly number[], values: MatcherValues): { weight: number; weighted: number } {
  let weight = 0;
  let weighted = 0;
  for (let index = 0; index < weights.length; index++) {
    const value = values[index];
    if (value === null || value === undefined) continue;
    const own = weights[index] ?? 0;
    weight += own;
    weighted += own * value;
  }
  return { weight, weighted };
}

/** Returns the weighted mean on the score scale; 0 when every matcher abstains. */
export function batchScore(scale: ScoreScale, weights: readonly number[], values: MatcherValues): number {
  const { weight, weighted } = weigh(weights, values);
  return weight === 0 ? 0 : roundScore((scale * weighted) / weight, scale);
}

/**
 * Margin by which the best outcome has to miss the threshold, relative to the scale. The order of adding up to
 * 1,000 weights moves a mean by less than 1e-12, so no pair is dropped that the exact score would keep.
 */
const reachMargin = 1e-9;

/**
 * Reports after each step of the evaluation, from running sums, whether the remaining matchers can still lift the score
 * to the threshold. The best outcome is 1 for all of them: adding weight at value 1 never lowers a mean of values <= 1.
 * After the last step the score itself decides.
 */
export class ScoreReach {
  /** The threshold is out of reach when the best outcome is below this limit. */
  readonly limit: number;
  /** Weight of the matchers that follow each step. */
  readonly openWeights: readonly number[];

  /** `weights` are in definition order; `order` is the order of evaluation. */
  constructor(
    private readonly scale: ScoreScale,
    threshold: number,
    weights: readonly number[],
    order: readonly number[],
  ) {
    this.limit = threshold - reachMargin * scale;
    let open = 0;
    this.openWeights = order
      .toReversed()
      .map((index) => {
        const following = open;
        open += weights[index] ?? 0;
        return following;
      })
      .reverse();
  }

  /** `weight` and `weighted` are the sums of `weigh` up to this step, added in the order of evaluation. */
  isLost(step: number, weight: number, weighted: number): boolean {
    if (step === this.openWeights.length - 1) return false;
    const open = this.openWeights[step] ?? 0;
    const total = weight + open;
    const best = total === 0 ? 0 : (this.scale * (weighted + open)) / total;
    return best < this.limit;
  }
}
