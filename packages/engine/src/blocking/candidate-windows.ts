import { lowerBound as firstIndex } from '../values/binary-search';
import type { BlockingRule, SortedKeys } from './blocking';

/**
 * Candidates of one left row at a time: the first `count` half-open index ranges [from[i], to[i]) of the right
 * side, disjoint and ascending. All rows in them are admitted, none outside is.
 */
export interface CandidateWindows {
  readonly count: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /**
   * Moves to the next left row. Rows are ordered by (bucket, day), so windows only slide forward. A whole side costs as
   * many steps as both sides have rows, for each bucket in the window. `units` is NaN without an amount.
   */
  seek(bucket: number, day: number, units: number): void;
  /** Takes one right row, such as the left one itself, out of the ranges until the next `seek`. */
  leaveOut(row: number): void;
}

/**
 * Creates the windows over `right`, which is sorted by (bucket, day), and within these by |units| where the rule
 * makes the admitted rows contiguous. `amountScale` is the scale of the units.
 */
export function candidateWindows(rule: BlockingRule, right: SortedKeys, amountScale: number): CandidateWindows {
  const windows = new SlidingWindows(rule, right);
  return new OtherRows(rule.exact ? new AdmittedRuns(rule, right, amountScale, windows) : windows);
}

/** Bound on linear steps before a search gallops. */
const maxLinearSteps = 8;

/** A growing list of ranges; a range that continues the last one extends it. */
class RangeList {
  count = 0;
  from = new Int32Array(16);
  to = new Int32Array(16);

  clear(): void {
    this.count = 0;
  }

  add(from: number, to: number): void {
    if (from >= to) return;
    if (this.count > 0 && this.to[this.count - 1] === from) {
      this.to[this.count - 1] = to;
      return;
    }
    if (this.count === this.from.length) {
      this.from = doubled(this.from);
      this.to = doubled(this.to);
    }
    this.from[this.count] = from;
    this.to[this.count] = to;
    this.count++;
  }
}

function doubled(values: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(values.length * 2);
  larger.set(values);
  return larger;
}

/** Windows of buckets and days, without the exact check. */
class SlidingWindows extends RangeList {
  private readonly groups: Groups;
  /** Window of days inside each group, for the current left bucket. */
  private readonly low: Int32Array;
  private readonly high: Int32Array;
  private firstGroup = 0;
  private pastGroup = 0;
  private bucket = NaN;
  private day = NaN;

  constructor(
    private readonly rule: BlockingRule,
    private readonly right: SortedKeys,
  ) {
    super();
    this.groups = groupStarts(right, (index) => right.bucket[index] !== right.bucket[index - 1]);
    this.low = new Int32Array(this.groups.count);
    this.high = new Int32Array(this.groups.count);
  }

  seek(bucket: number, day: number, _units?: number): void {
    if (bucket !== this.bucket) this.enterBucket(bucket);
    else if (day === this.day) return;
    this.day = day;
    this.clear();
    const { start } = this.groups;
    if (!this.rule.blocksOnDay) {
      this.add(startOf(start, this.firstGroup), startOf(start, this.pastGroup));
      return;
    }
    const { low, high } = this;
    const days = this.right.day;
    const from = day + this.rule.dayWindow.from;
    const past = day + this.rule.dayWindow.to + 1;
    for (let group = this.firstGroup; group < this.pastGroup; group++) {
      const end = start[group + 1] as number;
      const first = advance(days, from, low[group] as number, end);
      const last = advance(days, past, Math.max(first, high[group] as number), end);
      low[group] = first;
      high[group] = last;
      this.add(first, last);
    }
  }

  private enterBucket(bucket: number): void {
    const { count, start } = this.groups;
    const bucketAt = (group: number): number => this.right.bucket[startOf(start, group)] ?? Infinity;
    while (this.firstGroup < count && bucketAt(this.firstGroup) < bucket - this.rule.bucketWindow) this.firstGroup++;
    this.pastGroup = Math.max(this.pastGroup, this.firstGroup);
    while (this.pastGroup < count && bucketAt(this.pastGroup) <= bucket + this.rule.bucketWindow) this.pastGroup++;
    this.bucket = bucket;
    if (!this.rule.blocksOnDay) return;
    for (let group = this.firstGroup; group < this.pastGroup; group++) {
      this.low[group] = startOf(start, group);
      this.high[group] = startOf(start, group);
    }
  }
}

/** Rows of the windows that the exact check admits. */
class AdmittedRuns extends RangeList {
  /** Rows of one bucket and day. */
  private readonly cells: Groups;
  private units = 0;

