/** Newest first: by date, then id, both descending. */
export const newestFirst = <T extends { date: string; id: string }>(rows: readonly T[]): T[] =>
  [...rows].sort((a, b) => compareText(b.date, a.date) || compareText(b.id, a.id));

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
