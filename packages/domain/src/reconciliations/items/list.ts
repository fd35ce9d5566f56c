import type { Side } from '@tieout/engine';
import type { SqlParameter } from '@tieout/infra';
import { decodeKeyset, keysetPage, type KeysetPage, type KeysetRequest } from '../../kernel/keyset';
import type { TenantScope } from '../../kernel/scope';
import { sideNames, sideNumber, type SideNumber } from '../../results/unmatched';
import { hasCurrencySql } from '../currency';
import { getReconciliation, type Reconciliation } from '../definition';
import { lateSql } from '../periods/month';
import { itemCondition, type ItemCondition } from './filter';
import { orderOf } from './order';
import { todaySql } from './ranges';
import { latestRunOf, proposalsOf, reasonsInRun, type ItemProposals } from './proposals';
import { warningsOfItem } from '../unread-values';
import { recordSql } from '../lookups';
import type { OpenItem, OpenItemFilter, OpenItemSort, OpenItemTotals } from './types';

interface ItemRow extends Omit<OpenItem, 'side' | 'reason' | 'warnings' | keyof ItemProposals> {
  side: SideNumber;
  sortValue: string;
}

const columns = (sortSql: string): string => `i.record_id::text as "recordId", i.side::int as side,
  i.dataset_id::text as "datasetId", i.external_id as "externalId", i.revision, i.amount::text as amount,
  (i.amount - i.held)::text as remaining, i.day::text as date, i.currency,
  (${todaySql('$3')} - i.day)::int as "ageDays",
  i.assignee, i.reason_code as "reasonCode", i.note, i.snoozed_until::text as "snoozedUntil", i.excluded,
  (${sortSql})::text as "sortValue"`;

interface OpenItemsQuery {
  filter: OpenItemFilter;
  page: KeysetRequest & { sort: OpenItemSort };
  /** Counts all items of the filter, and adds up what remains of them. */
  withTotals: boolean;
}

type TotalsOfSides = OpenItemTotals & { sides: Record<Side, OpenItemTotals> };

/**
 * Lists the open items of a reconciliation, or its excluded ones, by default the oldest first.
 * @throws AppError reconciliation_not_found
 */
export async function listOpenItems(
  scope: TenantScope,
  reconciliationId: string,
  query: OpenItemsQuery,
): Promise<KeysetPage<OpenItem> & { totals: TotalsOfSides | null }> {
  const reconciliation = await getReconciliation(scope, reconciliationId);
  const condition = await itemCondition(scope, reconciliation, query.filter, orderOf(query.page.sort));
  const page = await pageOf(scope, reconciliation, { ...query, condition });
  const totals = query.withTotals ? await totalsOf(scope, reconciliation, { ...query, condition }) : null;
  return { ...page, totals };
}

async function pageOf(
  scope: TenantScope,
  reconciliation: Reconciliation,
  { filter, page, condition }: OpenItemsQuery & { condition: ItemCondition },
): Promise<KeysetPage<OpenItem>> {
  const { sql } = condition;
  const parameters = [...condition.parameters];
  const order = orderOf(page.sort);
  let after = '';
  if (page.cursor !== undefined) {
    const [, value, id] = decodeKeyset(page.cursor, [{ is: page.sort }, order.kind, 'id']);
    const compare = order.direction === 'asc' ? '>' : '<';
    after = `and (${order.sql}, i.record_id) ${compare}
      ($${parameters.push(value as string)}::${order.type}, $${parameters.push(id as string)}::uuid)`;
  }
  const limit = page.limit + 1;
  const orderBy = (alias: string, column: string): string =>
    `order by ${column} ${order.direction}, ${alias}.record_id ${order.direction} limit ${limit}`;
  // Each side in its own order, which an index gives.
  const sides = filter.side === undefined ? ['i.side = 0', 'i.side = 1'] : ['true'];
  const selected = sides.map(
    (side) => `(select i.*, ${order.sql} as sort_value from reconciliation_items i
                 where ${sql} and ${side} ${after} ${orderBy('i', order.sql)})`,
  );
  const rows = await scope.db.query<ItemRow>(
    `select ${columns('i.sort_value')}, ${lateSql} as late, r.data || coalesce(r.fields, '{}') as record
       from (${selected.join(' union all ')}) i
       cross join lateral (${recordSql('i.record_id')}) r ${orderBy('i', 'i.sort_value')}`,
    parameters,
  );
  const paged = keysetPage(page, rows, { total: null, sortOf: (row) => [page.sort, row.sortValue, row.recordId] });
  return { ...paged, items: await explained(scope, reconciliation, paged.items) };
}

