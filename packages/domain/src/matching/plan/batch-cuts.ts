import { type BlockingRule, type SortedKeys, sortedOrder } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import type { GroupBounds } from '../composition/group-batch';

/** The key ranges of a batch. All bounds are inclusive; `left.to` is the last row of the slice. */
export interface BatchBounds {
  left: { from: LeftKey; to: LeftKey };
  right: RightBounds;
  /** The left places, first and last, whose lists hold the pairs; absent where windows decide. */
  lists?: readonly [from: number, to: number];
}

/** The keys of the right rows of a batch. `buckets` are the ranges that hold the rows of listed pairs. */
export interface RightBounds {
  bucketFrom: number;
  bucketTo: number;
  dayFrom: number | null;
  dayTo: number | null;
  buckets?: readonly BucketRange[];
}

export type BucketRange = readonly [from: number, to: number];

/** The sort key of a left row. */
export type LeftKey = readonly [bucket: number, day: number, seq: number];

export interface PlannedBatch {
  bounds: BatchBounds;
  leftRows: number;
  pairs: number;
}

/** Estimated costs of pairs and rows, and limits of a batch. A single left row is never split. */
export interface BatchCosts {
  pairNs: number;
  /** A right row is read and parsed. A left row is too, and usually one of its pairs is written. */
  leftRowNs: number;
  rightRowNs: number;
  batchMs: number;
  leftRows: number;
  leftBytes: number;
  /** Processes that can work at the same time. */
  cores: number;
}

/** Pairs and weight of each left row, in key order. */
export interface LeftWork {
  pairs: Float64Array;
  weight: Int32Array;
}

/** Max work that is not cut into several batches. */
export const singleBatchMs = 500;
/** Batches for each core, so that no core is idle for long while another one ends its last batch. */
export const batchesPerCore = 2;
/** Slack over an even share: rows that two batches read count twice, and a remainder would become one more batch. */
const shareSlack = 1.05;
const nsPerMs = 1e6;

/** The left rows to be cut. */
interface CutInput {
  rule: BlockingRule;
  lefts: SortedKeys;
  seqs: Uint32Array;
  /** The bounds of the whole batch where its pairs are listed; else they follow from the rule. */
  listed?: Pick<BatchBounds, 'right' | 'lists'> | undefined;
}

