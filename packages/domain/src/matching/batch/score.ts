import {
  heavyEffort,
  type CandidateWindows,
  type CompiledRuleSet,
  type JsonObject,
  type PairBatch,
  type PairCounts,
  type PairFailure,
  type Side,
} from '@tieout/engine';
import { readId } from '@tieout/infra';
import { cpuMs, type OnStep, type RunningCheck } from '../jobs/context';
import type { EntryError, HeavyFailure } from '../jobs/errors';
import type { JobLimits } from '../jobs/limits';
import type { Rows } from '../stage/rows';
import { LongBatchError } from './pace';

/**
 * Time between two steps. The number of pairs compared without reading the clock is adapted to it, whatever the
 * expressions cost. The clock is always read after a pair that may itself have taken long.
 */
const stepMs = 50;
const minPairs = 1;
const maxPairs = 8_192;
/** Rows between two steps, unless the evaluation of one takes long. */
const stepRows = 64;

export interface ScoreResult {
  counts: Readonly<PairCounts>;
  scoreSum: number;
  errors: readonly EntryError[];
}

/** The candidates of one left row among the right rows of a chunk: index ranges, disjoint and ascending. */
export interface RowCandidates extends Omit<CandidateWindows, 'seek' | 'leaveOut'> {
  /** Moves to a left row after the last one. */
  seek(left: number): void;
}

/** A part of the right side whose pairs with all left rows were compared. */
export interface ComparedChunk extends Pick<ScorerOptions, 'candidatesAmong' | 'onStep' | 'check'> {
  batch: PairBatch;
  lefts: Rows;
  rights: Rows;
  /** 1 for the rows with a kept pair. */
  hasKept: Record<Side, Uint8Array>;
}

/** Looks for the best pairs of rows without a kept one. */
export interface NearestSearcher {
  find(chunk: ComparedChunk): Promise<void>;
}

interface ScorerOptions {
  compiled: CompiledRuleSet;
  amountScale: number;
  candidatesAmong: (lefts: Rows, rights: Rows) => RowCandidates;
  keptErrors: number;
  limits: Pick<JobLimits, 'madeBytes' | 'keptPairs'>;
  /** Receives failed evaluations that used most of their limits. */
  onHeavyFailure: (failure: HeavyFailure) => void;
  /** Gets the kept pairs before they exceed the limit, and the remaining ones at the end of each chunk. */
  onKept: (batch: PairBatch, lefts: Rows, rights: Rows) => Promise<void>;
  /** Finds the best pair of each row without a kept one; absent where the job does not ask for it. */
  nearest?: NearestSearcher | undefined;
  onStep: OnStep;
  /** Called at every step. */
  check: RunningCheck;
  /** Called at every step with the pairs since the last one, and the CPU time of comparing and writing them. */
  onCompared: (pairs: number, tookCpuMs: number) => void;
}

/** An error with the left row of its pair. */
interface RankedError {
  left: number;
  error: EntryError;
}

/** Compares the candidate pairs of one slice, chunk by chunk of its right side. */
export class Scorer {
  private readonly batch: PairBatch;
  /** The rest of the chunk; its first rows are the ones being compared. */
  private rights: Rows | undefined;
  private errors: RankedError[] = [];
  private stepPairs = minPairs;
  private pairs = 0;
  private rows = 0;
  private rowTookLong = false;
  /** 1 for the rows with a kept pair; the right rows are those being compared. */
  private readonly hasKept: Record<Side, Uint8Array>;
  private steppedMs = performance.now();
  private steppedCpuMs = cpuMs();

  private constructor(
    private readonly lefts: Rows,
    private readonly options: ScorerOptions,
  ) {
    const { compiled, amountScale, keptErrors } = options;
    this.hasKept = { left: new Uint8Array(lefts.length), right: new Uint8Array(0) };
    const onError = (failure: PairFailure): void => {
      if (failure.effort >= heavyEffort) options.onHeavyFailure(this.heavy(failure));
    };
    const onLong = (): void => {
      this.rowTookLong = true;
      options.onStep();
    };
    this.batch = compiled.openBatch(amountScale, { onError, onLong, keptErrors });
  }

  /** @throws LongBatchError when the values made of the left rows exceed the limit */
  static async open(lefts: Rows, options: ScorerOptions): Promise<Scorer> {
    const scorer = new Scorer(lefts, options);
    const { batch } = scorer;
    const taken = await scorer.addRows('left', lefts, (value, units, day) => batch.addLeft(value, units, day));
    if (taken === lefts.length) return scorer;
    const fitting = (taken * options.limits.madeBytes) / batch.heldBytes('left');
    throw new LongBatchError({ pieces: lefts.length / fitting, by: 'rows' });
  }

