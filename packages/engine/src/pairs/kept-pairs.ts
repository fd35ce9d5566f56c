import { storedExplanation } from '../scoring/explanation';
import type { JsonObject } from '../values/types';
import type { ExplanationText } from './explanation-text';
import type { KeptSink } from './loop/types';
import type { KeptPairs, PairCounts } from './types';

const initialCapacity = 256;

/** Keeps the pairs of a batch as numbers in typed arrays; explanations are written on demand. */
export class PairKeeper implements KeptPairs, KeptSink {
  length = 0;
  scoreSum = 0;
  /** Reasons of the current pair. */
  reasons: unknown = undefined;
  /** Matcher values of the current pair, in definition order; NaN abstains. */
  readonly values: Float64Array;
  private lefts = new Int32Array(initialCapacity);
  private rights = new Int32Array(initialCapacity);
  private scores = new Float64Array(initialCapacity);
  private keptValues: Float64Array;
  private readonly keptReasons = new Map<number, unknown>();
  private readonly explained = new Map<number, string>();

  constructor(
    private readonly matchers: number,
    private readonly matchThreshold: number,
    private readonly counts: PairCounts,
    private readonly text: ExplanationText,
  ) {
    this.values = new Float64Array(matchers);
    this.keptValues = new Float64Array(initialCapacity * matchers);
  }

  /** Keeps a pair with the current `values` and `reasons`. */
  keep(left: number, right: number, score: number): void {
    const index = this.length;
    if (index === this.lefts.length) this.grow();
    this.lefts[index] = left;
    this.rights[index] = right;
    this.scores[index] = score;
    for (let matcher = 0; matcher < this.matchers; matcher++) {
      this.keptValues[index * this.matchers + matcher] = this.values[matcher] ?? NaN;
    }
    if (this.reasons !== undefined) {
      this.keptReasons.set(index, this.reasons);
      this.reasons = undefined;
    }
    this.length++;
    this.scoreSum += score;
    this.counts[this.decisionOf(score)]++;
  }

  /** Keeps a pair whose matchers returned true (their bits) or false. */
  keepBits(left: number, right: number, score: number, bits: number): void {
    for (let matcher = 0; matcher < this.matchers; matcher++) this.values[matcher] = (bits >> matcher) & 1;
    this.keep(left, right, score);
  }

  /** Keeps a pair that has an explanation already. */
  keepExplained(left: number, right: number, score: number, explanation: JsonObject): void {
    this.explained.set(this.length, JSON.stringify(storedExplanation(explanation)));
    this.keep(left, right, score);
  }

  clear(): void {
    this.length = 0;
    this.keptReasons.clear();
    this.explained.clear();
  }

  left(index: number): number {
    return this.at(this.lefts, index);
  }

  right(index: number): number {
    return this.at(this.rights, index);
  }

  score(index: number): number {
    return this.at(this.scores, index);
  }

  decision(index: number): 'MATCH' | 'POSSIBLE' {
    return this.decisionOf(this.score(index));
  }

  stored(index: number): string {
    const left = this.left(index);
    const explained = this.explained.get(index);
    if (explained !== undefined) return explained;
    const values = this.keptValues.subarray(index * this.matchers, (index + 1) * this.matchers);
    return this.text.write(left, this.right(index), values, this.keptReasons.get(index));
  }

  private decisionOf(score: number): 'MATCH' | 'POSSIBLE' {
    return score >= this.matchThreshold ? 'MATCH' : 'POSSIBLE';
  }

  private at(from: Int32Array | Float64Array, index: number): number {
    const value = index < this.length ? from[index] : undefined;
    if (value === undefined) throw new RangeError(`There is no kept pair ${index}.`);
    return value;
  }

  private grow(): void {
    const capacity = 2 * this.lefts.length;
    const lefts = new Int32Array(capacity);
    const rights = new Int32Array(capacity);
    const scores = new Float64Array(capacity);
    const values = new Float64Array(capacity * this.matchers);
    lefts.set(this.lefts);
    rights.set(this.rights);
    scores.set(this.scores);
    values.set(this.keptValues);
    this.lefts = lefts;
    this.rights = rights;
    this.scores = scores;
    this.keptValues = values;
  }
}
