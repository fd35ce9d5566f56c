import { candidateWindows, rescale, type BlockingRule, type CandidateWindows, type SortedKeys } from '@tieout/engine';
import { cutBatches, type BatchCosts, type LeftWork, type PlannedBatch } from '../batch/batch-cuts';
import type { SideColumns } from '../stage/columns';
import type { OnStep } from '../jobs/handlers';
import { recordState } from '../stage/directory';
import { gather, magnitudes, sortedOrder } from '../stage/order';

export interface CandidatePlan {
  pairs: number;
  batches: PlannedBatch[];
}

/** The candidates of a side in the order of the stage, amounts at the scale of the run. */
interface SortedSide {
  seqs: Uint32Array;
  keys: SortedKeys;
}

function sortSide(columns: SideColumns, amountScale: number, byMagnitude: boolean): SortedSide {
  const candidates = columns.candidates();
  const { length } = candidates;
  const all = length === columns.length;
  const bucket = all ? columns.bucket : gather(columns.bucket, candidates, new Float64Array(length));
  const day = all ? columns.day : gather(columns.day, candidates, new Int32Array(length));
  const units = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const seq = candidates[i] as number;
    units[i] = rescale(columns.units[seq] as number, columns.scale[seq] as number, amountScale) ?? NaN;
  }
  const order = sortedOrder(length, [bucket, day, ...(byMagnitude ? [magnitudes(units, length)] : [])]);
  const keys = {
    length,
    bucket: gather(bucket, order, new Float64Array(length)),
    day: gather(day, order, new Int32Array(length)),
    units: gather(units, order, new Float64Array(length)),
  };
  return { seqs: all ? order : order.map((i) => candidates[i] as number), keys };
}

/**
 * Counts every candidate pair exactly, marks the rows that have none, and cuts the left side, in key order, into batches
 * of similar cost. It takes a step for each row, not for each pair.
 */
export function planCandidates(
  rule: BlockingRule,
  left: SideColumns,
  right: SideColumns,
  amountScale: number,
  costs: BatchCosts,
  onStep: OnStep,
): CandidatePlan {
  const lefts = sortSide(left, amountScale, false);
  onStep();
  const rights = sortSide(right, amountScale, rule.contiguous);
  onStep();
  const work = countCandidates(
    candidateWindows(rule, rights.keys, amountScale),
    lefts.keys,
    rights.keys.length,
    onStep,
  );
  let pairs = 0;
  for (let i = 0; i < lefts.keys.length; i++) {
    const own = work.pairs[i] as number;
    pairs += own;
    if (own === 0) left.state[lefts.seqs[i] as number] = recordState.noCandidate;
  }
  markUncovered(work.coverage, rights.seqs, right);
  const weight = gather(left.weight, lefts.seqs, new Int32Array(lefts.seqs.length));
  return { pairs, batches: cutBatches(rule, lefts.keys, lefts.seqs, { ...work, weight }, rights.keys, costs) };
}

interface Counted extends Omit<LeftWork, 'weight'> {
  /** The changes, from one right row to the next, of the number of left rows that have it as a candidate. */
  coverage: Float64Array;
}

/** By left row; the right ones may be a part of the window. */
export function countCandidates(
  windows: CandidateWindows,
  lefts: SortedKeys,
  rightRows: number,
  onStep: OnStep,
): Counted {
  const pairs = new Float64Array(lefts.length);
  const coverage = new Float64Array(rightRows + 1);
  for (let i = 0; i < lefts.length; i++) {
    onStep();
    windows.seek(lefts.bucket[i] as number, lefts.day[i] as number, lefts.units[i] as number);
    let own = 0;
    for (let range = 0; range < windows.count; range++) {
      const from = windows.from[range] as number;
      const to = windows.to[range] as number;
      own += to - from;
      coverage[from] = (coverage[from] as number) + 1;
      coverage[to] = (coverage[to] as number) - 1;
    }
    pairs[i] = own;
  }
  return { pairs, coverage };
}

function markUncovered(coverage: Float64Array, seqs: Uint32Array, side: SideColumns): void {
  let covering = 0;
  for (let i = 0; i < seqs.length; i++) {
    covering += coverage[i] as number;
    if (covering === 0) side.state[seqs[i] as number] = recordState.noCandidate;
  }
}
