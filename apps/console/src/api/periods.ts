import { useQuery } from '@tanstack/react-query';
import { tieout, type Schema } from './client';

export type ListedPeriod = Schema<'Period'>;
export type MonthCertificate = Schema<'PeriodCertificate'>;
export type Proof = Schema<'BalanceProof'>;
export type MonthSummary = Schema<'ProvedSummary'>;

/** Returns the last day of a month such as 2026-01. */
export function lastDayOf(period: string): string {
  const [year = 0, month = 1] = period.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

export const useMonthSummary = (id: string, period: string) =>
  useQuery({
    queryKey: ['reconciliation', id, 'summary', period],
    queryFn: ({ signal }) => tieout.getReconciliationSummary({ path: { id }, query: { period }, signal }),
  });

/** The open items that count at the end of a month: those dated up to it, and those without a date. */
export const atEndOf = (period: string) => ({ upTo: lastDayOf(period) });

/** Counts the open items at the end of a month that lack an explanation, and those that lack an assignee. */
export const useOpenWork = (id: string, period: string, isEnabled: boolean) =>
  useQuery({
    queryKey: ['reconciliation', id, 'open-items', 'work', period],
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      const count = async (more: { explained?: false; assigned?: false }): Promise<number> => {
        const query = { ...atEndOf(period), limit: 1, totals: true, ...more };
        return (await tieout.listOpenItems({ path: { id }, query, signal })).total ?? 0;
      };
      const [unexplained, unassigned] = await Promise.all([count({ explained: false }), count({ assigned: false })]);
      return { unexplained, unassigned };
    },
  });
