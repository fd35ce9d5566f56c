/** As many rows as a job holds at a time. */
const leftRows = 100_000;
const rightRows = 100_000;

/**
 * Rows of a side in the order of (bucket, day, number of the row), found by sorting one typed array of packed keys.
 *
 * @param {{ bucket: Float64Array, day: Int32Array, units: Float64Array }} keys
 */
export function sortedSide(keys) {
  const { length } = keys.bucket;
  const packed = packKeys(keys).sort();
  const sorted = { length, order: new Uint32Array(length), bucket: new Float64Array(length), day: new Int32Array(length), units: new Float64Array(length) };
  for (let i = 0; i < length; i += 1) {
    const row = packed[i] % length;
    sorted.order[i] = row;
    sorted.bucket[i] = keys.bucket[row];
    sorted.day[i] = keys.day[row];
    sorted.units[i] = keys.units[row];
  }
  return sorted;
}

/** Buckets of the workload are not negative. */
function packKeys({ bucket, day }) {
  const { length } = bucket;
  let firstDay = Infinity;
  let lastDay = -Infinity;
  let lastBucket = 0;
  for (let i = 0; i < length; i += 1) {
    firstDay = Math.min(firstDay, day[i]);
    lastDay = Math.max(lastDay, day[i]);
    lastBucket = Math.max(lastBucket, bucket[i]);
  }
  const days = lastDay - firstDay + 1;
  if ((lastBucket + 1) * days * length > Number.MAX_SAFE_INTEGER) throw new Error('The keys do not fit into one number');
  const packed = new Float64Array(length);
  for (let i = 0; i < length; i += 1) packed[i] = (bucket[i] * days + day[i] - firstDay) * length + i;
  return packed;
}

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
