import { Worker } from 'node:worker_threads';
import type { RuleSetDefinition, SortedSide } from '@tieout/engine';
import { CommandError } from '../failure';
import type { SliceResult } from './compare-slice';
import type { WindowWork } from './compare-windows';
import { PairList } from './pair-list';
import type { PlacingErrors } from './placer';
import type { FileInput, ReadSide } from './read-file';
import { SideTable, type SharedTable } from './side-table';

/** The work that a helper does, one request after the other. */
export type HelperRequest =
  | { kind: 'read'; file: FileInput; rules: RuleSetDefinition | null }
  | { kind: 'sort'; amountScale: number; byMagnitude: boolean }
  | { kind: 'compare'; left: SharedTable; work: WindowWork; rules: RuleSetDefinition };

export type HelperAnswer =
  | { kind: 'progress'; share: number }
  | { kind: 'read'; side: Omit<ReadSide, 'table'>; table: SharedTable; errors: Pick<PlacingErrors, 'count' | 'first'> }
  | { kind: 'sort'; sorted: SortedSide }
  | { kind: 'compare'; results: SliceResult[] }
  | { kind: 'failed'; error: unknown; details: readonly string[] | null };

type AnswerTo<K extends HelperRequest['kind']> = Extract<HelperAnswer, { kind: K }>;

/** Young objects have as much room as on the first thread, which `bin/tieout.mjs` gives it. */
const youngGenerationMb = 96;

/**
 * A second thread, which reads and sorts the right file while the first one reads and sorts the left, and compares a
 * part of the pairs.
 */
export class HelperThread {
  private readonly worker: Worker;
  private failure: unknown;
  private onAnswer: ((answer: HelperAnswer) => void) | null = null;

  /** @param file the program of the thread */
  constructor(file: string) {
    this.worker = new Worker(file, { resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb } });
    this.worker.on('message', (answer: HelperAnswer) => this.onAnswer?.(answer));
    this.worker.on('error', (error) => {
      this.failure = error;
      this.onAnswer?.({ kind: 'failed', error, details: null });
    });
  }

  async read(
    file: FileInput,
    rules: RuleSetDefinition | null,
    onProgress: (share: number) => void,
  ): Promise<ReadSide & { errors: AnswerTo<'read'>['errors'] }> {
    const { side, table, errors } = await this.ask<'read'>({ kind: 'read', file, rules }, onProgress);
    return { ...side, table: SideTable.of(table), errors };
  }

  /** Sorts the candidates of the file that it has read. */
  async sort(amountScale: number, byMagnitude: boolean): Promise<SortedSide> {
    return (await this.ask<'sort'>({ kind: 'sort', amountScale, byMagnitude })).sorted;
  }

  /** Compares slices of the file that it has read with the left one. */
  async compare(left: SideTable, work: WindowWork, rules: RuleSetDefinition): Promise<SliceResult[]> {
    const { results } = await this.ask<'compare'>({ kind: 'compare', left: left.share(), work, rules });
    return results.map((result) => ({ ...result, pairs: PairList.of(result.pairs) }));
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }

  private ask<K extends HelperRequest['kind']>(
    request: Extract<HelperRequest, { kind: K }>,
    onProgress: (share: number) => void = () => undefined,
  ): Promise<AnswerTo<K>> {
    return new Promise((resolve, reject) => {
      this.onAnswer = (answer) => {
        if (answer.kind === 'progress') return onProgress(answer.share);
        if (answer.kind !== 'failed') return resolve(answer as AnswerTo<K>);
        const { error, details } = answer;
        reject(details === null ? (error as Error) : new CommandError((error as Error).message, details));
      };
      if (this.failure !== undefined) this.onAnswer({ kind: 'failed', error: this.failure, details: null });
      else this.worker.postMessage(request);
    });
  }
}
