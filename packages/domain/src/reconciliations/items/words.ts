import type { SqlParameter } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import type { Reconciliation } from '../definition';
import { itemsSql, rangesOf } from './ranges';
import type { ItemOrder } from './order';
import type { OpenItemFilter } from './types';

/** Items with the words that are listed first; more are found in the order of the list. */
const maxListed = 10_000;
/** Items within the other bounds of a filter that are read to find those with the words. */
const maxRead = 3_000;
/** Items at the beginning of the list of a side that tell whether most have the words. */
const maxSampled = 200;

interface WordsCondition {
  sql: string;
  /** Most of the items have the words. */
  isCommon: boolean;
}

interface WordsQuery {
  filter: OpenItemFilter;
  order: ItemOrder;
  /** The parameters of the statement, to which those of the condition are added. */
  parameters: SqlParameter[];
}

/**
 * Builds the condition for items with the words of a filter. Only open items have an index of words, and all entries of
 * a word are read before the first item is known: a fifth of a second for a word that a million items have. So it is
 * left alone where few items are within the other bounds, or most items have the words.
 */
export async function wordsCondition(
  scope: TenantScope,
  reconciliation: Reconciliation,
  { filter, order, parameters }: WordsQuery,
): Promise<WordsCondition> {
  const text = queryText(filter.q ?? '');
  const search: Search = { scope, reconciliation, filter, text };
  const compared = (isCommon: boolean): WordsCondition => ({
    sql: `i.search @@ to_tsquery('simple', $${parameters.push(text)}::text)`,
    isCommon,
  });
  if (filter.excluded === true) return compared(false);
  const near = await foundWithinBounds(search);
  if (near === null && (await areCommon(search, order))) return compared(true);
  const found = near ?? (await foundByIndex(search));
  if (found === null) return compared(false);
  return { sql: `i.record_id = any($${parameters.push(found)}::uuid[])`, isCommon: false };
}

interface Search {
  scope: TenantScope;
  reconciliation: Reconciliation;
  filter: OpenItemFilter;
  text: string;
}

const hasWordsSql = `i.search @@ to_tsquery('simple', $4::text)`;

/** Finds the items among those within one of the other bounds, if these are few. */
async function foundWithinBounds({ scope, reconciliation, filter, text }: Search): Promise<string[] | null> {
  const sides = filter.side === undefined ? 'i.side in (0, 1)' : itemsSql.ofSide(filter.side);
  for (const range of rangesOf(filter)) {
    const parameters: SqlParameter[] = [scope.tenantId, reconciliation.id, reconciliation.timezone, text];
    const within = range.map(({ value, sql }) => sql(`$${parameters.push(value)}`)).join(' and ');
    const [read] = await scope.db.query<{ count: number; ids: string[] | null }>(
      `select count(*)::int as count, array_agg(id) filter (where fits) as ids
         from (select i.record_id::text as id, ${hasWordsSql} as fits from reconciliation_items i
                where ${itemsSql.own} and i.open and ${sides} and ${within} limit ${maxRead + 1}) i`,
      parameters,
    );
    if (read && read.count <= maxRead) return read.ids ?? [];
  }
  return null;
}

/** Returns whether most of the first items of the list have the words. */
async function areCommon({ scope, reconciliation, filter, text }: Search, order: ItemOrder): Promise<boolean> {
  const sides = filter.side === undefined ? (['left', 'right'] as const) : [filter.side];
  const first = sides.map(
    (side) => `(select ${hasWordsSql} as fits from reconciliation_items i
                 where ${itemsSql.own} and i.open and ${itemsSql.ofSide(side)}
                 order by ${order.sql} ${order.direction}, i.record_id ${order.direction} limit ${maxSampled})`,
  );
  const [sampled] = await scope.db.query<{ isCommon: boolean | null }>(
    `select 2 * count(*) filter (where fits) > count(*) as "isCommon" from (${first.join(' union all ')}) i`,
    [scope.tenantId, reconciliation.id, reconciliation.timezone, text],
  );
  return sampled?.isCommon === true;
}

/** Finds the items once for all statements; null: they are too many. */
async function foundByIndex({ scope, reconciliation, text }: Search): Promise<string[] | null> {
  const [found] = await scope.db.query<{ ids: string[] | null }>(
    `select case when count(*) <= ${maxListed} then coalesce(array_agg(id::text), '{}') end as ids
       from items_with_words($1::uuid, to_tsquery('simple', $2::text), ${maxListed + 1}) id`,
    [reconciliation.id, text],
  );
  return found?.ids ?? null;
}

/** Each word of the text, or the beginning of one, has to be there. */
function queryText(text: string): string {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'_./@:-]*/gu) ?? [];
  return words.map((word) => `'${word.replace(/['\\]/g, ' ')}':*`).join(' & ');
}
