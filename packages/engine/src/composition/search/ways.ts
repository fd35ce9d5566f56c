/** Describes the rows of one amount on several days. */
export interface DatedRows {
  /** Number of rows to take. */
  count: number;
  /** Rows in [from, to) of `rows`, by day. */
  rows: Int32Array;
  from: number;
  to: number;
  /** Day of each row. */
  days: Int32Array;
  /** Rows without a day, which count as one more day. */
  undated: number;
  limit: number;
}

/**
 * Counts the ways to spread `count` rows of one amount over its days, at most `limit`: the vectors below the rows
 * of each day that have a given sum. They form a product of chains, whose levels are symmetric and unimodal in
 * size: where some but not all rows are taken, there are at least as many ways as days.
 */
export function waysToTake({ count, rows, from, to, days, undated, limit }: DatedRows): number {
  const available = to - from + undated;
  if (available <= count) return available === count ? 1 : 0;
  if (countDays({ rows, from, to, days, limit }) + (undated > 0 ? 1 : 0) >= limit) return limit;
  const waysByCount = new Float64Array(count + 1);
  waysByCount[0] = 1;
  if (undated > 0) addDay(waysByCount, undated);
  for (let at = from; at < to;) {
    let past = at + 1;
    while (past < to && days[rows[past]!] === days[rows[at]!]) past++;
    addDay(waysByCount, past - at);
    at = past;
  }
  return Math.min(limit, waysByCount[count]!);
}

/** Counts the days of the rows, at most `limit`. */
function countDays({ rows, from, to, days, limit }: Omit<DatedRows, 'count' | 'undated'>): number {
  let found = 0;
  for (let at = from; at < to && found < limit; at++) {
    if (at === from || days[rows[at]!] !== days[rows[at - 1]!]) found++;
  }
  return found;
}

/** Extends `waysByCount`, the ways to take a number of rows from the previous days, by one more day. */
function addDay(waysByCount: Float64Array, rowsOfDay: number): void {
  for (let taken = waysByCount.length - 1; taken > 0; taken--) {
    let ways = 0;
    for (let ofDay = Math.min(rowsOfDay, taken); ofDay >= 0; ofDay--) ways += waysByCount[taken - ofDay]!;
    waysByCount[taken] = ways;
  }
}
