import type { Queries } from '@tieout/infra';

/** Lists the closed periods of a reconciliation, YYYY-MM. */
export function closedPeriods(_db: Queries, _reconciliationId: string): Promise<string[]> {
  return Promise.resolve([]);
}

/** SQL that holds for a group `g` of an open period. @param closed SQL for an array of the closed ones */
export const isPeriodOpen = (closed: string): string =>
  `(g.period is null or g.period <> all(coalesce(${closed}, '{}')))`;
