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

/** A list that is longer grows while it is read: to its end there would be minutes of waiting. */
const maxUnread = 100_000;
/** Rows that no screen shows more of. */
export const rowsInSight = 60;

/** Rows that a list has, of which some may not have been read; what it has in all may not be known yet. */
export function listedRows(read: number, total: number, hasMore: boolean): number {
  if (!hasMore) return read;
  return Math.min(Math.max(total, read + rowsInSight), Math.max(maxUnread, read + maxUnread / 10));
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
