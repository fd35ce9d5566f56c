import type { SqlParameter } from '@tieout/infra';
import { itemSql, membersSql } from '../lookups';

/** A view of a reconciliation: what was known at a moment, of a month and those before. */
export interface KnownAt {
  /** ISO 8601; null: now. */
  at: string | null;
  /** Groups of later months hold nothing yet; null: all groups hold. */
  month: string | null;
}

interface KnownSql {
  /** Common table expressions; `known` has the items with what groups held of them. */
  sql: string;
  /** Tenant, reconciliation, moment, month; the fifth is the last day that counts, or null. */
  parameters: SqlParameter[];
}

const columns = (from: string, excluded: string): string =>
  `${from}.record_id, ${from}.side, ${from}.amount, ${from}.day, ${from}.currency, ${from}.ready,
   ${excluded} as excluded, ${from}.differs, ${from}.now_amount, ${from}.now_day, ${from}.now_currency`;

/**
 * SQL: the item of a member `m` may be of the day `$5` or before. An item keeps the day that its member has, unless a
 * group holds a part of it.
 */
const mayCountSql = `($5::date is null or m.day is null or m.day <= $5::date
  or m.amount is distinct from m.record_amount)`;

/** SQL for the items of today, less what `taken` says, with more columns of `i` if asked for. */
export const knownItemsSql = (only: string, more?: string): string => `
  select ${columns('i', 'i.excluded is not null')}, i.held + coalesce(t.amount, 0) as held,
         i.holds + coalesce(t.holds, 0) as holds${more === undefined ? '' : `, ${more}`}
    from reconciliation_items i left join taken t on t.record_id = i.record_id
   where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and ${only}`;

/**
 * Builds the items as they were known. What groups hold of an item now is stored with it: only groups that were held or
 * released after the moment, or that belong to later months, are added up, as `taken`.
 * @param only SQL that holds for the items `i` of today to be built; default: all
 */
export function knownSql(tenantId: string, reconciliationId: string, { at, month }: KnownAt, only = 'true'): KnownSql {
  const parameters = [tenantId, reconciliationId, at, month];
  const ofReconciliation = (alias: string): string =>
    `${alias}.tenant_id = $1::uuid and ${alias}.reconciliation_id = $2::uuid`;
  const isOfToday = at === null;
  const isLater = [...(isOfToday ? [] : ['g.held_at > $3::timestamptz']), 'g.period > $4::text'].join(' or ');
  const released = isOfToday
    ? ''
    : `union all
       select g.id, true from match_groups g
        where ${ofReconciliation('g')} and g.status = 'released' and g.held_at <= $3::timestamptz
          and g.released_at > $3::timestamptz ${month === null ? '' : `and coalesce(g.period, '') <= $4`}`;
  const versions = isOfToday
    ? ''
    : `union all
       select ${columns('w', 'w.excluded')}, coalesce(i.held, 0) + coalesce(t.amount, 0),
              coalesce(i.holds, 0) + coalesce(t.holds, 0)
         from reconciliation_item_versions w
         left join lateral (${itemSql('w.record_id')}) i on true
         left join taken t on t.record_id = w.record_id
        where ${ofReconciliation('w')} and w.valid_from <= $3::timestamptz and w.valid_to > $3::timestamptz`;
  return {
    sql: `asked as (select $3::timestamptz as at, $4::text as month), moved as (
       select g.id, false as is_held from match_groups g
        where ${ofReconciliation('g')} and g.status = 'held' and (${isLater})
       ${released}
     ), taken as materialized (
       select m.record_id, coalesce(sum(case when g.is_held then m.amount else -m.amount end), 0) as amount,
              sum(case when g.is_held then 1 else -1 end)::int as holds
         from moved g cross join lateral (${membersSql('g.id')}) m
        where ${isOfToday ? mayCountSql : 'true'}
        group by 1
     ), known as (
       ${knownItemsSql(isOfToday ? only : `i.valid_from <= $3::timestamptz and ${only}`)}
       ${versions}
     )`,
    parameters,
  };
}

/**
 * SQL for the items that `taken` names, each twice: as they are now, with the sign -1, and as they were known. Added to
 * sums of today, they give the sums of what was known.
 */
export const shiftedSql = `shifted as (
  select ${columns('i', 'i.excluded is not null')}, v.sign, i.held + v.amount as held, i.holds + v.holds as holds
    from taken t
   cross join lateral (${itemSql('t.record_id')}) i
   cross join lateral (values (-1, 0, 0), (1, t.amount, t.holds)) v (sign, amount, holds))`;

/** SQL for the state of an item `k`; one that is neither open nor excluded is held, if only in part. */
export const stateSql = `case when k.excluded then 'excluded'
  when k.ready and case when coalesce(k.amount, 0) = 0 then k.holds = 0 else k.held <> k.amount end then 'open'
  else 'held' end`;

/** SQL: the item `k` takes part, and its day is not after that of a parameter; those without a day always count. */
export const countsSql = (day: string): string =>
  `(k.ready or k.holds > 0) and (${day}::date is null or k.day is null or k.day <= ${day}::date)`;
