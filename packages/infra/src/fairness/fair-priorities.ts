import { withDeadline } from '../concurrency/deadline';

/** How old the last look at the queue is at most when a number is given, unless nothing was numbered meanwhile. */
const lookEveryMs = 1_000;
/** What was numbered longer ago than this, with nothing since, may all be done. */
const forgetMs = 10_000;
/** Whoever has a number to give waits no longer than this for the look. */
const patienceMs = 200;

interface OwnerPriority {
  /** Where the next of the tenant begins. */
  end: number;
  /** When it was last lengthened. */
  atMs: number;
}

/**
 * Numbers queue jobs by what they cost, each behind those of its tenant and none before the front of the queue, which a number
 * is the priority of. So tenants share what is served, however much each has waiting; who has nothing there begins at the front;
 * and since the front moves on, nobody stays behind those who come later.
 */
export class FairPriorities {
  private readonly lanes = new Map<string, OwnerPriority>();
  private front = 1;
  private lookedMs = -Infinity;
  private looking: Promise<void> | undefined;

  /** @param look the number that is served next, if any waits */
  constructor(private readonly look: () => Promise<number | undefined>) {}

  /** Resolves when the front is known, as far as the queue answers soon: to be awaited before numbers are given. */
  async ready(nowMs = performance.now()): Promise<void> {
    if (nowMs - this.lookedMs >= lookEveryMs) this.looking ??= this.update(nowMs);
    // Who looks tells of a queue that does not answer; until it does, the numbers go on from where they are.
    if (this.looking)
      await withDeadline(this.looking, patienceMs, 'the queue did not say what is served').catch(() => undefined);
  }

  /**
   * @param cost from 0, in the unit of the numbers
   * @param least below which the number may not be
   * @returns from 1
   */
  next(tenantId: string, cost: number, least = 1, nowMs = performance.now()): number {
    const start = Math.max(this.front, least, this.lanes.get(tenantId)?.end ?? 0);
    this.lanes.set(tenantId, { end: start + cost, atMs: nowMs });
    return Math.floor(start);
  }

  private async update(nowMs: number): Promise<void> {
    if (nowMs - this.lookedMs > forgetMs) this.forget(nowMs);
    this.lookedMs = nowMs;
    try {
      const front = await this.look();
      if (front === undefined) this.forget(nowMs);
      else this.moveTo(front);
    } finally {
      this.looking = undefined;
    }
  }

  /** All that was numbered before is done. */
  private forget(beforeMs: number): void {
    this.front = 1;
    for (const [tenantId, { atMs }] of this.lanes) if (atMs < beforeMs) this.lanes.delete(tenantId);
  }

  private moveTo(front: number): void {
    this.front = front;
    for (const [tenantId, { end }] of this.lanes) if (end <= front) this.lanes.delete(tenantId);
  }
}
