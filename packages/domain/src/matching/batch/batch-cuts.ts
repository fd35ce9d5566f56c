import type { BlockingRule, SortedKeys } from '@tieout/engine';
import { sortedOrder } from '../stage/order';

/** The left upper bound is the last row of the slice, inclusive like all the others. */
export interface BatchBounds {
  left: { from: Key; to: Key };
  right: { bucketFrom: number; bucketTo: number; dayFrom: number | null; dayTo: number | null };
}

/** A row's place in the order of the left side: (bucket, day, seq). */
export type Key = readonly [bucket: number, day: number, seq: number];

export interface PlannedBatch {
  bounds: BatchBounds;
  leftRows: number;
  pairs: number;
}

/** What a batch may cost. A single left row is never split. */
export interface BatchCosts {
  pairNs: number;
  /** A right row is read, parsed and taken in. A left one is so too, and as a rule one of its pairs is written. */
  leftRowNs: number;
  rightRowNs: number;
  batchMs: number;
  leftRows: number;
  leftBytes: number;
  /** Processes that could work at the same time. */
  cores: number;
}

/** By left row in key order. */
export interface LeftWork {
  pairs: Float64Array;
  weight: Int32Array;
}

/** Below this the work is not worth a second batch. */
const singleBatchMs = 500;
/** So many batches for each core, so that no core is idle for long while another one ends its last. */
const batchesPerCore = 2;
/** A little more than an even share: rows that two batches read count twice, and what is left over would be a batch of its own. */
const shareSlack = 1.05;
const nsPerMs = 1e6;

/** Cuts the left side into slices of similar cost; rows without candidates belong to none where that is possible. */
export function cutBatches(
  rule: BlockingRule,
  lefts: SortedKeys,
  seqs: Uint32Array,
  work: LeftWork,
  rights: SortedKeys,
  costs: BatchCosts,
): PlannedBatch[] {
  const limitNs = batchNs(lefts, work, rights, costs);
  const halo = haloRows(rule, lefts, rights);
  const batches: PlannedBatch[] = [];
  const keyOf = (i: number): Key => [lefts.bucket[i] as number, lefts.day[i] as number, seqs[i] as number];
  for (let start = firstWithPairs(work, 0); start < lefts.length;) {
    let pairs = 0;
    let weight = 0;
    let past = start;
    let end = start;
    while (past < lefts.length) {
      pairs += work.pairs[past] as number;
      weight += work.weight[past] as number;
      if ((work.pairs[past] as number) > 0) end = past + 1;
      past++;
      const workNs = pairs * costs.pairNs + (past - start) * costs.leftRowNs + halo(start, past - 1) * costs.rightRowNs;
      if (workNs >= limitNs || past - start >= costs.leftRows || weight >= costs.leftBytes) break;
    }
    batches.push({ bounds: boundsOf(rule, keyOf(start), keyOf(end - 1)), leftRows: end - start, pairs });
    start = firstWithPairs(work, past);
  }
  return batches;
}

/** Into how many batches one is cut, and what they have about as much of each. */
export interface Cut {
  pieces: number;
  by: 'pairs' | 'rows';
}

/** Cuts the left rows of one batch, which are in the order of (bucket, day), into as many as wanted, two at least. Rows of a piece without candidates belong to none. */
export function cutAgain(
  rule: BlockingRule,
  lefts: SortedKeys,
  seqs: Uint32Array,
  pairs: Float64Array,
  { pieces, by }: Cut,
): PlannedBatch[] {
  const order = sortedOrder(lefts.length, [lefts.bucket, lefts.day, seqs]);
  const keyOf = (row: number): Key => [lefts.bucket[row] as number, lefts.day[row] as number, seqs[row] as number];
  const total = by === 'rows' ? lefts.length : pairs.reduce((sum, own) => sum + own, 0);
  const share = total / Math.max(pieces, 2);
  const batches: PlannedBatch[] = [];
  let start = 0;
  let own = 0;
  order.forEach((row, i) => {
    own += pairs[row] as number;
    const isFull = (by === 'rows' ? i + 1 - start : own) >= share || (start === 0 && i === order.length - 2);
    if (!isFull && i < order.length - 1) return;
    if (own > 0)
      batches.push({
        bounds: boundsOf(rule, keyOf(order[start] as number), keyOf(row)),
        leftRows: i + 1 - start,
        pairs: own,
      });
    start = i + 1;
    own = 0;
  });
  return batches;
}

