/** Keeps the latest value of each tenant for a time. */
export class RecentValues<T> {
  /** Values by key; the latest is at the end. */
  private readonly values = new Map<string, { value: T; setMs: number }>();

  constructor(private readonly keptMs: number) {}

  set(tenantId: string, value: T): void {
    const nowMs = performance.now();
    this.values.delete(tenantId);
    this.values.set(tenantId, { value, setMs: nowMs });
    for (const [first, { setMs }] of this.values) {
      if (setMs > nowMs - this.keptMs) break;
      this.values.delete(first);
    }
  }

  get(tenantId: string): T | undefined {
    const own = this.values.get(tenantId);
    return own && own.setMs > performance.now() - this.keptMs ? own.value : undefined;
  }

  /** True when another tenant has a value. */
  hasOthers(tenantId: string): boolean {
    const sinceMs = performance.now() - this.keptMs;
    return [...this.values].some(([other, { setMs }]) => other !== tenantId && setMs > sinceMs);
  }
}

/** The median of the latest jobs counts: a single job may have waited for a process to start, or for the database. */
const minJobs = 3;
const maxJobs = 5;

/** Estimates how many times as long as usual the jobs of each tenant take. */
export class SlowdownEstimates {
  /** The factors of the latest jobs of each tenant, the latest at the end. */
  private readonly latest: RecentValues<readonly number[]>;

  constructor(keptMs: number) {
    this.latest = new RecentValues(keptMs);
  }

  add(tenantId: string, factor: number): void {
    this.latest.set(tenantId, [...(this.latest.get(tenantId) ?? []), factor].slice(-maxJobs));
  }

  /** Gives the median factor of a tenant; 1 for a tenant with few jobs. */
  of(tenantId: string): number {
    const factors = [...(this.latest.get(tenantId) ?? [])].sort((a, b) => a - b);
    return factors.length < minJobs ? 1 : (factors[(factors.length - 1) >> 1] as number);
  }
}