  /** Compares the rows of a chunk with all left rows, in parts that keep to the limit of memory. */
  async compare(chunk: Rows): Promise<void> {
    const { batch } = this;
    for (let rest = chunk; rest.length > 0;) {
      this.rights = rest;
      const taken = await this.addRows('right', rest, (value, units, day) => batch.addRight(value, units, day));
      await this.compareHeld(rest.part(0, taken));
      batch.clearRight();
      rest = rest.part(taken, rest.length);
    }
  }

  private async compareHeld(rights: Rows): Promise<void> {
    const { batch, lefts, options, hasKept } = this;
    hasKept.right = new Uint8Array(rights.length);
    this.steppedMs = performance.now();
    this.steppedCpuMs = cpuMs();
    const candidates = options.candidatesAmong(lefts, rights);
    for (let left = 0; left < lefts.length; left++) {
      candidates.seek(left);
      for (let range = 0; range < candidates.count; range++) {
        const to = candidates.to[range] as number;
        for (let from = candidates.from[range] as number; from < to;) {
          const past = Math.min(to, from + this.stepPairs);
          const next = batch.compare(left, from, past);
          const reached = typeof next === 'number' ? next : await next;
          this.pairs += reached - from;
          from = reached;
          if (this.pairs >= this.stepPairs || (batch.tookLong && this.isDue())) await this.step(rights);
        }
      }
    }
    await this.drain(rights);
    this.takeErrors(rights);
    const { nearest, onStep, check } = options;
    await nearest?.find({ batch, lefts, rights, hasKept, candidatesAmong: options.candidatesAmong, onStep, check });
  }

  get result(): ScoreResult {
    return { counts: this.batch.counts, scoreSum: this.batch.scoreSum, errors: this.errors.map(({ error }) => error) };
  }

  /** Adds rows until the batch holds enough. Returns the number of added rows. */
  private addRows(
    side: Side,
    rows: Rows,
    add: (value: JsonObject, units: number, day: number) => void,
  ): Promise<number> {
    return rows.forEach(
      (value, units, day) => {
        add(value, units, day);
        if (this.rowTookLong || this.rows++ % stepRows === 0) return this.stepRow();
      },
      () => this.batch.heldBytes(side) > this.options.limits.madeBytes,
    );
  }

  private stepRow(): Promise<void> | void {
    this.rowTookLong = false;
    this.options.onStep();
    return this.options.check();
  }

  /** Returns, after a pair that may have taken long, whether a step is due. */
  private isDue(): boolean {
    this.options.onStep();
    return performance.now() - this.steppedMs >= stepMs;
  }

  private async step(rights: Rows): Promise<void> {
    this.options.onStep();
    this.stepPairs = nextStep(this.pairs, performance.now() - this.steppedMs);
    const { pairs } = this;
    this.pairs = 0;
    if (this.batch.kept.length >= this.options.limits.keptPairs) await this.drain(rights);
    const checking = this.options.check();
    if (checking) await checking;
    this.options.onCompared(pairs, cpuMs() - this.steppedCpuMs);
    this.steppedMs = performance.now();
    this.steppedCpuMs = cpuMs();
  }

  /** Names the records of a failure, so that it is recognised in every batch. */
  private heavy({ of: kind, left, right, code, message, expression }: PairFailure): HeavyFailure {
    return {
      left_record_id: kind === 'left' || kind === 'pair' ? idText(this.lefts, left) : null,
      right_record_id: kind === 'right' || kind === 'pair' ? idText(this.rights as Rows, right) : null,
      code,
      message,
      expression,
    };
  }

  /** Passes on the kept pairs, which refer to rows of this chunk. */
  private async drain(rights: Rows): Promise<void> {
    const { batch, lefts, hasKept } = this;
    const { kept } = batch;
    for (let at = 0; at < kept.length; at++) hasKept.left[kept.left(at)] = hasKept.right[kept.right(at)] = 1;
    await this.options.onKept(batch, lefts, rights);
    batch.clearKept();
  }

  /**
   * Keeps the errors of the first left rows, however the batch and its right side are cut. Within a left row the errors
   * of the right rows read first are kept.
   */
  private takeErrors(rights: Rows): void {
    const { batch, lefts } = this;
    const found = batch.errors.map(({ left, right, ...error }): RankedError => ({
      left,
      error: { left_record_id: idText(lefts, left), right_record_id: idText(rights, right), ...error },
    }));
    this.errors = [...this.errors, ...found]
      .sort((one, other) => one.left - other.left)
      .slice(0, this.options.keptErrors);
  }
}

/** Returns the size of the next step, at most twice the last one: the next pairs may cost more. */
function nextStep(pairs: number, tookMs: number): number {
  const ideal = tookMs === 0 ? maxPairs : Math.floor((pairs * stepMs) / tookMs);
  return Math.max(minPairs, Math.min(ideal, 2 * pairs, maxPairs));
}

function idText(rows: Rows, row: number): string {
  const at = rows.idAt(row);
  return readId(Buffer.from(rows.idsOf(row).subarray(at, at + 16)), 0);
}
