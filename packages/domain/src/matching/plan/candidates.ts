import {
  candidateWindows,
  gather,
  sortSide,
  type BlockingRule,
  type CandidateWindows,
  type Side,
  type SortedKeys,
} from '@tieout/engine';
import type { OnStep } from '../jobs/context';
import type { SideColumns } from '../stage/columns';
import { bytesPerId, recordState } from '../stage/directory';
import { cutBatches, type BatchCosts, type LeftWork, type PlannedBatch } from './batch-cuts';

export interface CandidatePlan {
  pairs: number;
  batches: PlannedBatch[];
}

interface CandidateInput extends Record<Side, SideColumns> {
  rule: BlockingRule;
  amountScale: number;
  /** True if both sides are one dataset: then no record is a candidate for itself. */
  isOneSide: boolean;
  costs: BatchCosts;
  onStep: OnStep;
}

/**
 * Counts every candidate pair exactly, marks the rows without any, and cuts the left side, in key order, into batches
 * of similar cost. The time depends on the number of rows, not of pairs.
 */
export function planCandidates(input: CandidateInput): CandidatePlan {
  const { rule, left, right, amountScale, costs, onStep } = input;
  const lefts = sortSide(left, amountScale, false);
  onStep();
  const rights = sortSide(right, amountScale, rule.contiguous);
  onStep();
  const windows = candidateWindows(rule, rights.keys, amountScale);
  const same = input.isOneSide ? sameRowsOf(left, right, lefts.seqs, rights.seqs) : undefined;
  const work = countCandidates({ windows, lefts: lefts.keys, rightRows: rights.keys.length, same }, onStep);
  let pairs = 0;
  for (let i = 0; i < lefts.keys.length; i++) {
    const own = work.pairs[i] as number;
    pairs += own;
    if (own === 0) left.state[lefts.seqs[i] as number] = recordState.noCandidate;
  }
  markUncovered(work.coverage, rights.seqs, right);
  const weight = gather(left.weight, lefts.seqs, new Int32Array(lefts.seqs.length));
  const cut = { rule, lefts: lefts.keys, seqs: lefts.seqs };
  return { pairs, batches: cutBatches(cut, { ...work, weight }, rights.keys, costs) };
}

interface CandidateCounts extends Omit<LeftWork, 'weight'> {
  /** Differences, from one right row to the next, of the number of left rows with that candidate. */
  coverage: Float64Array;
}

/** Left rows, and right ones, which may be a part of the window. */
interface RowsToCount {
  windows: CandidateWindows;
  lefts: SortedKeys;
  rightRows: number;
  /** The right row of each left one that is the same record; -1 without one. */
  same: Int32Array | undefined;
}

/** Counts the candidates of each left row. */
export function countCandidates({ windows, lefts, rightRows, same }: RowsToCount, onStep: OnStep): CandidateCounts {
  const pairs = new Float64Array(lefts.length);
  const coverage = new Float64Array(rightRows + 1);
  for (let i = 0; i < lefts.length; i++) {
    onStep();
    windows.seek(lefts.bucket[i] as number, lefts.day[i] as number, lefts.units[i] as number);
    if (same) windows.leaveOut(same[i] as number);
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

/** Returns the right seq of the record of each left seq; -1 without one. */
export function sameSeqs(left: SideColumns, right: SideColumns): Int32Array {
  const idOf = ({ ids }: SideColumns, seq: number): string =>
    Buffer.from(ids.buffer, ids.byteOffset + seq * bytesPerId, bytesPerId).toString('latin1');
  const seqOf = new Map(Array.from({ length: right.length }, (_, seq) => [idOf(right, seq), seq]));
  return Int32Array.from({ length: left.length }, (_, seq) => seqOf.get(idOf(left, seq)) ?? -1);
}

/** Returns for each left row, in its order, the right row of the same record. */
function sameRowsOf(left: SideColumns, right: SideColumns, leftSeqs: Uint32Array, rightSeqs: Uint32Array): Int32Array {
  const same = sameSeqs(left, right);
  const rowOf = new Int32Array(right.length).fill(-1);
  rightSeqs.forEach((seq, row) => (rowOf[seq] = row));
  return Int32Array.from(leftSeqs, (seq) => rowOf[same[seq] as number] ?? -1);
}

function markUncovered(coverage: Float64Array, seqs: Uint32Array, side: SideColumns): void {
  let covering = 0;
  for (let i = 0; i < seqs.length; i++) {
    covering += coverage[i] as number;
    if (covering === 0) side.state[seqs[i] as number] = recordState.noCandidate;
  }
}
