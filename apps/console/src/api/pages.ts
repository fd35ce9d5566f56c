import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';

interface CursorPage {
  items: readonly unknown[];
  next_cursor?: string | null;
}

interface Listing<P> {
  queryKey: QueryKey;
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<P>;
  refetchInterval?: number;
  enabled?: boolean;
  /** Read again only on demand: a page would come with all others, and move what a person looks at. */
  isStill?: boolean;
}

const still = { staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false };

/** A list that is read a page at a time, as far as a person has asked for. */
export function usePages<P extends CursorPage>(listing: Listing<P>) {
  const { queryKey, read, refetchInterval, enabled = true, isStill = false } = listing;
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: P) => page.next_cursor ?? undefined,
    enabled,
    ...(refetchInterval !== undefined && { refetchInterval }),
    ...(isStill && still),
  });
}
