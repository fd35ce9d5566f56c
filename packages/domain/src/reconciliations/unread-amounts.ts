import { readPath, type Side } from '@tieout/engine';
import type { JsonObject } from '../kernel/ports';
import type { TenantScope } from '../kernel/scope';
import type { Reconciliation } from './definition';

/** A warning of amounts that were not read. */
export interface AmountWarning {
  code: 'amount_not_read' | 'amounts_not_read';
  message: string;
}

const limits = 'an amount is a number, or a text such as -1234.50, of up to 15 digits and 4 decimals';

/** Warns of an item whose record has something in the place of the amount. */
export function warningsOfItem(
  { keys }: Pick<Reconciliation, 'keys'>,
  { amount, side, record }: { amount: string | null; side: Side; record: JsonObject },
): AmountWarning[] {
  const key = keys[side].amount;
  if (amount !== null || key === null) return [];
  const value = readPath(record, key);
  if (value === undefined || value === null || value === '') return [];
  return [
    {
      code: 'amount_not_read',
      message: `The record counts without an amount, because its "${key}" is none: ${limits}. Send it again as one`,
    },
  ];
}

/** Warns of a group that holds records without an amount, in a reconciliation that has amounts. */
export function warningsOfMembers(members: readonly { recordId: string; amount: string | null }[]): AmountWarning[] {
  const unread = members.filter(({ amount }) => amount === null);
  if (unread.length === 0) return [];
  const ids = unread.slice(0, 3).map(({ recordId }) => recordId);
  const more = unread.length > ids.length ? ` and ${unread.length - ids.length} more` : '';
  const message = `Records ${ids.join(', ')}${more} have no amount that can be read, and count as 0: ${limits}`;
  return [{ code: 'amounts_not_read', message }];
}

/** Open items without an amount that are counted; an index lists them. */
const maxCounted = 1_000;

/** Warns of open items that sums leave out. */
export async function warningsOfItems(
  { db, tenantId }: TenantScope,
  { id, keys }: Pick<Reconciliation, 'id' | 'keys'>,
): Promise<AmountWarning[]> {
  if (keys.left.amount === null) return [];
  const unread = (side: 0 | 1): string => `(select count(*)::int from (
    select 1 from reconciliation_items i
     where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.side = ${side} and i.open
       and i.amount_rank = 'NaN' limit ${maxCounted}) counted)`;
  const [found] = await db.query<{ left: number; right: number }>(
    `select ${unread(0)} as left, ${unread(1)} as right`,
    [tenantId, id],
  );
  const shown = (count: number): string => (count === maxCounted ? `${maxCounted} or more` : String(count));
  const { left = 0, right = 0 } = found ?? {};
  if (left + right === 0) return [];
  const message =
    `Open records without an amount that can be read: ${shown(left)} on the left, ${shown(right)} on the right. ` +
    `Sums leave them out: ${limits}. GET …/open-items?sort=-amount lists them first`;
  return [{ code: 'amounts_not_read', message }];
}
