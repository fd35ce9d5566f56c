import { useCallback } from 'react';
import { useText } from '../text';

interface Paged {
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/**
 * Reads the next page of a list once a row near the end of the rows read so far is about to be seen. A page that is
 * asked for while the list is read again would end that reading.
 */
export function useReach({ hasNextPage, isFetching, fetchNextPage }: Paged, count: number, ahead = 20) {
  return useCallback(
    (row: number): void => {
      if (hasNextPage && !isFetching && row + ahead > count) void fetchNextPage();
    },
    [hasNextPage, isFetching, fetchNextPage, count, ahead],
  );
}

/** A longer list grows while it is read: a jump to its end would take minutes. */
const maxUnread = 100_000;
/** No screen shows more rows at once. */
export const rowsInSight = 60;

/** Returns the number of rows to list. Some may not have been read, and their total may not be known yet. */
export function listedRows(read: number, total: number, hasMore: boolean): number {
  if (!hasMore) return read;
  return Math.min(Math.max(total, read + rowsInSight), Math.max(maxUnread, read + maxUnread / 10));
}

/** Shows a button that reads the next page of a list, where there is one. */
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
