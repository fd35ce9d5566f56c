/** What was enqueued longer ago hardly counts: how fast it is worked off is not known here. */
const forgottenAfterMs = 10_000;
/** A job of one record takes as long as so much of a whole chunk, since most of its time is no work on records. */
const leastPart = 0.05;
/** Decayed to next to nothing. */
const idleMs = 10 * forgottenAfterMs;

interface Lane {
  /** Of what was enqueued, in chunks. */
  length: number;
  atMs: number;
}

/** Numbers what a process enqueues, by tenant: each job stands behind what its tenant has enqueued in the last seconds. */
export class Lanes {
  /** The ones used last at the end. */
  private readonly lanes = new Map<string, Lane>();

  /** @param chunkSize records of a whole chunk */
  constructor(private readonly chunkSize: number) {}

  /** The number of a job with so many records, from 1. */
  next(tenantId: string, records: number, nowMs = performance.now()): number {
    const { length, atMs } = this.lanes.get(tenantId) ?? { length: 0, atMs: nowMs };
    const left = length * Math.exp((atMs - nowMs) / forgottenAfterMs);
    this.lanes.delete(tenantId);
    this.lanes.set(tenantId, { length: left + Math.max(records / this.chunkSize, leastPart), atMs: nowMs });
    this.forgetIdle(nowMs);
    return 1 + Math.round(left);
  }

  private forgetIdle(nowMs: number): void {
    for (const [tenantId, { atMs }] of this.lanes) {
      if (atMs > nowMs - idleMs) return;
      this.lanes.delete(tenantId);
    }
  }
}
