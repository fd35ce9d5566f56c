import { invalid, isUuid } from '@tieout/infra';

/** The requested page of a list. Pages count from 1; a cursor replaces the page number. */
export interface PageRequest {
  page: number;
  limit: number;
  cursor?: string;
}

export interface Page<T> {
  items: T[];
  /** Size of the whole list. */
  total: number;
  page: number;
  limit: number;
  /** Continues after the last item of this page; null at the end of the list. */
  nextCursor: string | null;
}

/** Encodes the cursor that continues a list after the item with this id. */
export function encodeCursor(id: string): string {
  return Buffer.from(id.replace(/-/g, ''), 'hex').toString('base64url');
}

/** @throws AppError validation_error at /query/cursor when the text is not a cursor */
export function decodeCursor(cursor: string): string {
  const hex = Buffer.from(cursor, 'base64url').toString('hex');
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  if (!isUuid(id) || encodeCursor(id) !== cursor) {
    throw invalid([{ path: '/query/cursor', code: 'cursor', message: 'is not a cursor that this list gave out' }]);
  }
  return id;
}

export interface PageSlice {
  skip: number;
  /** Page size plus one: the extra row shows without another query whether the list continues. */
  take: number;
  /** Exclusive upper bound of ids; lists are in descending order of id. */
  beforeId: string | undefined;
  /** The slice as SQL. Its numbers are literals, so that the planner knows how few rows are read. */
  sql: string;
  /** The statement is one of few distinct texts, so it may be prepared. */
  isCommon: boolean;
}

/** The default page size, and the size that readers of whole lists use. */
const commonLimits = new Set([25, 100]);

/** Slices a list in descending order of id. */
export function sliceOf({ page, limit, cursor }: PageRequest): PageSlice {
  const skip = cursor === undefined ? (page - 1) * limit : 0;
  const take = limit + 1;
  return {
    skip,
    take,
    beforeId: cursor === undefined ? undefined : decodeCursor(cursor),
    sql: `offset ${skip} limit ${take}`,
    isCommon: skip === 0 && commonLimits.has(limit),
  };
}

/** Makes a page from the rows of a slice. */
export function pageFrom<T>(
  request: PageRequest,
  total: number,
  rows: readonly T[],
  idOf: (row: T) => string,
): Page<T> {
  const items = rows.slice(0, request.limit);
  const last = items.at(-1);
  return {
    items,
    total,
    page: request.page,
    limit: request.limit,
    nextCursor: rows.length > request.limit && last !== undefined ? encodeCursor(idOf(last)) : null,
  };
}

/** Makes a page of a list without cursors. */
export function pageOf<T>(items: T[], total: number, request: PageRequest): Page<T> {
  return { items, total, page: request.page, limit: request.limit, nextCursor: null };
}

/**
 * Reads one page of a list whose rows have an `id`. `count` runs after `rows`, whose statement may return the total.
 */
export async function readPage<T extends { id: string }>(
  request: PageRequest,
  source: { count: () => Promise<number>; rows: (slice: PageSlice) => Promise<readonly T[]> },
): Promise<Page<T>> {
  const rows = await source.rows(sliceOf(request));
  return pageFrom(request, await source.count(), rows, (row) => row.id);
}
