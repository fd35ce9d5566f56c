/** Limits by which a job is cut into pieces. They decide on memory and speed, never on results. */
export interface JobLimits {
  /** Max bytes of values that planning collects before it sorts and stages them. */
  runBytes: number;
  /** Max rows of a side whose column buffers are kept for the next plan. */
  spareRows: number;
  /** Time that filters of one record may take in a plan: a base, and an addition for each record. */
  filtersMs: number;
  filterRecordMs: number;
  /** A staged block ends at the first of these two. */
  blockRows: number;
  blockBytes: number;
  /** Max work of one batch, as the plan estimates it. */
  batchMs: number;
  /** Time of comparing after which the rest of a batch is estimated. More than `longBatches * batchMs` is cut. */
  paceMs: number;
  longBatches: number;
  /**
   * A batch's share of the left side, and a chunk of the right side, ends at the first of two limits. Bytes are those
   * of `valueWeight`.
   */
  leftRows: number;
  leftBytes: number;
  chunkRows: number;
  chunkBytes: number;
  /** Max bytes of values that expressions make of the rows of a side. Beyond it a batch is cut and a chunk is split. */
  madeBytes: number;
  /** Kept pairs that a batch collects and sorts before it writes them. */
  keptPairs: number;
  /** Records whose composition facts make a staged block. */
  factRows: number;
  /** Targets of a batch that composes groups; more where there would be more than `groupBatches` batches. */
  groupTargets: number;
  groupBatches: number;
  /**
   * A job with at most this number of pairs, and of left rows and targets, is worked as a whole by the queue job of its
   * plan, which keeps a small snapshot in memory.
   */
  smallJobPairs: number;
}

export const defaultLimits: JobLimits = {
  runBytes: 8 << 20,
  spareRows: 1 << 17,
  filtersMs: 5_000,
  filterRecordMs: 0.25,
  blockRows: 1_024,
  blockBytes: 128 << 10,
  batchMs: 1_000,
  paceMs: 250,
  longBatches: 4,
  leftRows: 150_000,
  leftBytes: 24 << 20,
  chunkRows: 100_000,
  chunkBytes: 16 << 20,
  madeBytes: 48 << 20,
  keptPairs: 100_000,
  factRows: 16_384,
  groupTargets: 500,
  groupBatches: 500,
  smallJobPairs: -1,
};

/** Max errors that a job keeps in full; all are counted. */
export const keptErrors = 20;
