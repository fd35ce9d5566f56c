import type { SqlParameter, TenantDb } from '@tieout/infra';
import { sideNumber } from '../../results/unmatched';
import type { TenantScope } from '../../kernel/scope';
import type { Reconciliation } from '../definition';
import { hasCurrencySql } from '../currency';
import { latestRunOf, suggestedSql } from './proposals';
import type { OpenItemFilter } from './types';

export interface ItemCondition {
  sql: string;
  /**
   * SQL for the items that only the parts which are false leave out, such as `assigned=false`: few beside those that
   * fit. null: no part is false.
   */
  exceptSql: string | null;
  parameters: readonly SqlParameter[];
}

/** SQL for today in the time zone of a parameter. */
export const todaySql = (timezone: string): string => `(now() at time zone ${timezone})::date`;

/** Builds the condition over items `i`. Its parameters come first: tenant, reconciliation, time zone. */
export async function itemCondition(
  scope: TenantScope,
  reconciliation: Reconciliation,
  filter: OpenItemFilter,
): Promise<ItemCondition> {
  const { id, timezone, closedTo } = reconciliation;
  const parameters: SqlParameter[] = [scope.tenantId, id, timezone];
  const conditions = ['i.tenant_id = $1::uuid', 'i.reconciliation_id = $2::uuid', '$3::text is not null'];
  conditions.push(filter.excluded === true ? 'i.excluded is not null and i.ready' : 'i.open');
  const add = (value: SqlParameter | undefined, condition: (parameter: string) => string): void => {
    if (value !== undefined) conditions.push(condition(`$${parameters.push(value)}`));
  };
  if (filter.side !== undefined) conditions.push(`i.side = ${sideNumber[filter.side]}`);
  if (filter.q !== undefined) conditions.push(await wordsSql(scope, reconciliation.id, { filter, parameters }));
  // The rank is in an index; the amount itself decides where doubles are too coarse. One that is missing ranks last.
  add(filter.amountMin, (p) => `i.amount_rank >= ${p}::numeric::float8 and i.amount >= ${p}::numeric`);
  add(filter.amountMax, (p) => `i.amount_rank <= ${p}::numeric::float8 and i.amount <= ${p}::numeric`);
  add(filter.dateFrom, (p) => `i.day_rank >= ${p}::date and i.day is not null`);
  add(filter.dateTo, (p) => `i.day_rank <= ${p}::date`);
  add(filter.upTo, (p) => `(i.day_rank <= ${p}::date or i.day_rank = 'infinity')`);
  add(filter.currency, (p) => hasCurrencySql('i.currency', p));
  add(filter.minAgeDays, (p) => `i.day_rank <= ${todaySql('$3')} - ${p}::int`);
  add(filter.assignee, (p) => `i.assignee = ${p}`);
  add(filter.reasonCode, (p) => `i.reason_code = ${p}`);
  const exceptions: string[] = [];
  const either = (isWanted: boolean | undefined, isSo: string): void => {
    if (isWanted !== undefined) (isWanted ? conditions : exceptions).push(`(${isSo})`);
  };
  either(filter.assigned, 'i.assignee is not null');
  either(filter.explained, 'i.reason_code is not null or i.note is not null');
  either(filter.snoozed, `i.snoozed_until is not null and i.snoozed_until > ${todaySql('$3')}`);
  if (filter.late !== undefined) {
    const isLate = closedTo === null ? 'false' : `i.day_rank <= $${parameters.push(closedTo)}::date and ${isNewSql}`;
    either(filter.late, isLate);
  }
  if (filter.suggested !== undefined) {
    const run = await latestRunOf(scope, reconciliation);
    const isSuggested =
      run === null ? 'false' : await suggestedSql(scope.db, run, (value) => `$${parameters.push(value)}`);
    either(filter.suggested, isSuggested);
  }
  return {
    sql: [...conditions, ...exceptions.map((isSo) => `not ${isSo}`)].join(' and '),
    exceptSql: exceptions.length === 0 ? null : [...conditions, `(${exceptions.join(' or ')})`].join(' and '),
    parameters,
  };
}

/**
 * SQL as `lateSql` for items of closed months, with a last certificate that is found once for all of them. `offset 0`
 * keeps each search on the index: joined to a certificate whose size is not known, a page takes minutes.
 */
const isNewSql = `not exists (
  select 1 from period_open_items p
   where p.tenant_id = $1::uuid and p.record_id = i.record_id and not p.late and p.certificate_id = (
     select c.id from period_certificates c
      where c.tenant_id = $1::uuid and c.reconciliation_id = $2::uuid and c.voided_at is null
      order by c.period desc limit 1) offset 0)`;

/** Items with the words that are listed first; more are found in the order of the list. */
const maxListed = 10_000;

/** Builds SQL that holds for items with the words of a filter. Only open items have an index of words. */
async function wordsSql(
  { db }: TenantScope,
  reconciliationId: string,
  { filter, parameters }: { filter: OpenItemFilter; parameters: SqlParameter[] },
): Promise<string> {
  const text = queryText(filter.q ?? '');
  const found = filter.excluded === true ? null : await itemsWithWords(db, reconciliationId, text);
  if (found !== null) return `i.record_id = any($${parameters.push(found)}::uuid[])`;
  return `i.search @@ to_tsquery('simple', $${parameters.push(text)}::text)`;
}

/** Finds the open items with the words once for all statements; null: they are too many. */
async function itemsWithWords(db: TenantDb, reconciliationId: string, text: string): Promise<string[] | null> {
  const [found] = await db.query<{ ids: string[] | null }>(
    `select case when count(*) <= ${maxListed} then coalesce(array_agg(id::text), '{}') end as ids
       from items_with_words($1::uuid, to_tsquery('simple', $2::text), ${maxListed + 1}) id`,
    [reconciliationId, text],
  );
  return found?.ids ?? null;
}

/** Each word of the text, or the beginning of one, has to be there. */
function queryText(text: string): string {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'_./@:-]*/gu) ?? [];
  return words.map((word) => `'${word.replace(/['\\]/g, ' ')}':*`).join(' & ');
}
