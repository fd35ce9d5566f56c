import { useQuery, type InfiniteData } from '@tanstack/react-query';
import type { Input } from '@tieout/client';
import { queryClient, tieout, type Schema } from './client';
import { usePages } from './pages';

export type OpenItemAnswer = Schema<'OpenItem'>;
export type CandidateAnswer = Schema<'Candidate'>;
export type ListSide = OpenItemAnswer['side'];
export type OpenItemQuery = NonNullable<Input<'listOpenItems'>['query']>;

const pageSize = 100;

export const openItemsKey = (id: string, filter: OpenItemQuery) => ['reconciliation', id, 'open-items', filter];

/** The open items that fit a filter, page after page. */
export const useOpenItems = (id: string, filter: OpenItemQuery) =>
  usePages({
    queryKey: openItemsKey(id, filter),
    read: (cursor, signal) =>
      tieout.listOpenItems({
        path: { id },
        query: { ...filter, limit: pageSize, totals: false, ...(cursor && { cursor }) },
        signal,
      }),
    isStill: true,
  });

export const itemTotalsKey = (id: string, filter: OpenItemQuery) => ['reconciliation', id, 'item-totals', filter];

/**
 * Counts and sums the open items that fit a filter. For a million, that takes longer than to list the first, which are
 * read before.
 */
export const useItemTotals = (id: string, filter: OpenItemQuery, isListed: boolean) =>
  useQuery({
    queryKey: itemTotalsKey(id, filter),
    queryFn: ({ signal }) =>
      tieout.listOpenItems({ path: { id }, query: { ...filter, limit: 1, totals: true }, signal }),
    select: ({ total, totals }) => ({ total, totals }),
    enabled: isListed,
    gcTime: 0,
  });

type ItemPages = InfiniteData<{ items: readonly OpenItemAnswer[] }>;

/** Sets the remaining amount of an item in every list that holds it. */
export function showRemaining(id: string, recordId: string, remaining: OpenItemAnswer['remaining_amount']): void {
  queryClient.setQueriesData(
    { queryKey: ['reconciliation', id, 'open-items'] },
    (data: ItemPages | object | undefined) => {
      if (data === undefined || !('pages' in data)) return data;
      const changed = (item: OpenItemAnswer) =>
        item.record_id === recordId ? { ...item, remaining_amount: remaining } : item;
      return {
        ...data,
        pages: data.pages.map((page) =>
          page.items.some((item) => item.record_id === recordId) ? { ...page, items: page.items.map(changed) } : page,
        ),
      };
    },
  );
}

/** Records that most likely belong to an open item. */
export const useCandidates = (id: string, recordId: string | undefined) =>
  useQuery({
    queryKey: ['reconciliation', id, 'candidates', recordId],
    queryFn: ({ signal }) =>
      tieout.listOpenItemCandidates({ path: { id, recordId: recordId ?? '' }, query: { limit: 6 }, signal }),
    enabled: recordId !== undefined,
  });