/** Adds what the latest run says of the items. */
async function explained(
  scope: TenantScope,
  reconciliation: Reconciliation,
  rows: readonly ItemRow[],
): Promise<OpenItem[]> {
  const run = rows.length === 0 ? null : await latestRunOf(scope, reconciliation);
  const ids = rows.map(({ recordId }) => recordId);
  const reasons = run && (await reasonsInRun(scope, run.jobId, rows));
  const proposals = run && (await proposalsOf(scope, reconciliation.id, run, ids));
  return rows.map(({ side, sortValue: _sort, ...row }) => ({
    ...row,
    side: sideNames[side],
    warnings: warningsOfItem(reconciliation, { ...row, side: sideNames[side] }),
    reason: reasons?.get(row.recordId) ?? null,
    bestPossible: proposals?.get(row.recordId)?.bestPossible ?? null,
    bestPossibleComposite: proposals?.get(row.recordId)?.bestPossibleComposite ?? null,
  }));
}

async function totalsOf(
  scope: TenantScope,
  reconciliation: Reconciliation,
  { filter, condition }: { filter: OpenItemFilter; condition: ItemCondition },
): Promise<TotalsOfSides> {
  const rows = isSummed(filter)
    ? await storedTotals(scope, reconciliation, { filter, condition })
    : await countedTotals(scope, condition);
  const of = (side: number): OpenItemTotals => {
    const own = rows.filter((row) => row.side === side);
    return {
      count: own.reduce((sum, { count }) => sum + count, 0),
      amounts: own.map(({ currency, amount }) => ({ currency, amount })),
    };
  };
  const sides = { left: of(0), right: of(1) };
  const whole = filter.side === undefined ? undefined : sides[filter.side];
  return { count: whole?.count ?? sides.left.count + sides.right.count, amounts: whole?.amounts ?? [], sides };
}

interface TotalRow {
  side: number;
  currency: string | null;
  count: number;
  amount: string;
}

/** The parts of a filter by which sums of all open items are maintained. */
const summedBy: readonly string[] = ['side', 'dateFrom', 'dateTo', 'upTo', 'minAgeDays', 'currency'];

/** True where these sums tell the total: items that only a part which is false leaves out are taken off. */
const isSummed = (filter: OpenItemFilter): boolean =>
  Object.entries(filter).every(([name, value]) => value === undefined || value === false || summedBy.includes(name));

/** Items without a day have no age, and lie between no days. */
function storedTotals(
  { db, tenantId }: TenantScope,
  { id, timezone }: Pick<Reconciliation, 'id' | 'timezone'>,
  { filter, condition }: { filter: OpenItemFilter; condition: ItemCondition },
): Promise<TotalRow[]> {
  const { side, dateFrom, dateTo, upTo, minAgeDays, currency } = filter;
  const { exceptSql } = condition;
  const parameters: SqlParameter[] = exceptSql === null ? [tenantId, id, timezone] : [...condition.parameters];
  const of = (value: SqlParameter | undefined): string => `$${parameters.push(value ?? null)}`;
  const [asked, from, to] = [of(side && sideNumber[side]), of(dateFrom), of(dateTo)];
  const [age, last] = [of(minAgeDays), of(upTo)];
  const stored = `select t.side, t.currency, t.count, t.amount - t.held as amount
      from reconciliation_totals t
     where t.tenant_id = $1::uuid and t.reconciliation_id = $2::uuid and t.state = 'open' and t.side is not null
       and (${asked}::int is null or t.side = ${asked}::int) and (${from}::date is null or t.day >= ${from}::date)
       and (${to}::date is null or t.day <= ${to}::date)
       and (${age}::int is null or t.day <= ${todaySql('$3')} - ${age}::int)
       and (${last}::date is null or t.day is null or t.day <= ${last}::date)
       and ${hasCurrencySql('t.currency', of(currency))}`;
  const except =
    exceptSql === null
      ? ''
      : `union all select i.side, i.currency, -1, i.held - coalesce(i.amount, 0) from reconciliation_items i
          where ${exceptSql}`;
  return db.query<TotalRow>(
    `select k.side::int as side, k.currency, sum(k.count)::float8 as count,
            sum(k.amount)::numeric(30, 4)::text as amount
       from (${stored} ${except}) k group by 1, 2 having sum(k.count) > 0 order by 1, 2`,
    parameters,
  );
}

/**
 * Counts what most items fit as a part of the sums. As a condition, about which the planner knows too little, it
 * has all items sorted.
 */
function countedTotals(
  { db }: TenantScope,
  { sql, commonSql, othersSql, parameters }: ItemCondition,
): Promise<TotalRow[]> {
  const fitting = commonSql === null ? '' : `filter (where ${commonSql})`;
  return db.query<TotalRow>(
    `select i.side::int as side, i.currency, (count(*) ${fitting})::float8 as count,
            coalesce(sum(i.amount - i.held) ${fitting}, 0)::numeric(30, 4)::text as amount
       from reconciliation_items i where ${commonSql === null ? sql : othersSql}
      group by 1, 2 having (count(*) ${fitting}) > 0 order by 1, 2`,
    parameters,
  );
}