function firstWithPairs(work: LeftWork, from: number): number {
  let i = from;
  while (i < work.pairs.length && work.pairs[i] === 0) i++;
  return i;
}

/** The work of a batch: all of it where there is little, a share that keeps every core busy where there is more. */
function batchNs(lefts: SortedKeys, work: LeftWork, rights: SortedKeys, costs: BatchCosts): number {
  let pairs = 0;
  for (let i = 0; i < work.pairs.length; i++) pairs += work.pairs[i] as number;
  const totalNs = pairs * costs.pairNs + lefts.length * costs.leftRowNs + rights.length * costs.rightRowNs;
  if (totalNs <= singleBatchMs * nsPerMs) return Infinity;
  return Math.min(costs.batchMs * nsPerMs, (totalNs * shareSlack) / (batchesPerCore * costs.cores));
}

/** How many right rows a slice has to read: those of its window of buckets, and of days where that is bounded too. */
function haloRows(rule: BlockingRule, lefts: SortedKeys, rights: SortedKeys): (first: number, last: number) => number {
  let slice = { first: -1, last: -1, from: 0, to: 0, rows: 0 };
  return (first, last) => {
    const bucket = lefts.bucket[last] as number;
    const day = lefts.day[last] as number;
    const sameBucket = slice.first === first && lefts.bucket[slice.last] === bucket;
    // Slices grow row by row, and many rows have the key of the one before.
    if (sameBucket && lefts.day[slice.last] === day) return slice.rows;
    const bounds = boundsOf(
      rule,
      [lefts.bucket[first] as number, lefts.day[first] as number, 0],
      [bucket, day, 0],
    ).right;
    const from = slice.first === first ? slice.from : firstAt(rights, bounds.bucketFrom, -Infinity);
    const to = sameBucket ? slice.to : firstAt(rights, bounds.bucketTo, Infinity);
    const { dayFrom, dayTo } = bounds;
    const rows = dayFrom === null || dayTo === null ? to - from : rowsOfDays(rights, from, to, dayFrom, dayTo);
    slice = { first, last, from, to, rows };
    return rows;
  };
}

function rowsOfDays(rights: SortedKeys, from: number, to: number, dayFrom: number, dayTo: number): number {
  let rows = 0;
  for (let at = from; at < to;) {
    const bucket = rights.bucket[at] as number;
    rows += firstAt(rights, bucket, dayTo + 1) - firstAt(rights, bucket, dayFrom);
    at = firstAt(rights, bucket, Infinity);
  }
  return rows;
}

/** The index of the first row at this key or behind it. */
function firstAt(keys: SortedKeys, bucket: number, day: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = keys.bucket[middle] as number;
    if (other < bucket || (other === bucket && (keys.day[middle] as number) < day)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function boundsOf(rule: BlockingRule, from: Key, to: Key): BatchBounds {
  // Inside one bucket the days bound the window too; across buckets every day may occur.
  const oneBucket = from[0] === to[0];
  return {
    left: { from, to },
    right: {
      bucketFrom: from[0] - rule.bucketWindow,
      bucketTo: to[0] + rule.bucketWindow,
      dayFrom: oneBucket && rule.blocksOnDay ? from[1] - rule.dayWindow : null,
      dayTo: oneBucket && rule.blocksOnDay ? to[1] + rule.dayWindow : null,
    },
  };
}
