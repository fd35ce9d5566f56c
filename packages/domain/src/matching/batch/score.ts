import {
  candidateWindows,
  HEAVY_EFFORT,
  type CompiledRuleSet,
  type JsonObject,
  type PairBatch,
  type PairCounts,
  type PairFailure,
  type Side,
} from '@tieout/engine';
import { readId } from '@tieout/infra';
import type { HeavyFailure } from '../jobs/fail';
import type { OnStep } from '../jobs/handlers';
import type { JobLimits } from '../jobs/limits';
import { cpuMs, LongBatchError } from './pace';
import type { RunningCheck } from '../jobs/running';
import type { Rows } from '../stage/rows';

/**
 * Pairs that are compared without a look at the clock: as many as take about this long, whatever the expressions cost. A pair that
 * may have taken long by itself has the clock looked at in any case.
 */
const stepMs = 50;
const fewestPairs = 1;
const mostPairs = 8_192;
/** Rows between two steps, unless the evaluation of one takes long. */
const stepRows = 64;

export interface StoredError {
  left_record_id: string;
  right_record_id: string;
  code: string;
  message: string;
  expression: string;
}

export interface Outcome {
  counts: Readonly<PairCounts>;
  scoreSum: number;
  errors: readonly StoredError[];
}

export interface ScorerOptions {
  compiled: CompiledRuleSet;
  amountScale: number;
  keptErrors: number;
  limits: Pick<JobLimits, 'madeBytes' | 'keptPairs'>;
  /** An evaluation took most of what it may and failed. */
  onHeavyFailure: (failure: HeavyFailure) => void;
  /** Gets the kept pairs before there are more than the limit, and what is left of them at the end of each chunk. */
  onKept: (batch: PairBatch, lefts: Rows, rights: Rows) => Promise<void>;
  onStep: OnStep;
  /** Called at every step. */
  check: RunningCheck;
  /** Called at every step with the pairs since the last one, and the CPU time that it took to compare them and to hand them over. */
  onCompared: (pairs: number, tookCpuMs: number) => void;
}

/** An error, and the left row of its pair. */
interface RankedError {
  left: number;
  error: StoredError;
}

/** Compares the candidate pairs of one slice, chunk by chunk of its right side. */
export class Scorer {
  private readonly batch: PairBatch;
  /** What is left of the chunk: its first rows are those at hand. */
  private rights: Rows | undefined;
  private errors: RankedError[] = [];
  private stepPairs = fewestPairs;
  private pairs = 0;
  private rows = 0;
  private rowTookLong = false;
  private steppedMs = performance.now();
  private steppedCpuMs = cpuMs();

  private constructor(
    private readonly lefts: Rows,
    private readonly options: ScorerOptions,
  ) {
    const { compiled, amountScale, keptErrors } = options;
    const onError = (failure: PairFailure): void => {
      if (failure.effort >= HEAVY_EFFORT) options.onHeavyFailure(this.heavy(failure));
    };
    const onLong = (): void => {
      this.rowTookLong = true;
      options.onStep();
    };
    this.batch = compiled.openBatch(amountScale, { onError, onLong, keptErrors });
  }

  /** @throws LongBatchError when the batch would hold too much of its left rows */
  static async open(lefts: Rows, options: ScorerOptions): Promise<Scorer> {
    const scorer = new Scorer(lefts, options);
    const { batch } = scorer;
    const taken = await scorer.addRows('left', lefts, (value, units, day) => batch.addLeft(value, units, day));
    if (taken === lefts.length) return scorer;
    const fitting = (taken * options.limits.madeBytes) / batch.heldBytes('left');
    throw new LongBatchError({ pieces: lefts.length / fitting, by: 'rows' });
  }

  /** Compares the rows of a chunk with all left ones, in as many parts as it takes to hold one at a time. */
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
    const { batch, lefts, options } = this;
    this.steppedMs = performance.now();
    this.steppedCpuMs = cpuMs();
    const windows = candidateWindows(options.compiled.blocking, rights, options.amountScale);
    for (let left = 0; left < lefts.length; left++) {
      windows.seek(lefts.bucket[left] as number, lefts.day[left] as number, lefts.units[left] as number);
      for (let range = 0; range < windows.count; range++) {
        const to = windows.to[range] as number;
        for (let from = windows.from[range] as number; from < to;) {
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
  }

  get outcome(): Outcome {
    return { counts: this.batch.counts, scoreSum: this.batch.scoreSum, errors: this.errors.map(({ error }) => error) };
  }

  /** How many of them, which is all unless the batch holds enough before. */
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

  /** For a pair that may have taken long. */
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

  /** The same in whichever batch it fails. */
  private heavy({ of, left, right, code, message, expression }: PairFailure): HeavyFailure {
    return {
      left_record_id: of === 'left' || of === 'pair' ? idText(this.lefts, left) : null,
      right_record_id: of === 'right' || of === 'pair' ? idText(this.rights as Rows, right) : null,
      code,
      message,
      expression,
    };
  }

  /** Hands over what refers to rows of this chunk. */
  private async drain(rights: Rows): Promise<void> {
    const { batch, lefts } = this;
    await this.options.onKept(batch, lefts, rights);
    batch.clearKept();
  }

  /** Those of the first left rows, however the batch and its right side are cut; of a left row, those with the right rows that were read first. */
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

/** At most twice as many as last time: the next pairs may cost more. */
function nextStep(pairs: number, tookMs: number): number {
  const wanted = tookMs === 0 ? mostPairs : Math.floor((pairs * stepMs) / tookMs);
  return Math.max(fewestPairs, Math.min(wanted, 2 * pairs, mostPairs));
}

function idText(rows: Rows, row: number): string {
  const at = rows.idAt(row);
  return readId(Buffer.from(rows.idsOf(row).subarray(at, at + 16)), 0);
}
