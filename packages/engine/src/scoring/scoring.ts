import { ExpressionError } from '../expression/error';

/** Scores live on 0..1 when Tmatch <= 1, else on 0..100. */
export type ScoreScale = 1 | 100;

export function scoreScale(matchThreshold: number): ScoreScale {
  return matchThreshold <= 1 ? 1 : 100;
}

const scorePrecision = 1e12;

/** What adding up some weights can lose, relative to the scale. Far below one unit of the 12th decimal. */
const summationNoise = 12 * Number.EPSILON;

/**
 * The decimal that a sum of weights means: weights of 0.4 + 0.2 + 0.2 give 0.8000000000000002 or 0.7999999999999999 and
 * have to reach a threshold of 0.8. Only floating-point noise goes: a third stays a third.
 */
export function roundScore(score: number, scale: ScoreScale = 1): number {
  const rounded = Math.round(score * scorePrecision) / scorePrecision + 0;
  return Math.abs(rounded - score) <= summationNoise * scale ? rounded : score;
}

export type Reading<T> = { ok: true; value: T } | { ok: false; problem: string };

/** A matcher's result as a share of 0..1; null abstains. */
export function readMatcherValue(result: unknown): Reading<number | null> {
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

/** Each match carries its reasons, and a page of matches those of a hundred. */
const maxReasonsLength = 8_192;

/** The result of a `jsonata` rule set: true, false, null, a number or `{score, reasons?}`. */
export function readExpressionScore(result: unknown, scale: ScoreScale): Reading<ExpressionScore> {
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

function readScore(score: number, scale: ScoreScale, rest: { reasons?: unknown }): Reading<ExpressionScore> {
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
  // All items are looked at: an infinite number is an error wherever it stands.
  if (Array.isArray(result)) return result.reduce<boolean>((truthy, item) => castBoolean(item) || truthy, false);
  if (typeof result === 'object' && result !== null) return Object.keys(result).length > 0;
  if (typeof result === 'string') return result.length > 0;
  if (typeof result !== 'number') return result === true;
  if (Math.abs(result) === Infinity) throw new ExpressionError('D1001', `Number out of range: ${result}`);
  return result !== 0 && !Number.isNaN(result);
}

/** A value of 0..1 per matcher in definition order; null abstains, undefined is not known yet. */
export type MatcherValues = readonly (number | null | undefined)[];

/** Weight of the matchers that vote, and their weighted values, summed in definition order. */
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

/** The weighted mean on the score scale; 0 when every matcher abstains. */
export function batchScore(scale: ScoreScale, weights: readonly number[], values: MatcherValues): number {
  const { weight, weighted } = weigh(weights, values);
  return weight === 0 ? 0 : roundScore((scale * weighted) / weight, scale);
}

/**
 * How far below the threshold the best outcome has to be, relative to the scale. The order in which sums of up to 1,000
 * weights are added up moves a mean by less than 1e-12: no pair is given up that the exact score would keep.
 */
const reachMargin = 1e-9;

/**
 * Whether the matchers that are not evaluated yet can still lift the score to the threshold, told after each step of the
 * evaluation from running sums. The best outcome is 1 for all of them: adding weight at value 1 never lowers a mean of
 * values <= 1. After the last step the score itself decides.
 */
export class ScoreReach {
  /** The best outcome is out of reach below this. */
  readonly limit: number;
  /** By step, the weight of the matchers that follow it. */
  readonly open: readonly number[];

  /** `weights` are in definition order; `order` is that of the evaluation. */
  constructor(
    private readonly scale: ScoreScale,
    threshold: number,
    weights: readonly number[],
    order: readonly number[],
  ) {
    this.limit = threshold - reachMargin * scale;
    let open = 0;
    this.open = order
      .toReversed()
      .map((index) => {
        const following = open;
        open += weights[index] ?? 0;
        return following;
      })
      .reverse();
  }

  /** `weight` and `weighted` are the sums of `weigh`, added up in the order of the evaluation up to this step. */
  isLost(step: number, weight: number, weighted: number): boolean {
    if (step === this.open.length - 1) return false;
    const open = this.open[step] ?? 0;
    const total = weight + open;
    const best = total === 0 ? 0 : (this.scale * (weighted + open)) / total;
    return best < this.limit;
  }
}
