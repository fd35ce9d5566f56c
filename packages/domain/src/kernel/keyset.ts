import { readDay } from '@tieout/engine';
import { invalid, isUuid, type AppError } from '@tieout/infra';

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

/** The kinds of values that a list sorts by. A cursor comes from outside: its values have to be such that SQL reads. */
const kinds = {
  id: (value: SortValue) => typeof value === 'string' && isUuid(value),
  /** YYYY-MM-DD; `infinity` sorts what has none. */
  day: (value: SortValue) =>
    typeof value === 'string' && (value === 'infinity' || (value.length === 10 && readDay(value).ok)),
  month: (value: SortValue) => typeof value === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(value),
  /** A decimal text; `NaN` sorts what has none. */
  number: (value: SortValue) =>
    typeof value === 'string' && /^(NaN|-?\d{1,30}(\.\d{1,30})?(e[+-]?\d{1,2})?)$/.test(value),
  text: (value: SortValue) => typeof value === 'string',
  integer: (value: SortValue) => Number.isSafeInteger(value),
};
export type SortKind = keyof typeof kinds;

/**
 * Reads the sort values of a cursor. A text in the place of a kind has to be there: lists with several orders begin
 * their cursors with the name of the order.
 * @throws AppError validation_error at /query/cursor when the text is not a cursor of such a list
 */
export function decodeKeyset(cursor: string, expected: readonly (SortKind | { is: string })[]): string[] {
  const values = parsed(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (!Array.isArray(values) || values.length !== expected.length) throw notACursor();
  expected.forEach((kind, i) => {
    const value = values[i] as SortValue;
    if (typeof kind === 'string' ? !kinds[kind](value) : value !== kind.is) throw notACursor();
  });
  return values.map(String);
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
