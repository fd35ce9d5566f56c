export interface CoalescerOptions<T, R> {
  /** Does the work of all items of a group and returns their results in the same order. */
  run(key: string, items: readonly T[]): Promise<readonly R[]>;
  /** True for a failure that affects all items alike. After any other failure each item is tried separately. */
  isSharedFailure(error: unknown): boolean;
  weigh(item: T): number;
  maxItems: number;
  maxWeight: number;
  /** A group that takes longer no longer delays the next one. */
  slowAfterMs: number;
  /** Limits the groups of one key that run at a time, slow ones included. */
  maxConcurrent: number;
}

/** Resolves with the item's own result, or rejects with its own failure. */
type Coalesce<T, R> = (key: string, item: T) => Promise<R>;

interface PendingItem<T, R> {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * Coalesces items that arrive one by one: those that arrive while a group runs form the next group. A single item runs
 * at once; the higher the load, the larger the groups, like the group commit of databases.
 */
export function createCoalescer<T, R>(options: CoalescerOptions<T, R>): Coalesce<T, R> {
  const groups = new Map<string, KeyGroups<T, R>>();
  return (key, item) =>
    new Promise((resolve, reject) => {
      let own = groups.get(key);
      if (!own) groups.set(key, (own = new KeyGroups(key, options, () => groups.delete(key))));
      own.add({ item, resolve, reject });
    });
}

/** The groups of one key. */
class KeyGroups<T, R> {
  private waiting: PendingItem<T, R>[] = [];
  private running = 0;
  private slow = 0;
  private isScheduled = false;

  constructor(
    private readonly key: string,
    private readonly options: CoalescerOptions<T, R>,
    private readonly onIdle: () => void,
  ) {}

  add(item: PendingItem<T, R>): void {
    this.waiting.push(item);
    if (this.isScheduled || this.isBusy()) return;
    this.isScheduled = true;
    // Items that arrive in one turn of the event loop belong to one group.
    setImmediate(() => {
      this.isScheduled = false;
      this.runNext();
    });
  }

  private isBusy(): boolean {
    return this.running > this.slow || this.running >= this.options.maxConcurrent;
  }

  private runNext(): void {
    if (this.waiting.length > 0 && !this.isBusy()) void this.run(this.take());
    else if (this.waiting.length === 0 && this.running === 0) this.onIdle();
  }

  private take(): PendingItem<T, R>[] {
    const { maxItems, maxWeight, weigh } = this.options;
    let count = 0;
    for (let weight = 0; count < this.waiting.length && count < maxItems; count++) {
      weight += weigh((this.waiting[count] as PendingItem<T, R>).item);
      if (count > 0 && weight > maxWeight) break;
    }
    return this.waiting.splice(0, count);
  }

  private async run(group: readonly PendingItem<T, R>[]): Promise<void> {
    this.running++;
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.slow++;
      this.runNext();
    }, this.options.slowAfterMs);
    await this.settle(group);
    clearTimeout(timer);
    this.running--;
    if (isSlow) this.slow--;
    this.runNext();
  }

  private async settle(group: readonly PendingItem<T, R>[]): Promise<void> {
    const items = group.map(({ item }) => item);
    try {
      const results = await this.options.run(this.key, items);
      group.forEach(({ resolve }, i) => resolve(results[i] as R));
    } catch (error) {
      if (group.length > 1 && !this.options.isSharedFailure(error)) for (const one of group) await this.settle([one]);
      else for (const { reject } of group) reject(error);
    }
  }
}
