import type { JobLimits } from '../src/matching/jobs/limits';

/** Limits that nothing fits: several runs a side, blocks of some rows, slices, chunks and groups of a few pairs. */
export const tinyLimits: JobLimits = {
  filtersMs: Infinity,
  filterRecordMs: 0,
  runBytes: 900,
  spareRows: 5_000,
  blockRows: 3,
  blockBytes: 200,
  batchMs: 1,
  paceMs: Infinity,
  longBatches: 0,
  leftRows: 5,
  leftBytes: 400,
  chunkRows: 4,
  chunkBytes: 300,
  madeBytes: 64,
  keptPairs: 2,
  factRows: 2,
  groupTargets: 3,
  groupBatches: 6,
  smallJobPairs: -1,
};
