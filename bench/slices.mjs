/** The number of rows a job holds at a time. */
const leftRows = 100_000;
const rightRows = 100_000;

/** The first index whose bucket is at least `bound`. */
function lowerBound(buckets, bound) {
  let low = 0;
  let high = buckets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (buckets[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Cuts two sorted sides as a job does: slices of the left side, each with the right rows of its buckets and their
 * neighbours in chunks. Every left row is in exactly one slice.
 */
export function* slices(left, right, { bucketWindow }) {
  for (let leftFrom = 0; leftFrom < left.length; leftFrom += leftRows) {
    const leftTo = Math.min(left.length, leftFrom + leftRows);
    const first = lowerBound(right.bucket, left.bucket[leftFrom] - bucketWindow);
    const past = lowerBound(right.bucket, left.bucket[leftTo - 1] + bucketWindow + 1);
    const chunks = [];
    for (let from = first; from < past; from += rightRows) chunks.push({ from, to: Math.min(past, from + rightRows) });
    yield { leftFrom, leftTo, chunks };
  }
}
