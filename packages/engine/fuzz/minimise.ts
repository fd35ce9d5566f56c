/** Cuts a failing case down, one accepted cut after the other, with at most `maxTries` runs of the check. */
export async function minimise<T>(
  failing: T,
  smaller: (of: T) => Iterable<T>,
  stillFails: (candidate: T) => Promise<boolean>,
  maxTries = 2_000,
): Promise<T> {
  let smallest = failing;
  let tries = 0;
  let candidates = smaller(smallest)[Symbol.iterator]();
  for (let next = candidates.next(); next.done !== true && tries < maxTries; next = candidates.next()) {
    tries++;
    if (!(await stillFails(next.value))) continue;
    smallest = next.value;
    candidates = smaller(smallest)[Symbol.iterator]();
  }
  return smallest;
}
