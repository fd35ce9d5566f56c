/** Time that an owner has used is halved in this time. */
const halfLifeMs = 30_000;
/** Owners whose used time is remembered; when there are more, all of it is forgotten. */
const maxOwners = 10_000;

type Owner = string | undefined;

/**
 * Chooses which waiting item runs next, each of which belongs to an owner: that of the owner with the fewest running
 * items, then of the owner that has used the least time lately. Items of one owner run in the order in which they came.
 */
export class FairQueue<T> {
  private readonly items: T[] = [];
  private readonly running = new Map<Owner, number>();
  private readonly used = new Map<Owner, { ms: number; atMs: number }>();

  constructor(
    private readonly ownerOf: (item: T) => Owner,
    private readonly maxRunningPerOwner: number,
  ) {}

  get size(): number {
    return this.items.length;
  }

  /** Counts the waiting items of the owner of this one. */
  countWaiting(item: T): number {
    return this.items.filter((other) => this.ownerOf(other) === this.ownerOf(item)).length;
  }

  push(item: T): void {
    this.items.push(item);
  }

  /** Takes the next item, which counts as running until it is released. */
  take(): T | undefined {
    let chosen: number | undefined;
    for (const [i, item] of this.items.entries()) {
      if (this.runningOf(item) >= this.maxRunningPerOwner) continue;
      if (chosen === undefined || this.goesBefore(item, this.items[chosen] as T)) chosen = i;
    }
    if (chosen === undefined) return undefined;
    const [item] = this.items.splice(chosen, 1) as [T];
    this.running.set(this.ownerOf(item), this.runningOf(item) + 1);
    return item;
  }

  release(item: T, usedMs: number): void {
    const owner = this.ownerOf(item);
    const running = this.runningOf(item) - 1;
    if (running === 0) this.running.delete(owner);
    else this.running.set(owner, running);
    if (this.used.size >= maxOwners) this.used.clear();
    this.used.set(owner, { ms: this.usedMsOf(item) + usedMs, atMs: performance.now() });
  }

  /** Removes and returns all waiting items. */
  drain(): T[] {
    return this.items.splice(0);
  }

  private goesBefore(item: T, other: T): boolean {
    const difference = this.runningOf(item) - this.runningOf(other);
    return difference < 0 || (difference === 0 && this.usedMsOf(item) < this.usedMsOf(other));
  }

  private runningOf(item: T): number {
    return this.running.get(this.ownerOf(item)) ?? 0;
  }

  private usedMsOf(item: T): number {
    const used = this.used.get(this.ownerOf(item));
    return used === undefined ? 0 : used.ms * 0.5 ** ((performance.now() - used.atMs) / halfLifeMs);
  }
}
