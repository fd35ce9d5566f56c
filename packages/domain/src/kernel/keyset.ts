import { invalid, type AppError } from '@tieout/infra';

/** A page of a list that is continued by the sort values of its last item. */
export interface KeysetRequest {
  limit: number;
  cursor?: string | undefined;
}

export interface KeysetPage<T> {
  items: T[];
  /** Size of the whole list; null where it was not asked for. */
  total: number | null;
  limit: number;
  nextCursor: string | null;
}

type SortValue = string | number | null;

export const encodeKeyset = (values: readonly SortValue[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url');

/**
 * @param length number of sort values
 * @throws AppError validation_error at /query/cursor when the text is no cursor of such a list
 */
export function decodeKeyset(cursor: string, length: number): SortValue[] {
  const values = parsed(Buffer.from(cursor, 'base64url').toString('utf8'));
  const isWhole =
    Array.isArray(values) &&
    values.length === length &&
    values.every((value) => value === null || typeof value === 'string' || typeof value === 'number');
  if (!isWhole) throw notACursor();
  return values as SortValue[];
}

export const notACursor = (): AppError =>
  invalid([{ path: '/query/cursor', code: 'cursor', message: 'is not a cursor that this list gave out' }]);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Makes a page from up to `limit` + 1 rows. */
export function keysetPage<T>(
  { limit }: KeysetRequest,
  rows: readonly T[],
  { total, sortOf }: { total: number | null; sortOf: (row: T) => readonly SortValue[] },
): KeysetPage<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    total,
    limit,
    nextCursor: rows.length > limit && last !== undefined ? encodeKeyset(sortOf(last)) : null,
  };
}
