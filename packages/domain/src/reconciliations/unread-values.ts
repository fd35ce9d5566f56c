import { readPath, type Side } from '@tieout/engine';
import type { JsonObject } from '../kernel/ports';
import type { TenantScope } from '../kernel/scope';
import { recordSql } from './lookups';
import type { Reconciliation } from './definition';

/** A warning of amounts or dates that were not read. */
export interface UnreadWarning {
  code: 'amount_not_read' | 'amounts_not_read' | 'date_not_read' | 'dates_not_read';
  message: string;
}

const limits =
  'an amount is a number, or a text such as -1234.50, of up to 4 decimals, ' +
  `whose digits are at most ${Number.MAX_SAFE_INTEGER}`;

const dateForms = 'a date is a text such as 2026-01-31, or a timestamp such as 2026-01-31T09:30:00Z';

/** Warns of an item whose record has something in the place of the amount, or of the date. */
export function warningsOfItem(
  { keys }: Pick<Reconciliation, 'keys'>,
  { side, record, ...item }: { amount: string | null; date: string | null; side: Side; record: JsonObject },
): UnreadWarning[] {
  const isUnread = (value: string | null, key: string | null): key is string =>
    value === null && key !== null && !isBlank(readPath(record, key));
  const { amount, date } = keys[side];
  const warnings: UnreadWarning[] = [];
  if (isUnread(item.amount, amount)) {
    const message =
      `The record counts without an amount, because its "${amount}" is none: ${limits}. ` + 'Send it again as one';
    warnings.push({ code: 'amount_not_read', message });
  }
  if (isUnread(item.date, date)) {
    const message =
      `The record counts without a date, and so in every month, because its "${date}" is none: ${dateForms}. ` +
      'Send it again as one';
    warnings.push({ code: 'date_not_read', message });
  }
  return warnings;
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Warns of a group that holds records without an amount, in a reconciliation that has amounts. */
export function warningsOfMembers(members: readonly { recordId: string; amount: string | null }[]): UnreadWarning[] {
  const unread = members.filter(({ amount }) => amount === null);
  if (unread.length === 0) return [];
  const ids = unread.slice(0, 3).map(({ recordId }) => recordId);
  const more = unread.length > ids.length ? ` and ${unread.length - ids.length} more` : '';
  const message = `Records ${ids.join(', ')}${more} have no amount that can be read, and count as 0: ${limits}`;
  return [{ code: 'amounts_not_read', message }];
}

/** Open items of a side without an amount, or a date, that are counted; an index lists them. */
const maxCounted = 1_000;

type UnreadCounts = Record<Side, number>;

const shownCounts = ({ left, right }: UnreadCounts): string => {
  const shown = (count: number): string => (count === maxCounted ? `${maxCounted} or more` : String(count));
  return `${shown(left)} on the left, ${shown(right)} on the right`;
};

/**
 * Warns of open items without a readable amount, which sums leave out, and of those without a readable date, which
 * count in every month.
 */
export async function warningsOfItems(
  scope: TenantScope,
  { id, keys }: Pick<Reconciliation, 'id' | 'keys'>,
): Promise<UnreadWarning[]> {
  const amounts = keys.left.amount === null ? none : await countUnread(scope, id, withoutAmountSql);
  const dates = await countUnread(scope, id, unreadDateSql, [keys.left.date, keys.right.date]);
  const warnings: UnreadWarning[] = [];
  if (amounts.left + amounts.right > 0) {
    const message =
      `Open records without an amount that can be read: ${shownCounts(amounts)}. ` +
      `Sums leave them out: ${limits}. GET …/open-items?sort=-amount lists them first`;
    warnings.push({ code: 'amounts_not_read', message });
  }
  if (dates.left + dates.right > 0) {
    const message =
      `Open records with a date that cannot be read: ${shownCounts(dates)}. ` +
      `They count in every month: ${dateForms}. GET …/open-items?sort=-date lists them first`;
    warnings.push({ code: 'dates_not_read', message });
  }
  return warnings;
}

const none: UnreadCounts = { left: 0, right: 0 };

/** SQL for the open items `i` of a side whose indexed value says that there is none. */
const missingSql = (side: 0 | 1, rank: string): string => `select i.tenant_id, i.record_id from reconciliation_items i
  where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.side = ${side} and i.open and ${rank}
  limit ${maxCounted}`;

const withoutAmountSql = (side: 0 | 1): string => missingSql(side, `i.amount_rank = 'NaN'`);

/** A record may lack a date, so only the record tells whether its date is unreadable or missing. */
const unreadDateSql = (side: 0 | 1): string => `select 1 from (${missingSql(side, `i.day_rank = 'infinity'`)}) m
  cross join lateral (${recordSql('m.record_id')}) r
  where btrim(value_at(r.data, r.fields, $${side + 3}) #>> '{}', E' \\t\\n\\r') <> ''`;

async function countUnread(
  { db, tenantId }: TenantScope,
  id: string,
  sqlOf: (side: 0 | 1) => string,
  keys: readonly (string | null)[] = [],
): Promise<UnreadCounts> {
  const [found] = await db.query<UnreadCounts>(
    `select (select count(*)::int from (${sqlOf(0)}) l) as left, (select count(*)::int from (${sqlOf(1)}) r) as right`,
    [tenantId, id, ...keys],
  );
  return found ?? none;
}
