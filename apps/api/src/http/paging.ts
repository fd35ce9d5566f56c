import { Type, type SchemaOptions, type TSchema } from '@sinclair/typebox';
import { invalid } from '@tieout/infra';
import type { Page, PageRequest } from '@tieout/domain';
import { closed, nullable } from './schemas';

const maxPage = 2_147_483_647;
const page = { minimum: 1, maximum: maxPage, format: 'int32', description: 'Counted from 1' };

const limit = Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Items on a page' });

/** Query parameters of a list that is read by page number. */
export const pageQuery = { page: Type.Integer({ ...page, default: 1 }), limit };

/** Query parameters of a list that can also be continued behind its last item. */
export const cursorQuery = {
  page: Type.Optional(
    Type.Integer({ ...page, description: 'Counted from 1; 1 when absent. Not together with cursor' }),
  ),
  limit,
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The cursor that the previous page gave' }),
  ),
};

/** @throws AppError validation_error when both a page and a cursor are given */
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

/** Answer of a list that is read by page number. */
export function pageOf<S extends TSchema>(item: S, options: SchemaOptions = {}) {
  return closed({ items: Type.Array(item), ...counts }, options);
}

/** Answer of a list with a cursor. */
export function cursorPageOf<S extends TSchema>(item: S, options: SchemaOptions = {}) {
  return closed({ items: Type.Array(item), ...counts, next_cursor: nullable(Type.String()) }, options);
}

/** A page in wire form. */
export function presentPage<T, W>(list: Page<T>, present: (item: T) => W) {
  return { items: list.items.map(present), total: list.total, page: list.page, limit: list.limit };
}

/** A page in wire form, with the cursor that continues it. */
export function presentCursorPage<T, W>(list: Page<T>, present: (item: T) => W) {
  return Object.assign(presentPage(list, present), { next_cursor: list.nextCursor });
}
