import { AppError } from '@tieout/infra';

export interface FairSemaphoreOptions {
  /** Permits that all running tasks may hold together. */
  capacity: number;
  /** Permits that the running tasks of one owner may hold together. Default: the capacity. */
  maxPerOwner?: number;
  /** Tasks of one owner that may wait; further ones are refused. Default: no limit. */
  maxWaiting?: number;
  /** A task that has waited for this long preempts tasks that have run for at least as long. Default: never. */
  maxWaitMs?: number;
}

/** Limits the running tasks of one kind, of all owners together. Tasks that wait for it block no other kind. */
interface SharedLimit {
  name: string;
  capacity: number;
}

/** The permits of a running task. The task sets `preempt` while it can be stopped early. */
export interface Permit {
  preempt?: (() => void) | undefined;
}

interface WaitingTask {
  owner: string;
  permits: number;
  limit: SharedLimit | undefined;
  sinceMs: number;
  start: () => void;
}

interface PreemptibleTask extends Permit {
  owner: string;
  permits: number;
  sinceMs: number;
}

/** Max requests of one owner that may wait for permits, where their number is limited. */
export const maxWaitingRequests = 1_000;

const checksPerMaxWait = 10;

/**
 * A weighted semaphore that serves its owners round robin, and the tasks of one owner in their order of arrival.
 * A task that fits starts before `run` returns.
 */
export class FairSemaphore {
  private readonly capacity: number;
  private readonly maxPerOwner: number;
  private readonly maxWaiting: number;
  private readonly maxWaitMs: number;
  /** One queue for each pair of owner and shared limit. An owner that is served moves to the end. */
  private readonly queues = new Map<string, WaitingTask[]>();
  private readonly heldBy = new Map<string, number>();
  private readonly runningWithin = new Map<SharedLimit, number>();
  /** Running tasks in their order of start; kept only where tasks may be preempted. */
  private readonly preemptible = new Set<PreemptibleTask>();
  private held = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: FairSemaphoreOptions) {
    this.capacity = options.capacity;
    this.maxPerOwner = Math.min(options.maxPerOwner ?? Infinity, options.capacity);
    this.maxWaiting = options.maxWaiting ?? Infinity;
    this.maxWaitMs = options.maxWaitMs ?? Infinity;
  }

  /**
   * Runs a task while it holds permits. A task that needs more permits than its owner may hold takes all of those.
   * @throws AppError rate_limited when too many tasks of the owner wait already
   */
  async run<T>(
    owner: string,
    neededPermits: number,
    task: (permit: Permit | undefined) => Promise<T>,
    limit?: SharedLimit,
  ): Promise<T> {
    const permits = Math.min(neededPermits, this.maxPerOwner);
    const started = this.acquire(owner, permits, limit);
    if (started) await started;
    try {
      return await (this.maxWaitMs === Infinity ? task(undefined) : this.runPreemptible(owner, permits, task));
    } finally {
      this.count(owner, -permits, limit);
      this.startNext();
    }
  }

  /** Takes the permits. Returns a promise if the task has to wait for them. */
  private acquire(owner: string, permits: number, limit: SharedLimit | undefined): Promise<void> | undefined {
    if (this.queues.size === 0 && this.fitsOwner(owner, permits, limit) && this.held + permits <= this.capacity) {
      this.count(owner, permits, limit);
      return undefined;
    }
    const key = limit ? `${owner}/${limit.name}` : owner;
    const queue = this.queues.get(key) ?? [];
    if (queue.length >= this.maxWaiting) {
      throw new AppError('rate_limited', 'Too many requests wait already: send fewer at a time', {
        retryAfterSeconds: 1,
      });
    }
    const task: WaitingTask = {
      owner,
      permits,
      limit,
      sinceMs: performance.now(),
      start: () => undefined,
    };
    const started = new Promise<void>((resolve) => (task.start = resolve));
    queue.push(task);
    this.queues.set(key, queue);
    this.startNext();
    if (queue.at(-1) !== task) return undefined;
    this.scheduleCheck();
    return started;
  }

  private count(owner: string, permits: number, limit: SharedLimit | undefined): void {
    if (limit) this.runningWithin.set(limit, (this.runningWithin.get(limit) ?? 0) + Math.sign(permits));
    this.held += permits;
    const own = (this.heldBy.get(owner) ?? 0) + permits;
    if (own === 0) this.heldBy.delete(owner);
    else this.heldBy.set(owner, own);
  }

  /** Returns whether the limits other than the capacity allow a task to start. */
  private fitsOwner(owner: string, permits: number, limit?: SharedLimit): boolean {
    if (limit && (this.runningWithin.get(limit) ?? 0) >= limit.capacity) return false;
    return (this.heldBy.get(owner) ?? 0) + permits <= this.maxPerOwner;
  }

  private startNext(): void {
    for (let key = this.nextQueue(); key !== undefined; key = this.nextQueue()) {
      const queue = this.queues.get(key) as WaitingTask[];
      const { owner, permits, limit, start } = queue.shift() as WaitingTask;
      this.queues.delete(key);
      if (queue.length > 0) this.queues.set(key, queue);
      this.count(owner, permits, limit);
      start();
    }
  }

  /** Returns the first queue whose head can start. No lighter task overtakes a head that waits for capacity. */
  private nextQueue(): string | undefined {
    for (const [key, [head]] of this.queues) {
      if (!head || !this.fitsOwner(head.owner, head.permits, head.limit)) continue;
      return this.held + head.permits <= this.capacity ? key : undefined;
    }
    return undefined;
  }

  private async runPreemptible<T>(owner: string, permits: number, task: (permit: Permit) => Promise<T>): Promise<T> {
    const permit: PreemptibleTask = { owner, permits, sinceMs: performance.now() };
    this.preemptible.add(permit);
    try {
      return await task(permit);
    } finally {
      this.preemptible.delete(permit);
    }
  }

  private scheduleCheck(): void {
    if (this.maxWaitMs === Infinity || this.timer !== undefined || this.queues.size === 0) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      for (const [head] of this.queues.values()) if (head && this.isOverdue(head)) this.preemptFor(head);
      this.scheduleCheck();
    }, this.maxWaitMs / checksPerMaxWait).unref();
  }

  /** Preempts the longest-running tasks, as many as hold the permits that the waiting task needs. */
  private preemptFor({ owner, permits }: WaitingTask): void {
    const ownerIsFull = !this.fitsOwner(owner, permits);
    let missing = ownerIsFull
      ? (this.heldBy.get(owner) ?? 0) + permits - this.maxPerOwner
      : this.held + permits - this.capacity;
    for (const task of this.preemptible) {
      if (missing <= 0) return;
      if (!task.preempt || !this.isOverdue(task) || (ownerIsFull && task.owner !== owner)) continue;
      missing -= task.permits;
      task.preempt();
    }
  }

  private isOverdue({ sinceMs }: { sinceMs: number }): boolean {
    return performance.now() - sinceMs >= this.maxWaitMs;
  }
}
