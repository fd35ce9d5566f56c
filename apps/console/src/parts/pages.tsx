import { useCallback } from 'react';
import { useText } from '../text';

interface Paged {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** Reads the next page of a list once a row near the last of those that are there is about to be seen. */
export function useReach({ hasNextPage, isFetchingNextPage, fetchNextPage }: Paged, count: number, ahead = 20) {
  return useCallback(
    (row: number): void => {
      if (hasNextPage && !isFetchingNextPage && row + ahead > count) void fetchNextPage();
    },
    [hasNextPage, isFetchingNextPage, fetchNextPage, count, ahead],
  );
}

/** Reads the next page of a list, where there is one. */
export function More({ query }: { query: Paged }) {
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
