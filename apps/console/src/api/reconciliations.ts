import { useQuery } from '@tanstack/react-query';
import { tieout, type Schema } from './client';
import { everyPage } from './pages';

const soonMs = 15_000;

export const useReconciliations = (isAllowed = true) =>
  useQuery({
    queryKey: ['reconciliations'],
    queryFn: ({ signal }) =>
      everyPage((page) => tieout.listReconciliations({ query: { archived: false, limit: 100, page }, signal })),
    enabled: isAllowed,
  });

export const useReconciliation = (id: string) =>
  useQuery({
    queryKey: ['reconciliation', id],
    queryFn: ({ signal }) => tieout.getReconciliation({ path: { id }, signal }),
  });

export const summaryQuery = (id: string) => ({
  queryKey: ['reconciliation', id, 'summary'],
  queryFn: ({ signal }: { signal: AbortSignal }) => tieout.getReconciliationSummary({ path: { id }, signal }),
  refetchInterval: soonMs,
});

const shownRuns = 12;

/** The newest runs of a reconciliation, newest first. */
export const runsQuery = (id: string) => ({
  queryKey: ['reconciliation', id, 'runs', shownRuns],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    tieout.listReconciliationRuns({ path: { id }, query: { limit: shownRuns }, signal }),
  refetchInterval: soonMs,
});

export type Summary = Awaited<ReturnType<typeof tieout.getReconciliationSummary>>;
export type ReconciliationAnswer = Schema<'Reconciliation'>;
export type Run = Schema<'MatchingJob'>;
