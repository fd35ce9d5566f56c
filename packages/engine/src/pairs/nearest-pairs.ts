import type { Side } from '../values/types';
import { scoreTables } from './loop/score-tables';
import type { KeptSink, LoopRules } from './loop/types';

/** A nearest pair keeps the values of at most this many matchers; with more of them it keeps none. */
export const maxNearestValues = 32;

/** Number of steps in which a value of 0..1 is stored, and the mark of a matcher that abstains. */
export const valueSteps = 50_000;
export const abstains = 65_535;

const noRow = -1;
/** Marks in place of a score: a row without a pair, and a pair that a condition dropped before it had a score. */
const none = -2;
const dropped = -1;

/** The best pair of each row of a side, whatever its score. */
export class NearestRows {
  private partner = new Int32Array(0);
  private decided = new Float64Array(0);
  private raw = new Float64Array(0);
  private steps = new Uint16Array(0);

  constructor(private readonly matchers: number) {}

  /** Forgets all pairs and makes room for rows. */
  reset(rows: number): void {
    if (rows > this.partner.length) {
      this.partner = new Int32Array(rows);
      this.decided = new Float64Array(rows);
      this.raw = new Float64Array(rows);
      this.steps = new Uint16Array(rows * this.matchers);
    }
    this.partner.fill(noRow, 0, rows);
    this.raw.fill(none, 0, rows);
    this.decided.fill(0, 0, rows);
  }

  /** Returns the row of the other side in the best pair of a row; -1 without one. */
  partnerOf(row: number): number {
    return this.partner[row] as number;
  }

  /** Returns the score that decides on the best pair of a row: 0 where a condition drops it. */
  scoreOf(row: number): number {
    return this.decided[row] as number;
  }

  /** Returns the values of the matchers in `valueSteps`; null where they are not known. */
  valuesOf(row: number): Uint16Array | null {
    if ((this.raw[row] as number) === dropped || this.matchers === 0) return null;
    return this.steps.subarray(row * this.matchers, (row + 1) * this.matchers);
  }

  /** Notes a pair that was compared and dropped before it had a score. */
  noteDropped(row: number, partner: number): void {
    if ((this.raw[row] as number) !== none) return;
    this.partner[row] = partner;
    this.raw[row] = dropped;
  }

  /** Returns whether a pair is better than the one that a row has. */
  isBetter(row: number, decided: number, raw: number): boolean {
    const order = decided - (this.decided[row] as number);
    return order > 0 || (order === 0 && raw > (this.raw[row] as number));
  }

  note(row: number, partner: number, pair: { decided: number; raw: number; steps: Uint16Array }): void {
    this.partner[row] = partner;
    this.decided[row] = pair.decided;
    this.raw[row] = pair.raw;
    if (this.matchers > 0) this.steps.set(pair.steps, row * this.matchers);
  }
}

/** Takes the scores of all pairs of a loop without a threshold, and remembers the best pair of each row. */
export class NearestPairs implements KeptSink {
  reasons: unknown = undefined;
  readonly values: Float64Array;
  readonly left: NearestRows;
  readonly right: NearestRows;
  private readonly pair: { decided: number; raw: number; steps: Uint16Array };

  /** No pair has a score between this one and Tpossible. */
  private best = Infinity;

  constructor(private readonly rules: LoopRules) {
    const matchers = rules.required.length;
    const kept = matchers > maxNearestValues ? 0 : matchers;
    this.values = new Float64Array(matchers);
    this.left = new NearestRows(kept);
    this.right = new NearestRows(kept);
    this.pair = { decided: 0, raw: 0, steps: new Uint16Array(kept) };
  }

  /** Returns whether a row cannot have a better pair below Tpossible. */
  hasBest(side: Side, row: number): boolean {
    return this[side].scoreOf(row) >= this.best;
  }

  keep(left: number, right: number, score: number): void {
    const { values, pair, rules } = this;
    this.reasons = undefined;
    let decided = score;
    for (let matcher = 0; matcher < values.length; matcher++)
      if (rules.required[matcher] === true && !((values[matcher] as number) > 0)) decided = 0;
    const isBest = {
      left: this.left.isBetter(left, decided, score),
      right: this.right.isBetter(right, decided, score),
    };
    if (!isBest.left && !isBest.right) return;
    for (let matcher = 0; matcher < pair.steps.length; matcher++) {
      const value = values[matcher] as number;
      pair.steps[matcher] = Number.isNaN(value) ? abstains : Math.round(value * valueSteps);
    }
    pair.decided = decided;
    pair.raw = score;
    if (isBest.left) this.left.note(left, right, pair);
    if (isBest.right) this.right.note(right, left, pair);
  }

  keepBits(left: number, right: number, score: number, bits: number): void {
    if (this.best === Infinity) this.best = bestBelow(this.rules);
    for (let matcher = 0; matcher < this.values.length; matcher++) this.values[matcher] = (bits >> matcher) & 1;
    this.keep(left, right, score);
  }
}

/** Returns the highest score below Tpossible that matchers of only true or false can give. */
function bestBelow(rules: LoopRules): number {
  let best = 0;
  for (const score of scoreTables(rules).scores) if (score < rules.possibleThreshold) best = Math.max(best, score);
  // A row without a pair has a score of 0 too, and must not seem to have its best pair.
  return best === 0 ? Infinity : best;
}
