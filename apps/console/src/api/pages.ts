import { useInfiniteQuery, type InfiniteData, type QueryKey } from '@tanstack/react-query';
import { queryClient } from './client';

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

/** A list that is opened again is read again from its beginning, as others may have changed it. */
const neverStale = { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false };

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
    ...(isStill && neverStale),
  });
}

/** Reads a list again from its beginning, down to a row: the pages after it would take as long as all others. */
export function readAgain<P extends CursorPage>(queryKey: QueryKey, row: number): Promise<void> {
  queryClient.setQueryData(queryKey, (data: InfiniteData<P> | undefined) => {
    if (data === undefined) return undefined;
    let rows = 0;
    const last = data.pages.findIndex(({ items }) => (rows += items.length) > row);
    const count = last < 0 ? data.pages.length : last + 1;
    return { pages: data.pages.slice(0, count), pageParams: data.pageParams.slice(0, count) };
  });
  return queryClient.refetchQueries({ queryKey, exact: true });
}

/** The items of all pages that have been read. */
export function itemsOf<T>(data: InfiniteData<{ items: readonly T[] }> | undefined): readonly T[] {
  const [first = { items: [] }, ...others] = data?.pages ?? [];
  return others.length === 0 ? first.items : first.items.concat(...others.map(({ items }) => items));
}

interface NumberedPage<T> {
  items: readonly T[];
  total: number;
  page: number;
  limit: number;
}

interface NumberedListing<T> {
  queryKey: QueryKey;
  read: (page: number, signal: AbortSignal) => Promise<NumberedPage<T>>;
  refetchInterval?: number;
}

/** The number of the page after this one; undefined on the last one. */
export const nextPage = ({ page, limit, total }: NumberedPage<unknown>): number | undefined =>
  page * limit < total ? page + 1 : undefined;

/** An item that is made meanwhile moves the rest of a list one place on, to where it is read again. */
function eachOnce<T extends { id: string }>(pages: readonly NumberedPage<T>[]): T[] {
  return [...new Map(pages.flatMap(({ items }) => items).map((item) => [item.id, item])).values()];
}

/** A list of numbered pages, as far as a person has asked for: its items, each once. */
export function useNumberedPages<T extends { id: string }>({ queryKey, read, ...more }: NumberedListing<T>) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    select: ({ pages }) => ({ items: eachOnce(pages) }),
    ...more,
  });
}

/** Choices are offered out of this many pages. */
const maxPages = 20;

/** Reads all pages of a list from which a user chooses an item. */
export async function everyPage<T extends { id: string }>(
  read: (page: number) => Promise<NumberedPage<T>>,
): Promise<{ items: T[] }> {
  const pages: NumberedPage<T>[] = [];
  for (let page: number | undefined = 1; page !== undefined && page <= maxPages;) {
    const found: NumberedPage<T> = await read(page);
    pages.push(found);
    page = nextPage(found);
  }
  return { items: eachOnce(pages) };
}
