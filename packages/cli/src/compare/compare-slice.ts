import {
  effectiveParams,
  type CompiledRuleSet,
  type JsonObject,
  type PairBatch,
  type PairCounts,
  type PairError,
  type Side,
} from '@tieout/engine';
import { cutPossible } from './cut-possible';
import { PairList } from './pair-list';
import type { SideTable } from './side-table';
import type { PairSlice, SlicePart } from './slices';

/** Kept pairs after which a batch hands them over. */
const maxKept = 65_536;
export const keptErrors = 20;

/** The records of both files, and the rules. */
export interface ComparedTables extends Record<Side, SideTable> {
  compiled: CompiledRuleSet;
  /** Gives a record what the rule set reads besides its values. */
  complete: Record<Side, (value: JsonObject) => JsonObject>;
}

export type PairFault = Omit<PairError, Side> & Record<`${Side}_line`, number>;

/** The pairs of one slice. */
export class SliceResult {
  pairs = new PairList();
  counts: PairCounts = { MATCH: 0, POSSIBLE: 0, NO_MATCH: 0, ERROR: 0 };
  errors: PairFault[] = [];
  /** POSSIBLE pairs beyond the best ones of their left records. */
  cut = 0;

  constructor(
    /** The number of the slice. */
    readonly at: number,
  ) {}
}

/** Compares the candidates of a slice. */
export async function compareSlice(
  input: ComparedTables,
  { slice, amountScale }: { slice: PairSlice; amountScale: number },
  result: SliceResult,
): Promise<void> {
  const { compiled, left, right, complete } = input;
  const batch = compiled.openBatch(amountScale, { keptErrors });
  slice.lefts.forEach((seq, row) => {
    const value = complete.left(left.records.readAt(seq));
    batch.addLeft(value, slice.units[row] as number, left.ownDay[seq] as number);
  });
  for (const part of slice.parts) {
    part.rights.forEach((seq, row) => {
      const value = complete.right(right.records.readAt(seq));
      batch.addRight(value, part.units[row] as number, right.ownDay[seq] as number);
    });
    const drain = (): void => takeKept(batch, slice, part, result.pairs);
    for (let row = 0; row < slice.lefts.length; row++) {
      const { count, from, to } = part.seek(row);
      for (let range = 0; range < count; range++) {
        for (let at = from[range] as number; at < (to[range] as number);) {
          const next = batch.compare(row, at, to[range] as number);
          at = typeof next === 'number' ? next : await next;
        }
      }
      if (batch.kept.length >= maxKept) drain();
    }
    drain();
    takeErrors(batch, { slice, part }, input, result);
    batch.clearRight();
  }
  for (const decision of ['MATCH', 'POSSIBLE', 'NO_MATCH', 'ERROR'] as const)
    result.counts[decision] += batch.counts[decision];
  result.cut = cutPossible(result.pairs, 'left', effectiveParams(compiled.definition).maxPossiblePerRecord);
}

function takeKept(batch: PairBatch, { lefts }: PairSlice, { rights }: SlicePart, pairs: PairList): void {
  const { kept } = batch;
  for (let at = 0; at < kept.length; at++)
    pairs.add(
      lefts[kept.left(at)] as number,
      rights[kept.right(at)] as number,
      kept.score(at),
      kept.decision(at) === 'MATCH',
    );
  batch.clearKept();
}

function takeErrors(
  batch: PairBatch,
  { slice, part }: { slice: PairSlice; part: SlicePart },
  { left, right }: ComparedTables,
  { errors }: SliceResult,
): void {
  for (const { left: row, right: other, ...error } of batch.errors) {
    if (errors.length >= keptErrors) return;
    errors.push({
      left_line: left.line[slice.lefts[row] as number] as number,
      right_line: right.line[part.rights[other] as number] as number,
      ...error,
    });
  }
}
