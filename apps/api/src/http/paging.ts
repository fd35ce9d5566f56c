import { Type, type SchemaOptions, type TSchema } from '@sinclair/typebox';
import { invalid } from '@tieout/infra';
import type { Page, PageRequest } from '@tieout/domain';
import { closed, nullable } from './schemas';

const maxPage = 2_147_483_647;
const page = { minimum: 1, maximum: maxPage, format: 'int32', description: 'Counted from 1' };

const limit = Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Items on a page' });

/** Query parameters of a list with page numbers. */
export const pageQuery = { page: Type.Integer({ ...page, default: 1 }), limit };

/** Query parameters of a list that a cursor can continue. */
export const cursorQuery = {
  page: Type.Optional(
    Type.Integer({ ...page, description: 'Counted from 1; 1 when absent. Not together with cursor' }),
  ),
  limit,
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The cursor that the previous page gave' }),
  ),
};

/** Reads the page that a query asks for. @throws AppError validation_error when it has both a page and a cursor */
export function pageRequest(query: { page?: number; limit: number; cursor?: string }): PageRequest {
  const { cursor } = query;
  if (cursor === undefined) return { page: query.page ?? 1, limit: query.limit };
  if (query.page !== undefined) {
    throw invalid([{ path: '/query/page', code: 'page_with_cursor', message: 'must be absent when cursor is given' }]);
  }
  return { page: 1, limit: query.limit, cursor };
}

const counts = {
  total: Type.Integer({ minimum: 0, description: 'Items of the whole list' }),
  page: Type.Integer({ minimum: 1 }),
  limit: Type.Integer({ minimum: 1 }),
};

const nextCursor = nullable(Type.String(), { description: 'The cursor of the next page; null on the last one' });

/** The schema of a page without a cursor. */
export function pageOf<S extends TSchema>(item: S, options: SchemaOptions = {}) {
  return closed({ items: Type.Array(item), ...counts }, options);
}

/** The schema of a page with a cursor. */
export function cursorPageOf<S extends TSchema>(item: S, options: SchemaOptions = {}) {
  return closed({ items: Type.Array(item), ...counts, next_cursor: nextCursor }, options);
}

/** The same for a resource with keys in camelCase. */
export function camelCursorPageOf<S extends TSchema>(item: S, options: SchemaOptions = {}) {
  return closed({ items: Type.Array(item), ...counts, nextCursor }, options);
}

/** The wire form of a page. */
export function presentPage<T, W>(list: Page<T>, present: (item: T) => W) {
  return { items: list.items.map(present), total: list.total, page: list.page, limit: list.limit };
}

/** The wire form of a page with the cursor that continues it. */
export function presentCursorPage<T, W>(list: Page<T>, present: (item: T) => W) {
  return Object.assign(presentPage(list, present), { next_cursor: list.nextCursor });
}

/** The same for a resource with keys in camelCase. */
export function presentCamelCursorPage<T, W>(list: Page<T>, present: (item: T) => W) {
  return Object.assign(presentPage(list, present), { nextCursor: list.nextCursor });
}
