import { candidateRanges, rescale, type BlockingRule, type SortedKeys } from '@tieout/engine';
import type { SideColumns } from './columns';
import type { OnStep } from './handlers';

/** Lower bounds are inclusive; the left upper bound is the last row of the slice, inclusive too. */
export interface BatchBounds {
  left: { from: Key; to: Key };
  right: { bucketFrom: number; bucketTo: number; dayFrom: number | null; dayTo: number | null };
}

/** A row's place in the order of the stage: (bucket, day, seq). */
export type Key = readonly [bucket: number, day: number, seq: number];

export interface PlannedBatch {
  bounds: BatchBounds;
  leftRows: number;
  pairs: number;
}

/** A batch ends at the first of these limits; a single left record is never split. */
export interface BatchLimits {
  pairs: number;
  rows: number;
  bytes: number;
}

export interface CandidatePlan {
  pairs: number;
  batches: PlannedBatch[];
  /** By seq: 1 = has at least one candidate. */
  leftHasCandidate: Uint8Array;
  rightHasCandidate: Uint8Array;
}

/** The keys of the included rows in the given order, amounts at the scale of the run. */
function sortedKeys(columns: SideColumns, order: Uint32Array, amountScale: number): SortedKeys {
  const length = order.length;
  const keys = {
    length,
    bucket: new Float64Array(length),
    day: new Int32Array(length),
    units: new Float64Array(length),
  };
  for (let i = 0; i < length; i++) {
    const seq = order[i] as number;
    keys.bucket[i] = columns.bucket[seq] as number;
    keys.day[i] = columns.day[seq] as number;
    const units = columns.units[seq] as number;
    keys.units[i] = Number.isNaN(units) ? NaN : (rescale(units, columns.scale[seq] as number, amountScale) ?? NaN);
  }
  return keys;
}

/**
 * Counts every candidate pair exactly and cuts the left side, in key order, into batches of similar cost.
 * The cost is that of the merge join over two sorted sides, plus one check a pair where a tolerance asks for it.
 */
export function planCandidates(
  rule: BlockingRule,
  left: SideColumns,
  right: SideColumns,
  amountScale: number,
  limits: BatchLimits,
  onStep: OnStep,
): CandidatePlan {
  const leftOrder = left.order();
  const rightOrder = right.order();
  const leftKeys = sortedKeys(left, leftOrder, amountScale);
  const rightKeys = sortedKeys(right, rightOrder, amountScale);
  const visitRanges = candidateRanges(rule, rightKeys);
  const plan: CandidatePlan = {
    pairs: 0,
    batches: [],
    leftHasCandidate: new Uint8Array(left.length),
    rightHasCandidate: new Uint8Array(right.length),
  };
  const orNull = (units: number): number | null => (Number.isNaN(units) ? null : units);

  let start = 0;
  let pairs = 0;
  let bytes = 0;
  const close = (end: number): void => {
    const key = (i: number): Key => [leftKeys.bucket[i] as number, leftKeys.day[i] as number, leftOrder[i] as number];
    const from = key(start);
    const to = key(end - 1);
    // Inside one bucket the days bound the window too; across buckets every day may occur.
    const oneBucket = from[0] === to[0];
    plan.batches.push({
      bounds: {
        left: { from, to },
        right: {
          bucketFrom: from[0] - rule.bucketWindow,
          bucketTo: to[0] + rule.bucketWindow,
          dayFrom: oneBucket ? from[1] - rule.dayWindow : null,
          dayTo: oneBucket ? to[1] + rule.dayWindow : null,
        },
      },
      leftRows: end - start,
      pairs,
    });
    start = end;
    pairs = 0;
    bytes = 0;
  };

  for (let i = 0; i < leftKeys.length; i++) {
    onStep();
    const leftUnits = orNull(leftKeys.units[i] as number);
    let candidates = 0;
    visitRanges(leftKeys.bucket[i] as number, leftKeys.day[i] as number, (from, to) => {
      for (let j = from; j < to; j++) {
        if (!rule.admits(leftUnits, orNull(rightKeys.units[j] as number), amountScale)) continue;
        candidates++;
        plan.rightHasCandidate[rightOrder[j] as number] = 1;
      }
    });
    if (candidates > 0) plan.leftHasCandidate[leftOrder[i] as number] = 1;
    plan.pairs += candidates;
    pairs += candidates;
    bytes += left.bytes[leftOrder[i] as number] as number;
    if (pairs >= limits.pairs || i + 1 - start >= limits.rows || bytes >= limits.bytes) {
      // A slice without pairs has nothing to do.
      if (pairs > 0) close(i + 1);
      else {
        start = i + 1;
        bytes = 0;
      }
    }
  }
  if (start < leftKeys.length && pairs > 0) close(leftKeys.length);
  return plan;
}
