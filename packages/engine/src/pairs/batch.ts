import { beginNext, beginSeveral, effort, someTookLong } from '../expression/limits/meter';
import { evaluationError, isRangeError } from '../expression/error';
import { withMessage } from '../expression/reference/fault-message';
import type { ExplanationFrame } from '../scoring/explanation';
import type { ComparedRecord, PairComparer, PairResult } from '../scoring/types';
import type { JsonObject, MaybePromise, Side } from '../values/types';
import { Dictionary } from './columns/codes';
import { RowStore } from './columns/row-store';
import { failureOf } from './columns/deferred';
import { NearestPairs } from './nearest-pairs';
import type { FailureOf, NearestSearch, PairBatch, PairBatchOptions, PairCounts, PairError } from './types';
import { ExplanationText } from './explanation-text';
import { PairKeeper } from './kept-pairs';
import { expressionsInOrder } from './loop/types';
import type { PairFrame, PairLoop } from './loop/types';
import type { LoopCache } from './loop/loop-cache';
import { heavyEffort, defaultKeptErrors } from './types';
import { noDay } from '../values/calendar';

export interface BatchParts {
  loops: LoopCache;
  frame: ExplanationFrame;
  /** Decides the pairs that a loop cannot. */
  comparer: PairComparer;
}

/** The index that means no row. */
const noRow = -1;

/**
 * Compares pairs by a loop over columns, generated for the rule set and the types of the data. Rows go into one
 * RowStore per side; the loop reads their columns; kept pairs go into the PairKeeper.
 */
export class ColumnBatch implements PairBatch, PairFrame {
  readonly counts: PairCounts = { MATCH: 0, POSSIBLE: 0, NO_MATCH: 0, ERROR: 0 };
  errors: PairError[] = [];
  readonly left: RowStore;
  readonly right: RowStore;
  readonly keeper: PairKeeper;
  private readonly expressionIds: readonly string[];
  /** Made on first use: most batches of few records need none. */
  private nearest: NearestPairs | undefined;
  /** Null until rows are compared, and again after rows were added. */
  private loop: PairLoop | null = null;
  /** Right row of the pair that the loop has left undecided. */
  private undecided = noRow;

  constructor(
    private readonly parts: BatchParts,
    private readonly options: PairBatchOptions,
  ) {
    const { plan, weights } = parts.loops.rules;
    const dictionaries = Array.from({ length: plan.dictionaries }, () => new Dictionary());
    const storeOptions = { keepsRecords: plan.needsRecords, onLong: options.onLong };
    this.left = new RowStore('left', plan.columns.left, dictionaries, storeOptions);
    this.right = new RowStore('right', plan.columns.right, dictionaries, storeOptions);
    const text = new ExplanationText(parts.frame, this.left, this.right);
    this.keeper = new PairKeeper(weights.length, parts.frame.thresholds.Tmatch, this.counts, text);
    this.expressionIds = expressionsInOrder(plan).map(({ id }) => id);
  }

  get kept(): PairKeeper {
    return this.keeper;
  }

  get tookLong(): boolean {
    return someTookLong();
  }

  get scoreSum(): number {
    return this.keeper.scoreSum;
  }

  addLeft(value: JsonObject, amountUnits: number, day: number): void {
    if (this.right.length > 0) throw new Error('Left rows are added before right ones.');
    this.left.add(value, amountUnits, day);
    this.loop = null;
  }

  addRight(value: JsonObject, amountUnits: number, day: number): void {
    // Right values get the codes of equal left values.
    if (this.right.length === 0) this.left.takePending();
    this.right.add(value, amountUnits, day);
    this.loop = null;
  }

  heldBytes(side: Side): number {
    return this[side].heldBytes;
  }

  clearRight(): void {
    this.right.clear();
    this.keeper.clear();
    this.errors = [];
    this.loop = null;
  }

  clearKept(): void {
    this.keeper.clear();
  }

  openNearest(): NearestSearch {
    const { left, right, parts } = this;
    const { unbounded } = parts.loops;
    const found = (this.nearest ??= new NearestPairs(parts.loops.rules));
    found.left.reset(left.length);
    found.right.reset(right.length);
    let isHeavy = false;
    const fail = (): boolean => {
      isHeavy ||= effort() >= heavyEffort;
      beginNext();
      return true;
    };
    const loop = unbounded.open({ left, right, keeper: found, drop: () => undefined, fail });
    return {
      left: found.left,
      right: found.right,
      hasBest: (side, row) => found.hasBest(side, row),
      score: (row, from, to) => {
        found.left.noteDropped(row, from);
        beginSeveral();
        const next = loop(row, from, to);
        if (next === from || isHeavy) return null;
        for (let at = from; at < next; at++) found.right.noteDropped(at, row);
        return next;
      },
    };
  }

  compare(left: number, from: number, to: number): MaybePromise<number> {
    this.loop ??= this.parts.loops.open(this);
    this.undecided = noRow;
    beginSeveral();
    const next = this.loop(left, from, to);
    if (next !== this.undecided) return next;
    const pending = this.compareOne(left, next);
    return pending === undefined ? next + 1 : pending.then(() => next + 1);
  }

  drop(pairs: number): void {
    this.counts.NO_MATCH += pairs;
  }

  fail(left: number, right: number, expression: number, thrown: unknown): boolean {
    if (isRangeError(thrown) && this.left.records.length > 0) {
      this.undecided = right;
      return false;
    }
    // Messages are composed only for errors that are kept or heavy.
    const isRead = this.keepsError() || effort() >= heavyEffort;
    const { code, message } = evaluationError(isRead ? withMessage(thrown) : thrown);
    this.countError(
      left,
      right,
      { code, message, expression: this.expressionIds[expression] ?? '' },
      failureOf(thrown),
    );
    return true;
  }

  /** Compares a pair on its records. */
  private compareOne(left: number, right: number): Promise<void> | undefined {
    const result = this.parts.comparer.compare(recordOf(this.left, left), recordOf(this.right, right));
    if (result instanceof Promise)
      return result.then((settled) => {
        this.settle(settled, left, right);
      });
    this.settle(result, left, right);
    return undefined;
  }

  private settle(result: PairResult, left: number, right: number): void {
    if (result.decision === 'NO_MATCH') this.drop(1);
    else if (result.decision === 'ERROR') this.countError(left, right, result.error, 'pair');
    else this.keeper.keepExplained(left, right, result.score, result.explanation);
  }

  private countError(
    left: number,
    right: number,
    error: { code: string; message: string; expression: string },
    of: FailureOf,
  ): void {
    this.counts.ERROR++;
    this.options.onError?.({ left, right, ...error, of, effort: effort() });
    // An error without an evaluation must not report the previous effort again.
    beginNext();
    if (this.keepsError()) this.errors.push({ left, right, ...error });
  }

  private keepsError(): boolean {
    return this.errors.length < (this.options.keptErrors ?? defaultKeptErrors);
  }
}

function recordOf(store: RowStore, row: number): ComparedRecord {
  const value = store.records[row];
  if (value === undefined) throw new RangeError(`There is no record ${row}.`);
  const amountUnits = store.units[row] ?? NaN;
  const day = store.days[row] ?? noDay;
  return { value, amountUnits: Number.isNaN(amountUnits) ? null : amountUnits, day: day === noDay ? null : day };
}
