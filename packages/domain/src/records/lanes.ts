import { createRecentUse } from '@tieout/infra';

/** Of what was enqueued ten seconds ago a little more than a third counts: how fast it is worked off is not known here. */
const halfLifeMs = 10_000 * Math.LN2;
/** A job of one record takes as long as so much of a whole chunk, since most of its time is no work on records. */
const leastPart = 0.05;

/** Numbers what a process enqueues, by tenant: each job stands behind what its tenant has enqueued in the last seconds. */
export class Lanes {
  /** In chunks. */
  private readonly enqueued = createRecentUse(halfLifeMs);

  /** @param chunkSize records of a whole chunk */
  constructor(private readonly chunkSize: number) {}

  /** The number of a job with so many records, from 1. */
  next(tenantId: string, records: number, nowMs = performance.now()): number {
    const ahead = this.enqueued.of(tenantId, nowMs);
    this.enqueued.add(tenantId, Math.max(records / this.chunkSize, leastPart), nowMs);
    return 1 + Math.round(ahead);
  }
}
