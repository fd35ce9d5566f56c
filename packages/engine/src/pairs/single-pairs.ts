import type { ComparedRecord, PairComparer, PairResult } from '../rule-set/compiled';
import type { JsonObject, MaybePromise } from '../types';
import { KEPT_ERRORS, NO_DAY } from './types';
import type { KeptPairs, PairBatch, PairBatchOptions, PairCounts, PairError } from './types';

interface KeptPair {
  left: number;
  right: number;
  score: number;
  decision: 'MATCH' | 'POSSIBLE';
  explanation: string;
}

/** A batch that compares its pairs one by one: for rule sets that need the reference evaluator. */
export class SinglePairBatch implements PairBatch {
  readonly counts: PairCounts = { MATCH: 0, POSSIBLE: 0, NO_MATCH: 0, ERROR: 0 };
  readonly errors: PairError[] = [];
  readonly kept: KeptPairs;
  scoreSum = 0;
  private readonly lefts: ComparedRecord[] = [];
  private readonly rights: ComparedRecord[] = [];
  private readonly keptPairs: KeptPair[] = [];

  constructor(private readonly comparer: PairComparer, private readonly options: PairBatchOptions) {
    this.kept = viewOf(this.keptPairs);
  }

  addLeft(value: JsonObject, amountUnits: number, day: number): void {
    this.lefts.push(toRecord(value, amountUnits, day));
  }

  addRight(value: JsonObject, amountUnits: number, day: number): void {
    this.rights.push(toRecord(value, amountUnits, day));
  }

  clearRight(): void {
    this.rights.length = 0;
    this.clearKept();
  }

  clearKept(): void {
    this.keptPairs.length = 0;
  }

  compare(left: number, from: number, to: number): MaybePromise<void> {
    for (let right = from; right < to; right += 1) {
      const result = this.comparePair(left, right);
      if (result instanceof Promise) return this.finish(result, left, right, to);
      this.settle(result, left, right);
    }
  }

  private async finish(pending: Promise<PairResult>, left: number, at: number, to: number): Promise<void> {
    this.settle(await pending, left, at);
    for (let right = at + 1; right < to; right += 1) this.settle(await this.comparePair(left, right), left, right);
  }

  private comparePair(left: number, right: number): MaybePromise<PairResult> {
    return this.comparer.compare(rowAt(this.lefts, left), rowAt(this.rights, right));
  }

  private settle(result: PairResult, left: number, right: number): void {
    this.counts[result.decision] += 1;
    if (result.decision === 'NO_MATCH') return;
    if (result.decision === 'ERROR') {
      this.options.onError?.(result.error.code);
      if (this.errors.length < (this.options.keptErrors ?? KEPT_ERRORS)) this.errors.push({ left, right, ...result.error });
      return;
    }
    const { decision, score, explanation } = result;
    this.scoreSum += score;
    this.keptPairs.push({ left, right, score, decision, explanation: JSON.stringify(explanation) });
  }
}

function toRecord(value: JsonObject, amountUnits: number, day: number): ComparedRecord {
  return { value, amountUnits: Number.isNaN(amountUnits) ? null : amountUnits, day: day === NO_DAY ? null : day };
}

function rowAt<T>(rows: readonly T[], index: number): T {
  const row = rows[index];
  if (row === undefined) throw new RangeError(`There is no row ${index}.`);
  return row;
}

function viewOf(pairs: readonly KeptPair[]): KeptPairs {
  return {
    get length() { return pairs.length; },
    left: (index) => rowAt(pairs, index).left,
    right: (index) => rowAt(pairs, index).right,
    score: (index) => rowAt(pairs, index).score,
    decision: (index) => rowAt(pairs, index).decision,
    explanation: (index) => rowAt(pairs, index).explanation,
  };
}
