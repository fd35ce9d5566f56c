export interface CoalescerOptions<T, R> {
  /** Does the work of all items of a group and gives their results in their order. */
  run(key: string, items: readonly T[]): Promise<readonly R[]>;
  /** A failure that meets everybody alike; any other one may be a single item's, and each item is then tried alone. */
  isSharedFailure(error: unknown): boolean;
  weigh(item: T): number;
  maxItems: number;
  maxWeight: number;
  /** A group that takes longer no longer holds up the next one. */
  slowAfterMs: number;
  /** Groups of one key that may be under way at a time, slow ones included. */
  maxConcurrent: number;
}

/** Resolves with the item's own result, or rejects with its own failure. */
export type Coalesce<T, R> = (key: string, item: T) => Promise<R>;

interface Waiting<T, R> {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * Does work together that arrives one by one: what comes while a group is under way makes up the next one. Alone, an item is
 * worked on at once; the busier it gets, the larger the groups, as in the group commit of databases.
 */
export function createCoalescer<T, R>(options: CoalescerOptions<T, R>): Coalesce<T, R> {
  const lines = new Map<string, Line<T, R>>();
  return (key, item) =>
    new Promise((resolve, reject) => {
      let line = lines.get(key);
      if (!line) lines.set(key, (line = new Line(key, options, () => lines.delete(key))));
      line.add({ item, resolve, reject });
    });
}

class Line<T, R> {
  private waiting: Waiting<T, R>[] = [];
  private running = 0;
  private slow = 0;
  private scheduled = false;

  constructor(
    private readonly key: string,
    private readonly options: CoalescerOptions<T, R>,
    private readonly onIdle: () => void,
  ) {}

  add(waiting: Waiting<T, R>): void {
    this.waiting.push(waiting);
    if (this.scheduled || this.isBusy()) return;
    this.scheduled = true;
    // What arrives in the same turn of the event loop belongs to the same group.
    setImmediate(() => {
      this.scheduled = false;
      this.next();
    });
  }

  private isBusy(): boolean {
    return this.running > this.slow || this.running >= this.options.maxConcurrent;
  }

  private next(): void {
    if (this.waiting.length > 0 && !this.isBusy()) void this.work(this.take());
    else if (this.waiting.length === 0 && this.running === 0) this.onIdle();
  }

  private take(): Waiting<T, R>[] {
    const { maxItems, maxWeight, weigh } = this.options;
    let count = 0;
    for (let weight = 0; count < this.waiting.length && count < maxItems; count++) {
      weight += weigh((this.waiting[count] as Waiting<T, R>).item);
      if (count > 0 && weight > maxWeight) break;
    }
    return this.waiting.splice(0, count);
  }

  private async work(group: readonly Waiting<T, R>[]): Promise<void> {
    this.running++;
    let isSlow = false;
    const patience = setTimeout(() => {
      isSlow = true;
      this.slow++;
      this.next();
    }, this.options.slowAfterMs);
    await this.settle(group);
    clearTimeout(patience);
    this.running--;
    if (isSlow) this.slow--;
    this.next();
  }

  private async settle(group: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.options.run(
        this.key,
        group.map(({ item }) => item),
      );
      group.forEach(({ resolve }, i) => resolve(results[i] as R));
    } catch (error) {
      if (group.length > 1 && !this.options.isSharedFailure(error)) for (const one of group) await this.settle([one]);
      else for (const { reject } of group) reject(error);
    }
  }
}
