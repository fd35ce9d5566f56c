interface Page {
  items: readonly unknown[];
  next_cursor?: string | null;
  nextCursor?: string | null;
  /** The number of the page, in a list without cursors. */
  page?: number;
  total?: number | null;
  limit?: number;
}

/** An operation that lists in pages. */
type List = (...input: never[]) => Promise<Page>;

type ItemOf<P> = P extends { items: readonly (infer T)[] } ? T : never;

/**
 * Yields every item of a list, page by page; a page is read when its first item is wanted.
 *
 *     for await (const item of paginate(tieout.listOpenItems, { path: { id } })) …
 */
export async function* paginate<L extends List>(
  list: L,
  ...[input]: Parameters<L>
): AsyncGenerator<ItemOf<Awaited<ReturnType<L>>>, void, void> {
  const ask = list as unknown as (input: { query: object }) => Promise<Awaited<ReturnType<L>>>;
  const given = input as { query?: object } | undefined;
  let query: object | undefined = { ...given?.query };
  while (query) {
    const page = await ask({ ...given, query });
    yield* page.items as ItemOf<Awaited<ReturnType<L>>>[];
    query = queryAfter(page, query);
  }
}

/** The query of the next page; undefined after the last one. */
function queryAfter(page: Page, query: { page?: number }): object | undefined {
  const { page: number, total, limit, items, next_cursor, nextCursor } = page;
  const cursor = next_cursor ?? nextCursor;
  if (cursor) return { ...query, page: undefined, cursor };
  const hasCursors = next_cursor !== undefined || nextCursor !== undefined;
  if (hasCursors || number === undefined || limit === undefined || items.length === 0) return undefined;
  return number * limit < (total ?? 0) ? { ...query, page: number + 1 } : undefined;
}
