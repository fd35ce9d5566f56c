import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';
import { useText } from '../text';

interface CursorPage<T> {
  items: readonly T[];
  total?: number | null;
  next_cursor?: string | null;
}

interface Listing<P> {
  queryKey: QueryKey;
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<P>;
  refetchInterval?: number;
  enabled?: boolean;
}

/** A list that is read a page at a time, as far as a person has asked for. */
export function usePages<T, P extends CursorPage<T>>({ queryKey, read, refetchInterval, enabled = true }: Listing<P>) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: P) => page.next_cursor ?? undefined,
    enabled,
    ...(refetchInterval === undefined ? {} : { refetchInterval }),
  });
}

interface MoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** Reads the next page of a list, where there is one. */
export function More({ query }: MoreProps) {
  const { frame } = useText();
  if (!query.hasNextPage) return null;
  return (
    <p className="more">
      <button
        type="button"
        className="button"
        disabled={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        {frame.more}
      </button>
    </p>
  );
}
