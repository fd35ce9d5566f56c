import { withDeadline } from '../concurrency/timeouts';

/** The maximum age of the known queue head when a priority is given. */
const checkEveryMs = 1_000;
/** After this time without a new priority, all jobs may be done. */
const forgetMs = 10_000;
/** The longest time that a caller waits for a check of the queue head. */
const maxWaitMs = 200;

interface OwnerPriority {
  /** The priority at which the owner's next job starts: its virtual time. */
  end: number;
  changedMs: number;
}

/**
 * Gives queue jobs virtual-time priorities by their cost: each follows the earlier jobs of its owner, and none precedes
 * the queue head. So owners share the service equally, however many jobs each has waiting. An owner without waiting
 * jobs starts at the head. The head advances, so no job is overtaken for ever.
 */
export class FairPriorities {
  private readonly owners = new Map<string, OwnerPriority>();
  private knownHead = 1;
  private checkedMs = -Infinity;
  private checking: Promise<void> | undefined;

  /** @param readHead reads the priority that is served next, if any job waits */
  constructor(private readonly readHead: () => Promise<number | undefined>) {}

  /** The priority that is served next, as far as this process knows; 1 while nothing waits. */
  get head(): number {
    return this.knownHead;
  }

  /** Resolves when the queue head is known or the queue is slow. Awaited before priorities are given. */
  async ready(nowMs = performance.now()): Promise<void> {
    if (nowMs - this.checkedMs >= checkEveryMs) this.checking ??= this.check(nowMs);
    // `readHead` reports a queue that does not answer; until it does, priorities continue from the known head.
    if (this.checking)
      await withDeadline(this.checking, maxWaitMs, 'the queue did not report its head').catch(() => undefined);
  }

  /**
   * @param cost from 0, in units of the priority
   * @returns from 1
   */
  next(owner: string, cost: number, nowMs = performance.now()): number {
    const start = Math.max(this.knownHead, this.owners.get(owner)?.end ?? 0);
    this.owners.set(owner, { end: start + cost, changedMs: nowMs });
    return Math.floor(start);
  }

  private async check(nowMs: number): Promise<void> {
    if (nowMs - this.checkedMs > forgetMs) this.forget(nowMs);
    this.checkedMs = nowMs;
    try {
      const head = await this.readHead();
      if (head === undefined) this.forget(nowMs);
      else this.advanceTo(head);
    } finally {
      this.checking = undefined;
    }
  }

  /** Starts again at 1: all jobs that got a priority before this time are done. */
  private forget(beforeMs: number): void {
    this.knownHead = 1;
    for (const [owner, { changedMs }] of this.owners) if (changedMs < beforeMs) this.owners.delete(owner);
  }

  private advanceTo(head: number): void {
    this.knownHead = head;
    for (const [owner, { end }] of this.owners) if (end <= head) this.owners.delete(owner);
  }
}
