/** The first batch is small: also a busy service answers it within a second. */
export const firstBatchSize = 25;

const minSize = 5;
const maxSize = 200;
const targetMs = 500;

/** Returns the size of the next batch, at most twice that of the last one, so that its answer takes half a second. */
export const nextBatchSize = (size: number, tookMs: number): number =>
  Math.max(minSize, Math.min(maxSize, size * 2, Math.floor((size * targetMs) / tookMs)));
