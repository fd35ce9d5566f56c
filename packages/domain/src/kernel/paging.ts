import { invalid, isUuid } from '@tieout/infra';

/** What a list was asked for. A page is counted from 1; a cursor takes its place. */
export interface PageRequest {
  page: number;
  limit: number;
  cursor?: string;
}

export interface Page<T> {
  items: T[];
  /** Of the whole list, not of the page. */
  total: number;
  page: number;
  limit: number;
  /** Continues behind the last item of this page; null at the end of the list. */
  nextCursor: string | null;
}

/** The text that continues a list behind the item with this id. */
export function encodeCursor(id: string): string {
  return Buffer.from(id.replace(/-/g, ''), 'hex').toString('base64url');
}

/** @throws AppError validation_error at /query/cursor when the text is no cursor */
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
  /** One more than the page holds, so that the end of the list shows without another query. */
  take: number;
  /** Only ids below this one; the lists are ordered by id, descending. */
  beforeId: string | undefined;
  /** The slice as part of a statement; its numbers are part of the text, so that the planner knows how few rows are wanted. */
  sql: string;
  /** The statement is one of few: it may be prepared. */
  isUsual: boolean;
}

/** The default, and what readers of whole lists take. */
const usualLimits = new Set([25, 100]);

/** The slice of a list in `id desc` order that a request names. */
export function sliceOf({ page, limit, cursor }: PageRequest): PageSlice {
  const skip = cursor === undefined ? (page - 1) * limit : 0;
  const take = limit + 1;
  return {
    skip,
    take,
    beforeId: cursor === undefined ? undefined : decodeCursor(cursor),
    sql: `offset ${skip} limit ${take}`,
    isUsual: skip === 0 && usualLimits.has(limit),
  };
}

/** Makes a page of the rows that a slice gave. */
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

/** A page of a list that is read by page number alone. */
export function pageOf<T>(items: T[], total: number, request: PageRequest): Page<T> {
  return { items, total, page: request.page, limit: request.limit, nextCursor: null };
}

/** Reads one page of a list whose rows have an `id`. `count` is asked behind `rows`, whose statement may have found it, too. */
export async function readPage<T extends { id: string }>(
  request: PageRequest,
  source: { count: () => Promise<number>; rows: (slice: PageSlice) => Promise<readonly T[]> },
): Promise<Page<T>> {
  const rows = await source.rows(sliceOf(request));
  return pageFrom(request, await source.count(), rows, (row) => row.id);
}
