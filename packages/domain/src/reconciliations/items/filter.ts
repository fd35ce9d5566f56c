import type { SqlParameter } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import type { Reconciliation } from '../definition';
import { hasCurrencySql } from '../currency';
import { latestRunOf, suggestedSql } from './proposals';
import { orderOf, type ItemOrder } from './order';
import { itemsSql, rangesOf, todaySql } from './ranges';
import type { OpenItemFilter } from './types';
import { wordsCondition } from './words';

export interface ItemCondition {
  sql: string;
  /** SQL for the part of `sql` that most items fit, beside the other parts, `othersSql`; null: there is none. */
  commonSql: string | null;
  othersSql: string;
  /**
   * SQL for the items that only the parts which are false leave out, such as `assigned=false`: few beside those that
   * fit. null: no part is false.
   */
  exceptSql: string | null;
  parameters: readonly SqlParameter[];
}

/**
 * Builds the condition over items `i`. Its parameters come first: tenant, reconciliation, time zone.
 * @param order in which the items are listed
 */
export async function itemCondition(
  scope: TenantScope,
  reconciliation: Reconciliation,
  filter: OpenItemFilter,
  order: ItemOrder = orderOf('age'),
): Promise<ItemCondition> {
  const { id, timezone, closedTo } = reconciliation;
  const parameters: SqlParameter[] = [scope.tenantId, id, timezone];
  const conditions = [itemsSql.own];
  conditions.push(filter.excluded === true ? 'i.excluded is not null and i.ready' : 'i.open');
  const add = (value: SqlParameter | undefined, condition: (parameter: string) => string): void => {
    if (value !== undefined) conditions.push(condition(`$${parameters.push(value)}`));
  };
  if (filter.side !== undefined) conditions.push(itemsSql.ofSide(filter.side));
  for (const { value, sql } of rangesOf(filter).flat()) add(value, sql);
  add(filter.upTo, (p) => `(i.day_rank <= ${p}::date or i.day_rank = 'infinity')`);
  add(filter.currency, (p) => hasCurrencySql('i.currency', p));
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
  const fit = [...conditions, ...exceptions.map((isSo) => `not ${isSo}`)];
  const words =
    filter.q === undefined ? null : await wordsCondition(scope, reconciliation, { filter, order, parameters });
  if (words !== null) conditions.push(words.sql);
  const othersSql = fit.join(' and ');
  return {
    sql: words === null ? othersSql : `${othersSql} and ${words.sql}`,
    commonSql: words?.isCommon === true ? words.sql : null,
    othersSql,
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
