/** Returns the first index of [start, end) that `isBefore` denies; it holds for a prefix of the range only. */
export function lowerBound(start: number, end: number, isBefore: (index: number) => boolean): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
