interface Page {
  items: readonly unknown[];
  next_cursor?: string | null;
  nextCursor?: string | null;
}

/** An operation that lists in pages. */
type List<I, P> = (input: I) => Promise<P>;

type ItemOf<P> = P extends { items: readonly (infer T)[] } ? T : never;

/**
 * Yields every item of a list, page by page; a page is read when its first item is wanted.
 *
 *     for await (const item of paginate(tieout.listOpenItems, { path: { id } })) …
 */
export async function* paginate<I extends { query?: object }, P extends Page>(
  list: List<I, P>,
  ...[input]: Record<never, never> extends I ? [input?: I] : [input: I]
): AsyncGenerator<ItemOf<P>, void, void> {
  let cursor: string | null | undefined = (input?.query as { cursor?: string } | undefined)?.cursor;
  do {
    const query = { ...input?.query, ...(cursor && { cursor }) };
    const page: P = await list({ ...input, query } as unknown as I);
    yield* page.items as readonly ItemOf<P>[];
    cursor = page.next_cursor ?? page.nextCursor;
  } while (cursor);
}
