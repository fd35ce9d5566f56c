import { candidateWindows, type CompiledRuleSet, type PairBatch, type PairCounts } from '@tieout/engine';
import { readId } from '@tieout/infra';
import type { OnStep } from './handlers';
import type { Rows } from './stage/rows';

/** Pairs between two signs of life, where all expressions are compiled and where one needs the reference evaluator. */
const stepPairs = { compiled: 8_192, reference: 64 } as const;
const checkMs = 1_000;

export interface StoredError {
  left_record_id: string;
  right_record_id: string;
  code: string;
  message: string;
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
  /** When so many pairs are kept, `onKept` gets them before the next ones are compared. */
  keptPairs: number;
  onError: (code: string) => void;
  onKept: (batch: PairBatch, lefts: Rows, rights: Rows) => Promise<void>;
  onStep: OnStep;
  /** Called once a second while pairs are compared. */
  check: () => Promise<void>;
}

/** Compares the candidate pairs of one slice, chunk by chunk of its right side. */
export class Scorer {
  private readonly batch: PairBatch;
  private readonly errors: StoredError[] = [];
  private readonly stepPairs: number;
  private pairs = 0;
  private checkedMs = performance.now();

  constructor(private readonly lefts: Rows, private readonly options: ScorerOptions) {
    const { compiled, amountScale, keptErrors, onError } = options;
    this.stepPairs = stepPairs[Object.values(compiled.expressions).includes('reference') ? 'reference' : 'compiled'];
    this.batch = compiled.openBatch(amountScale, { onError, keptErrors });
    lefts.forEach((value, units, day) => this.batch.addLeft(value, units, day));
  }

  async compare(rights: Rows): Promise<void> {
    const { batch, lefts, options } = this;
    rights.forEach((value, units, day) => batch.addRight(value, units, day));
    options.onStep();
    const windows = candidateWindows(options.compiled.blocking, rights, options.amountScale);
    for (let left = 0; left < lefts.length; left++) {
      windows.seek(lefts.bucket[left] as number, lefts.day[left] as number, lefts.units[left] as number);
      for (let range = 0; range < windows.count; range++) {
        const to = windows.to[range] as number;
        for (let from = windows.from[range] as number; from < to; from += this.stepPairs) {
          const past = Math.min(to, from + this.stepPairs);
          const pending = batch.compare(left, from, past);
          if (pending) await pending;
          this.pairs += past - from;
          if (this.pairs >= this.stepPairs) await this.step(rights);
        }
      }
    }
    await this.drain(rights);
    batch.clearRight();
  }

  get outcome(): Outcome {
    return { counts: this.batch.counts, scoreSum: this.batch.scoreSum, errors: this.errors };
  }

  private async step(rights: Rows): Promise<void> {
    this.pairs = 0;
    this.options.onStep();
    if (this.batch.kept.length >= this.options.keptPairs) await this.drain(rights);
    const nowMs = performance.now();
    if (nowMs - this.checkedMs < checkMs) return;
    this.checkedMs = nowMs;
    await this.options.check();
  }

  /** Hands over what refers to rows of this chunk. */
  private async drain(rights: Rows): Promise<void> {
    const { batch, lefts } = this;
    for (const { left, right, code, message } of batch.errors.slice(this.errors.length)) {
      this.errors.push({ left_record_id: idText(lefts, left), right_record_id: idText(rights, right), code, message });
    }
    await this.options.onKept(batch, lefts, rights);
    batch.clearKept();
  }
}

function idText(rows: Rows, row: number): string {
  const at = rows.idAt(row);
  return readId(Buffer.from(rows.idsOf(row).subarray(at, at + 16)), 0);
}
