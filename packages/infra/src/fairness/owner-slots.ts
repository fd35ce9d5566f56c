/** What goes back comes back one after the other, about as fast as the slots of its owner are given back: by how long one in hand has taken so far. */
export const mostTurnMs = 100;
/** And so much later at least. */
const leastTurnMs = 25;

interface Turn {
  taken: number;
  /** When the latest was taken. */
  sinceMs: number;
  /** When the last one that waits comes back. */
  backMs: number;
}

/** So many at a time for each owner. What waits comes back one after the other: all at once they would keep a slot busy with sending them away. */
export class OwnerSlots {
  private readonly owners = new Map<string, Turn>();

  constructor(private readonly size: number) {}

  isFull(owner: string): boolean {
    return (this.owners.get(owner)?.taken ?? 0) >= this.size;
  }

  /** Looks and takes in one: what was free a moment ago need not be. */
  acquire(owner: string): number {
    if (this.isFull(owner)) return this.waitMs(owner);
    const { taken = 0, backMs = 0 } = this.owners.get(owner) ?? {};
    this.owners.set(owner, { taken: taken + 1, sinceMs: performance.now(), backMs });
    return 0;
  }

  waitMs(owner: string): number {
    const nowMs = performance.now();
    const turn = this.owners.get(owner);
    if (!turn) return 0;
    const turnMs = Math.min(Math.max(nowMs - turn.sinceMs, leastTurnMs), mostTurnMs);
    turn.backMs = Math.max(turn.backMs, nowMs) + turnMs;
    return Math.ceil(turn.backMs - nowMs);
  }

  release(owner: string): void {
    const turn = this.owners.get(owner);
    if (!turn) return;
    turn.taken--;
    // As long as some are to come back, the next that waits comes behind them.
    if (turn.taken === 0 && turn.backMs <= performance.now()) this.owners.delete(owner);
  }
}
