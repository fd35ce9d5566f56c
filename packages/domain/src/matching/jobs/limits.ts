/** How a job is cut into pieces. Results do not depend on it; memory and speed do. */
export interface JobLimits {
  /** Bytes of values that planning collects before it sorts and stages them. */
  runBytes: number;
  /** A plan leaves the memory for what it knows of the records of a side to the next one when there are no more than this. */
  spareRows: number;
  /** What filters of one record may take in a plan: so much, and so much more for each record. */
  filtersMs: number;
  filterRecordMs: number;
  /** A staged block ends at the first of these two. */
  blockRows: number;
  blockBytes: number;
  /** Work of one batch, as the plan estimates it. */
  batchMs: number;
  /** After so long its pace tells how long a batch takes; one that has more left than so many of `batchMs` is cut again. */
  paceMs: number;
  longBatches: number;
  /** What a batch holds of the left side, and at a time of the right side, ends at the first of these two. Bytes are those of `valueWeight`. */
  leftRows: number;
  leftBytes: number;
  chunkRows: number;
  chunkBytes: number;
  /** What a batch holds at a time of what expressions make of the rows of a side: beyond it a batch is cut, and a chunk is compared in parts. */
  madeBytes: number;
  /** Kept pairs that a batch collects, to sort them, before it writes them. */
  keptPairs: number;
  /** Records whose composition facts make a staged block. */
  factRows: number;
  /** Targets of a batch that composes groups; more where there would be too many batches. */
  groupTargets: number;
  groupBatches: number;
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
};

/** How many errors a job keeps in full; all are counted. */
export const keptErrors = 20;