  constructor(
    private readonly rule: BlockingRule,
    private readonly right: SortedKeys,
    private readonly amountScale: number,
    private readonly windows: SlidingWindows,
  ) {
    super();
    this.cells = groupStarts(
      right,
      (index) => right.day[index] !== right.day[index - 1] || right.bucket[index] !== right.bucket[index - 1],
    );
  }

  seek(bucket: number, day: number, units: number): void {
    const { windows, cells } = this;
    windows.seek(bucket, day);
    this.clear();
    this.units = units;
    if (Number.isNaN(units)) return;
    for (let window = 0; window < windows.count; window++) {
      const end = startOf(windows.to, window);
      // Windows begin and end where cells do.
      for (
        let cell = lowerBound(cells.start, startOf(windows.from, window), 0, cells.count);
        startOf(cells.start, cell) < end;
        cell++
      ) {
        const from = startOf(cells.start, cell);
        const to = startOf(cells.start, cell + 1);
        if (this.rule.contiguous) this.addRun(from, to);
        else for (let at = from; at < to; at++) if (this.admits(at)) this.add(at, at + 1);
      }
    }
  }

  private admits(index: number): boolean {
    return this.rule.admits(this.units, this.right.units[index] ?? NaN, this.amountScale);
  }

  /**
   * Adds the admitted run of a cell. In the order of magnitude, rows that are too small precede the admitted ones, and
   * rows that are too large follow them.
   */
  private addRun(from: number, to: number): void {
    const size = Math.abs(this.units);
    const magnitude = (index: number): number => Math.abs(this.right.units[index] ?? NaN);
    const first = partition(from, to, (index) => magnitude(index) < size && !this.admits(index));
    this.add(
      first,
      partition(first, to, (index) => magnitude(index) <= size || this.admits(index)),
    );
  }
}

/** The ranges of other windows, from which one row can be left out. */
class OtherRows implements CandidateWindows {
  private readonly rest = new RangeList();
  private ranges: RangeList;

  constructor(private readonly windows: SlidingWindows | AdmittedRuns) {
    this.ranges = windows;
  }

  get count(): number {
    return this.ranges.count;
  }

  get from(): Int32Array {
    return this.ranges.from;
  }

  get to(): Int32Array {
    return this.ranges.to;
  }

  seek(bucket: number, day: number, units: number): void {
    this.windows.seek(bucket, day, units);
    this.ranges = this.windows;
  }

  leaveOut(row: number): void {
    const { windows, rest } = this;
    rest.clear();
    for (let range = 0; range < windows.count; range++) {
      const [from, to] = [startOf(windows.from, range), startOf(windows.to, range)];
      rest.add(from, Math.max(from, Math.min(to, row)));
      rest.add(Math.min(to, Math.max(from, row + 1)), to);
    }
    this.ranges = rest;
  }
}

/** Returns the first index in [from, to) for which `before` fails; it holds for a prefix. The ends are tried first. */
function partition(from: number, to: number, before: (index: number) => boolean): number {
  if (from === to || !before(from)) return from;
  if (before(to - 1)) return to;
  return firstIndex(from + 1, to - 1, before);
}

/** Starts of groups of neighbouring rows; `start[count]` is the end. */
interface Groups {
  count: number;
  start: Int32Array;
}

function groupStarts(keys: SortedKeys, isNew: (index: number) => boolean): Groups {
  let count = keys.length === 0 ? 0 : 1;
  for (let index = 1; index < keys.length; index++) if (isNew(index)) count++;
  const start = new Int32Array(count + 1);
  let group = 1;
  for (let index = 1; index < keys.length; index++) if (isNew(index)) start[group++] = index;
  start[count] = keys.length;
  return { count, start };
}

function startOf(starts: Int32Array, group: number): number {
  return starts[group] ?? 0;
}

/**
 * Returns the first index in [from, to) whose value is >= `bound`. It is near as a rule; otherwise the search
 * gallops.
 */
function advance(sorted: Int32Array, bound: number, from: number, to: number): number {
  const near = Math.min(to, from + maxLinearSteps);
  let index = from;
  while (index < near && (sorted[index] as number) < bound) index++;
  return index < near || index === to ? index : gallop(sorted, bound, index, to);
}

function gallop(sorted: Int32Array, bound: number, from: number, to: number): number {
  let step = 1;
  let low = from;
  while (low < to && (sorted[low] as number) < bound) {
    const next = low + step;
    if (next >= to || (sorted[next] as number) >= bound) return lowerBound(sorted, bound, low + 1, Math.min(next, to));
    low = next;
    step *= 2;
  }
  return low;
}

/** Returns the first index in [from, to) whose value is >= `bound`; `to` when there is none. */
function lowerBound(sorted: Int32Array, bound: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
