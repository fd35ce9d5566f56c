import { useQuery } from '@tanstack/react-query';
import type { Input } from '@tieout/client';
import { tieout, type Schema } from './client';
import { usePages } from './pages';

export type OpenItemAnswer = Schema<'OpenItem'>;
export type CandidateAnswer = Schema<'Candidate'>;
export type ListSide = OpenItemAnswer['side'];
export type OpenItemQuery = NonNullable<Input<'listOpenItems'>['query']>;

const pageSize = 100;

/** The open items that fit a filter, page after page; the first page counts and adds them up. */
export const useOpenItems = (id: string, filter: OpenItemQuery) =>
  usePages({
    queryKey: ['reconciliation', id, 'open-items', filter],
    read: (cursor, signal) =>
      tieout.listOpenItems({
        path: { id },
        query: { ...filter, limit: pageSize, totals: cursor === undefined, ...(cursor && { cursor }) },
        signal,
      }),
    isStill: true,
  });

/** Records that most likely belong to an open item. */
export const useCandidates = (id: string, recordId: string | undefined) =>
  useQuery({
    queryKey: ['reconciliation', id, 'candidates', recordId],
    queryFn: ({ signal }) =>
      tieout.listOpenItemCandidates({ path: { id, recordId: recordId ?? '' }, query: { limit: 6 }, signal }),
    enabled: recordId !== undefined,
  });