/** Cuts the left side into slices of similar cost. Rows without candidates between slices belong to none. */
export function cutBatches(
  { rule, lefts, seqs }: CutInput,
  work: LeftWork,
  rights: SortedKeys,
  costs: BatchCosts,
): PlannedBatch[] {
  const limitNs = batchNs(lefts, work, rights, costs);
  const halo = haloRows(rule, lefts, rights);
  const batches: PlannedBatch[] = [];
  const keyOf = (i: number): LeftKey => [lefts.bucket[i] as number, lefts.day[i] as number, seqs[i] as number];
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

/** The number of pieces that a batch is cut into, and what each has about as much of. */
export interface Cut {
  pieces: number;
  by: 'pairs' | 'rows';
}

/**
 * Cuts the left rows of one batch into as many pieces as given, at least two. A piece without candidates is dropped.
 * @param pairs candidate pairs of each left row
 */
export function cutAgain(
  { rule, lefts, seqs, listed }: CutInput,
  pairs: Float64Array,
  { pieces, by }: Cut,
): PlannedBatch[] {
  const order = sortedOrder(lefts.length, [lefts.bucket, lefts.day, seqs]);
  const keyOf = (row: number): LeftKey => [lefts.bucket[row] as number, lefts.day[row] as number, seqs[row] as number];
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
        bounds: { ...listed, ...boundsOf(rule, keyOf(order[start] as number), keyOf(row), listed?.right) },
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

/** Returns the max work of a batch: unlimited for little work, otherwise a share that keeps every core busy. */
function batchNs(lefts: SortedKeys, work: LeftWork, rights: SortedKeys, costs: BatchCosts): number {
  let pairs = 0;
  for (let i = 0; i < work.pairs.length; i++) pairs += work.pairs[i] as number;
  const totalNs = pairs * costs.pairNs + lefts.length * costs.leftRowNs + rights.length * costs.rightRowNs;
  if (totalNs <= singleBatchMs * nsPerMs) return Infinity;
  return Math.min(costs.batchMs * nsPerMs, (totalNs * shareSlack) / (batchesPerCore * costs.cores));
}

/**
 * Returns a function that counts the right rows a slice reads: those in its window of buckets, and of days if bounded.
 */
function haloRows(rule: BlockingRule, lefts: SortedKeys, rights: SortedKeys): (first: number, last: number) => number {
  let slice = { first: -1, last: -1, from: 0, to: 0, rows: 0 };
  return (first, last) => {
    const bucket = lefts.bucket[last] as number;
    const day = lefts.day[last] as number;
    const sameBucket = slice.first === first && lefts.bucket[slice.last] === bucket;
    // Slices grow row by row, and many rows have the key of the row before.
    if (sameBucket && lefts.day[slice.last] === day) return slice.rows;
    const firstKey: LeftKey = [lefts.bucket[first] as number, lefts.day[first] as number, 0];
    const bounds = boundsOf(rule, firstKey, [bucket, day, 0]).right;
    const from = slice.first === first ? slice.from : firstAt(rights, bounds.bucketFrom, -Infinity);
    const to = sameBucket ? slice.to : firstAt(rights, bounds.bucketTo, Infinity);
    const { dayFrom, dayTo } = bounds;
    const rows = dayFrom === null || dayTo === null ? to - from : rowsOfDays(rights, { from, to, dayFrom, dayTo });
    slice = { first, last, from, to, rows };
    return rows;
  };
}

function rowsOfDays(
  rights: SortedKeys,
  { from, to, dayFrom, dayTo }: Record<'from' | 'to' | 'dayFrom' | 'dayTo', number>,
): number {
  let rows = 0;
  for (let at = from; at < to;) {
    const bucket = rights.bucket[at] as number;
    rows += firstAt(rights, bucket, dayTo + 1) - firstAt(rights, bucket, dayFrom);
    at = firstAt(rights, bucket, Infinity);
  }
  return rows;
}

/** Returns the index of the first row at this key or after it. */
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

function boundsOf(rule: BlockingRule, from: LeftKey, to: LeftKey, right?: RightBounds): BatchBounds {
  // Days bound the window inside one bucket only: across buckets every day may occur.
  const oneBucket = from[0] === to[0];
  return {
    left: { from, to },
    right: right ?? {
      bucketFrom: from[0] - rule.bucketWindow,
      bucketTo: to[0] + rule.bucketWindow,
      dayFrom: oneBucket && rule.blocksOnDay ? from[1] + rule.dayWindow.from : null,
      dayTo: oneBucket && rule.blocksOnDay ? to[1] + rule.dayWindow.to : null,
    },
  };
}

interface BatchRow {
  kind: 'pairs' | 'groups';
  bounds: BatchBounds | GroupBounds;
  rows: number;
  pairs: number;
}

export const pairsBatch = ({ bounds, leftRows, pairs }: PlannedBatch): BatchRow => ({
  kind: 'pairs',
  bounds,
  rows: leftRows,
  pairs,
});
export const groupsBatch = (bounds: GroupBounds): BatchRow => ({
  kind: 'groups',
  bounds,
  rows: bounds.to - bounds.from,
  pairs: 0,
});

/** Inserts batches, numbered from `firstNo` on. */
export async function insertBatches(
  writer: PoolClient,
  entry: { tenantId: string; jobId: string; entryId: string },
  batches: readonly BatchRow[],
  firstNo = 0,
): Promise<void> {
  await writer.query(
    `insert into job_batches (entry_id, batch_no, tenant_id, job_id, kind, bounds, left_rows, pairs)
     select $1, $8::int + b.no::int - 1, $2, $3, b.kind, b.bounds, b.left_rows, b.pairs
       from unnest($4::text[], $5::jsonb[], $6::int[], $7::bigint[])
            with ordinality as b(kind, bounds, left_rows, pairs, no)`,
    [
      entry.entryId,
      entry.tenantId,
      entry.jobId,
      batches.map((b) => b.kind),
      batches.map((b) => JSON.stringify(b.bounds)),
      batches.map((b) => b.rows),
      batches.map((b) => b.pairs),
      firstNo,
    ],
  );
}
