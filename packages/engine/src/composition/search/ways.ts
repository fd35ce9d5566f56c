/** Rows of one amount on several days. */
export interface DatedRows {
  /** How many to take. */
  count: number;
  /** Rows in [from, to) of `rows`, by day. */
  rows: Int32Array;
  from: number;
  to: number;
  /** By row. */
  days: Int32Array;
  /** Rows without a day, which may be taken as well. */
  undated: number;
  limit: number;
}

/**
 * In how many ways so many rows of one amount can be spread over its days, at most `limit`: the number of vectors below the
 * rows of each day with a given sum. These form a product of chains, whose levels are symmetric and unimodal in size: where some,
 * but not all rows are taken there are at least as many ways as days.
 */
export function waysToTake({ count, rows, from, to, days, undated, limit }: DatedRows): number {
  const available = to - from + undated;
  if (available <= count) return available === count ? 1 : 0;
  if (countDays(rows, from, to, days, limit) + (undated > 0 ? 1 : 0) >= limit) return limit;
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

/** The days of the rows, at most `limit`. */
function countDays(rows: Int32Array, from: number, to: number, days: Int32Array, limit: number): number {
  let found = 0;
  for (let at = from; at < to && found < limit; at++) {
    if (at === from || days[rows[at]!] !== days[rows[at - 1]!]) found++;
  }
  return found;
}

/** `waysByCount` holds the ways to take so many rows from the days before. */
function addDay(waysByCount: Float64Array, rowsOfDay: number): void {
  for (let taken = waysByCount.length - 1; taken > 0; taken--) {
    let ways = 0;
    for (let ofDay = Math.min(rowsOfDay, taken); ofDay >= 0; ofDay--) ways += waysByCount[taken - ofDay]!;
    waysByCount[taken] = ways;
  }
}
