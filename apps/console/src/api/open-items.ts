import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Input } from '@tieout/client';
import { tieout, type Schema } from './client';

export type OpenItemAnswer = Schema<'OpenItem'>;
export type CandidateAnswer = Schema<'Candidate'>;
export type ListSide = OpenItemAnswer['side'];
export type OpenItemQuery = NonNullable<Input<'listOpenItems'>['query']>;

const pageSize = 100;

/** The open items that fit a filter, page after page; the first page counts and adds them up. */
export const useOpenItems = (id: string, filter: OpenItemQuery) =>
  useInfiniteQuery({
    queryKey: ['reconciliation', id, 'open-items', filter],
    queryFn: ({ pageParam, signal }) =>
      tieout.listOpenItems({
        path: { id },
        query: {
          ...filter,
          limit: pageSize,
          totals: pageParam === '',
          ...(pageParam !== '' && { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    staleTime: Infinity,
    // A page that is read again would come with all others, and move what a person looks at.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** Records that most likely belong to an open item. */
export const useCandidates = (id: string, recordId: string | undefined) =>
  useQuery({
    queryKey: ['reconciliation', id, 'candidates', recordId],
    queryFn: ({ signal }) =>
      tieout.listOpenItemCandidates({ path: { id, recordId: recordId ?? '' }, query: { limit: 6 }, signal }),
    enabled: recordId !== undefined,
  });
