import type { Side } from '@tieout/engine';
import { AppError, type SqlParameter } from '@tieout/infra';
import type { JsonObject } from '../../kernel/ports';
import type { TenantScope } from '../../kernel/scope';
import type { Reconciliation } from '../definition';
import { itemSql, recordSql } from '../lookups';

/** An open item with its record. Amounts are decimal texts. */
export interface ItemOfRecord {
  recordId: string;
  side: Side;
  datasetId: string;
  externalId: string | null;
  amount: string | null;
  /** The part of the amount that no group holds. */
  remaining: string | null;
  /** YYYY-MM-DD */
  date: string | null;
  currency: string | null;
  record: JsonObject;
}

/** A record that may belong to the item, and how likely that looks before any rule is asked. */
export interface Partner extends ItemOfRecord {
  /** Rare words that both records have. */
  sharedWords: string[];
}

/** Max partners of each kind that one request reads. */
const nearPerSide = 40;
const withWords = 20;
/** Items with the very amount among which the nearest days are chosen. */
const maxEqual = 500;
const maxWords = 8;
/** A word in more than this share of the items of near days finds too many. */
const maxWordShare = 0.05;

const daySql = 'i.day_rank';

export const itemColumns = `i.record_id::text as "recordId", case i.side when 0 then 'left' else 'right' end as side,
  i.dataset_id::text as "datasetId", i.external_id as "externalId", i.amount::text as amount,
  (i.amount - i.held)::text as remaining, i.day::text as date, i.currency`;

const words = (alias: string): string => `array(select w from unnest(tsvector_to_array(${alias}.search)) w
  where length(w) between 3 and 60 order by length(w) desc limit 100)`;

/** @throws AppError record_not_found */
export async function openItemOf(
  { db, tenantId }: TenantScope,
  reconciliationId: string,
  recordId: string,
): Promise<ItemOfRecord & { words: string[] }> {
  const [item] = await db.query<ItemOfRecord & { words: string[] }>(
    `select ${itemColumns}, ${words('i')} as words, r.data || coalesce(r.fields, '{}') as record
       from reconciliation_items i cross join lateral (${recordSql('i.record_id')}) r
      where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.record_id = $3::uuid and i.open`,
    [tenantId, reconciliationId, recordId],
  );
  if (item) return item;
  throw new AppError('record_not_found', 'The record is not an open item of the reconciliation');
}

/** A search for partners on one side. */
interface PartnerSearch {
  reconciliation: Reconciliation;
  item: ItemOfRecord & { words: string[] };
  side: 0 | 1;
  /** The amount that would tie the item by itself, as a decimal text. */
  amount: string | null;
}

/**
 * Finds open items that may belong to an item: those of the nearest amounts and days, and those that share words with
 * it which are rare among the items of near days. Each kind is one short walk along an index.
 */
export async function partnersOf(scope: TenantScope, search: PartnerSearch): Promise<Partner[]> {
  const { db, tenantId } = scope;
  const { reconciliation, item, side } = search;
  const parameters: SqlParameter[] = [tenantId, reconciliation.id, side, item.recordId, item.currency];
  const open = `i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.side = $3::smallint and i.open
    and i.record_id <> $4::uuid and (i.currency = $5::text or i.currency is null or $5::text is null)`;
  const found = await db.query<{ id: string; words: string[] }>(
    `select i.record_id::text as id, ${words('i')} as words
       from (${walksFor(search, open, (value) => `$${parameters.push(value)}`).join(' union ')}) found
      cross join lateral (${itemSql('found.record_id')}) i`,
    parameters,
  );
  const rare = rareWords(item.words, found);
  const ids = new Set([...found.map(({ id }) => id), ...(await withAnyWord(scope, reconciliation.id, rare))]);
  const partners = await db.query<ItemOfRecord & { words: string[] }>(
    `select ${itemColumns}, ${words('i')} as words, r.data || coalesce(r.fields, '{}') as record
       from reconciliation_items i cross join lateral (${recordSql('i.record_id')}) r
      where ${open} and i.record_id = any($6::uuid[]) order by i.record_id`,
    [...parameters.slice(0, 5), [...ids]],
  );
  return partners.map(({ words: own, ...partner }) => ({
    ...partner,
    sharedWords: rare.filter((word) => own.includes(word)),
  }));
}

/** Builds SQL for the short walks along the indexes of amounts and days. */
function walksFor(
  { item: { date }, amount }: PartnerSearch,
  open: string,
  parameter: (value: SqlParameter) => string,
): string[] {
  const walk = (column: string, value: string, order: 'asc' | 'desc'): string =>
    `(select i.record_id from reconciliation_items i
       where ${open} and ${column} ${order === 'asc' ? '>=' : '<'} ${value}
       order by ${column} ${order}, i.record_id ${order} limit ${nearPerSide})`;
  const walks: string[] = [];
  const day = date === null ? null : `${parameter(date)}::date`;
  if (day !== null) for (const order of ['asc', 'desc'] as const) walks.push(walk(daySql, day, order));
  if (amount !== null) {
    const exact = `${parameter(amount)}::numeric`;
    const rank = `${exact}::float8`;
    for (const order of ['asc', 'desc'] as const) walks.push(walk('i.amount_rank', rank, order));
    const nearest = day === null ? 'e.record_id' : `abs(e.day - ${day}) nulls last, e.record_id`;
    walks.push(
      `(select e.record_id from (select i.record_id, i.day from reconciliation_items i
          where ${open} and i.amount_rank = ${rank} limit ${maxEqual}) e order by ${nearest} limit ${nearPerSide})`,
      `(select i.record_id from reconciliation_items i where ${open} and i.held <> 0
         order by abs(i.amount - i.held - ${exact}), i.record_id limit ${withWords})`,
    );
  }
  return walks.length > 0
    ? walks
    : [`(select i.record_id from reconciliation_items i where ${open} order by ${daySql} limit ${nearPerSide})`];
}

/** Returns the words of the item that few of the sampled items have, the rarest and longest first. */
function rareWords(own: readonly string[], sample: readonly { words: string[] }[]): string[] {
  const counts = new Map<string, number>(own.map((word) => [word, 0]));
  for (const { words: others } of sample)
    for (const word of others) if (counts.has(word)) counts.set(word, (counts.get(word) as number) + 1);
  const count = (word: string): number => counts.get(word) ?? 0;
  return own
    .filter((word) => count(word) <= Math.max(2, sample.length * maxWordShare))
    .sort(
      (one, other) =>
        Number(/\d/.test(other)) - Number(/\d/.test(one)) || count(one) - count(other) || other.length - one.length,
    )
    .slice(0, maxWords);
}

/** Lists open items of either side with any of the words. */
async function withAnyWord({ db }: TenantScope, reconciliationId: string, rare: readonly string[]): Promise<string[]> {
  if (rare.length === 0) return [];
  const rows = await db.query<{ id: string }>(
    `select distinct found.id::text as id
       from unnest($2::text[]) w, lateral items_with_words($1::uuid, w::tsquery, ${withWords}) found(id)`,
    [reconciliationId, rare.map((word) => `'${word.replaceAll('\\', '\\\\').replaceAll(`'`, `''`)}'`)],
  );
  return rows.map(({ id }) => id);
}
