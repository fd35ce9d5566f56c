import { type LeftCandidates, type ListedCandidates } from '@tieout/engine';
import type { RunningCheck } from '../jobs/context';
import type { SideColumns } from '../stage/columns';
import { ListBlock } from '../stage/list-block';
import type { StagePlan } from '../stage/stage-plan';
import { batchesPerCore, singleBatchMs, type BatchCosts, type BucketRange, type PlannedBatch } from './batch-cuts';
import type { CandidatePlan } from './candidates';

/** Units of a batch. Batches are whole units, because the whole work is known only at the end. */
const unitsPerBatch = 10;
/** Max ranges of buckets of a unit and of a batch. More rows than that lie apart would be read one by one. */
const unitRanges = 64;
const batchRanges = 200;
/** Max pairs of a batch that combines several units; a batch holds the lists of its pairs in memory. */
const batchPairs = 4_000_000;

/** Left rows that follow each other, from the first to the last one with candidates. */
interface Unit {
  from: number;
  past: number;
  pairs: number;
  weight: number;
  workNs: number;
  buckets: BucketRange[];
}

interface ListedPlanInput {
  candidates: ListedCandidates;
  left: SideColumns;
  right: SideColumns;
  stage: StagePlan;
  costs: BatchCosts;
  check: RunningCheck;
}

/** Stages the lists of all candidates and cuts the left side, in the order of the stage, into similar batches. */
export async function planListed(input: ListedPlanInput): Promise<CandidatePlan> {
  const { candidates, stage, check } = input;
  const units = new UnitCutter(input);
  const block = new ListBlock();
  for (const found of candidates.all()) {
    units.add(found);
    block.add(found);
    if (block.isFull) await block.flush(stage);
    const checking = check();
    if (checking) await checking;
  }
  await block.flush(stage);
  return { pairs: candidates.pairs, batches: mergeUnits(units.end(), input) };
}

class UnitCutter {
  private readonly units: Unit[] = [];
  private unit: Unit | null = null;
  /** The unit, counted from 1, that has a right row already. */
  private readonly readBy: Uint32Array;
  private buckets: number[] = [];

  constructor(private readonly input: ListedPlanInput) {
    this.readBy = new Uint32Array(input.right.length);
  }

  add({ place, seq, count, rights }: LeftCandidates): void {
    const { left, right, costs } = this.input;
    const unit = (this.unit ??= { from: place, past: place, pairs: 0, weight: 0, workNs: 0, buckets: [] });
    const mark = this.units.length + 1;
    for (let at = 0; at < count; at++) {
      const other = rights[at] as number;
      if (this.readBy[other] === mark) continue;
      this.readBy[other] = mark;
      unit.workNs += costs.rightRowNs;
      this.buckets.push(right.bucket[other] as number);
    }
    unit.past = place + 1;
    unit.pairs += count;
    unit.weight += left.weight[seq] as number;
    unit.workNs += costs.leftRowNs + count * costs.pairNs;
    const isFull = unit.weight >= costs.leftBytes || unit.past - unit.from >= costs.leftRows;
    if (isFull || unit.workNs >= (costs.batchMs * 1e6) / unitsPerBatch) this.cut();
  }

  end(): Unit[] {
    this.cut();
    return this.units;
  }

  private cut(): void {
    if (this.unit === null) return;
    const points = Float64Array.from(this.buckets).sort();
    this.unit.buckets = mergeRanges(
      Array.from(points, (bucket) => [bucket, bucket] as const),
      unitRanges,
    );
    this.units.push(this.unit);
    this.unit = null;
    this.buckets = [];
  }
}

/** Joins ranges in ascending order: overlapping ones, then those with the smallest gaps until `max` remain. */
export function mergeRanges(ranges: readonly BucketRange[], max: number): BucketRange[] {
  const joined: [number, number][] = [];
  for (const [from, to] of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  if (joined.length <= max) return joined;
  const gapBefore = (at: number): number =>
    (joined[at] as [number, number])[0] - (joined[at - 1] as [number, number])[1];
  const widest = Array.from({ length: joined.length - 1 }, (_, at) => at + 1)
    .sort((one, other) => gapBefore(other) - gapBefore(one))
    .slice(0, max - 1)
    .sort((one, other) => one - other);
  return [0, ...widest].map((first, at) => [
    (joined[first] as [number, number])[0],
    (joined[(widest[at] ?? joined.length) - 1] as [number, number])[1],
  ]);
}

/** Joins neighbouring units into batches: one for little work, otherwise shares that keep every core busy. */
function mergeUnits(units: readonly Unit[], { candidates, left, costs }: ListedPlanInput): PlannedBatch[] {
  const totalNs = units.reduce((sum, { workNs }) => sum + workNs, 0);
  const shareNs = Math.min(costs.batchMs * 1e6, totalNs / (batchesPerCore * costs.cores));
  const limitNs = totalNs <= singleBatchMs * 1e6 ? Infinity : shareNs;
  const groups: Unit[][] = [];
  let workNs = Infinity;
  let weight = 0;
  let pairs = 0;
  for (const unit of units) {
    const group = groups.at(-1);
    const rows = group === undefined ? 0 : unit.past - (group[0] as Unit).from;
    const isLarge = rows > costs.leftRows || weight + unit.weight > costs.leftBytes || pairs + unit.pairs > batchPairs;
    if (group === undefined || isLarge || workNs >= limitNs) {
      groups.push([unit]);
      [workNs, weight, pairs] = [0, 0, 0];
    } else group.push(unit);
    workNs += unit.workNs;
    weight += unit.weight;
    pairs += unit.pairs;
  }
  const keyAt = (place: number) => {
    const seq = candidates.order[place] as number;
    return [left.bucket[seq] as number, left.day[seq] as number, seq] as const;
  };
  return groups.map((group) => {
    const from = (group[0] as Unit).from;
    const past = (group.at(-1) as Unit).past;
    const buckets = mergeRanges(
      group.flatMap((unit) => unit.buckets).sort(([one], [other]) => one - other),
      batchRanges,
    );
    return {
      bounds: {
        left: { from: keyAt(from), to: keyAt(past - 1) },
        right: {
          bucketFrom: (buckets[0] as BucketRange)[0],
          bucketTo: (buckets.at(-1) as BucketRange)[1],
          dayFrom: null,
          dayTo: null,
          buckets,
        },
        lists: [from, past - 1] as const,
      },
      leftRows: past - from,
      pairs: group.reduce((sum, { pairs }) => sum + pairs, 0),
    };
  });
}
