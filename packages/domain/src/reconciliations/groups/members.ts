import type { Side } from '@tieout/engine';
import { AppError, invalid, type FieldError } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { sideNumber } from '../../results/unmatched';
import { decimalOf, exactUnitsOf, isExactAmount, unitsOf, wireAmount, type Units } from '../amounts';
import type { MemberInput } from './types';

/** SQL for what the record of an item `i` is now. */
const nowSql = (item: string, now: string): string => `case when i.differs then i.${now} else i.${item} end`;

/** SQL: the record of item `i` is gone, or differs from what it was when member `m` was tied. */
export const memberDiffersSql = `(i.differs and i.now_revision is null
  or (${nowSql('amount', 'now_amount')}, ${nowSql('day', 'now_day')}, ${nowSql('currency', 'now_currency')})
     is distinct from (m.record_amount, m.day, m.currency))`;

/** SQL for what the record of an item `i` is now; all null where it is gone. */
export const currentSql = `jsonb_build_object(
  'revision', ${nowSql('revision', 'now_revision')}, 'amount', (${nowSql('amount', 'now_amount')})::text,
  'date', ${nowSql('day', 'now_day')}, 'currency', ${nowSql('currency', 'now_currency')})`;

/** An item that is locked until the end of the transaction. */
interface LockedItem {
  recordId: string;
  side: number;
  externalId: string | null;
  revision: number;
  amount: string | null;
  held: string;
  holds: number;
  day: string | null;
  currency: string | null;
  ready: boolean;
  isExcluded: boolean;
}

/** A record with what a new group will hold of it. */
export interface HeldMember {
  recordId: string;
  side: Side;
  externalId: string | null;
  revision: number;
  /** null: the record has no amount. */
  units: Units | null;
  recordUnits: Units | null;
  day: string | null;
  currency: string | null;
}

/**
 * Locks the items of the members, and works out what is held of each.
 * @throws AppError validation_error: a record that is no item of the side, an amount that the record has not;
 *   record_held, record_excluded, conflict
 */
export async function lockMembers(
  scope: TenantScope,
  reconciliationId: string,
  sent: Record<Side, readonly MemberInput[]>,
): Promise<HeldMember[]> {
  const all = (['left', 'right'] as const).flatMap((side) =>
    sent[side].map(({ recordId, amount }, i) => ({
      side,
      recordId: recordId.toLowerCase(),
      amount,
      path: `/${side}/${i}`,
    })),
  );
  const items = await lockItems(
    scope,
    reconciliationId,
    all.map(({ recordId }) => recordId),
  );
  const faults: FieldError[] = [];
  const seen = new Set<string>();
  const members = all.flatMap(
    ({ side, recordId, amount, path }): (HeldMember & { path: string; item: LockedItem })[] => {
      const item = items.get(recordId);
      if (seen.has(recordId)) faults.push({ path, code: 'duplicate', message: 'is given twice' });
      else if (!item || item.side !== sideNumber[side]) faults.push(noItem(path, side, item));
      else {
        seen.add(recordId);
        return [{ ...memberOf(item, side, { amount, path, faults }), path, item }];
      }
      return [];
    },
  );
  if (faults.length > 0) throw invalid(faults);
  for (const { item, units } of members) await assertOpen(scope, reconciliationId, item, units);
  return members.map(({ path: _path, item: _item, ...member }) => member);
}

/** SQL: the item `i` is as the run has seen it whose snapshot this is. */
export const isAsSeenSql = (snapshot: string): string =>
  `coalesce(pg_visible_in_snapshot(i.changed_by, ${snapshot}), true)`;

/**
 * Makes sure that a run has seen the locked members as they are: what it found was right for what they were.
 * @throws AppError conflict
 */
export async function assertUnchanged(
  { db, tenantId }: TenantScope,
  reconciliationId: string,
  members: readonly HeldMember[],
  jobId: string,
): Promise<void> {
  const [changed] = await db.query<{ id: string }>(
    `select i.record_id::text as id from reconciliation_items i
       join matching_jobs j on j.tenant_id = $1::uuid and j.id = $4::uuid
      where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.record_id = any($3::uuid[])
        and not ${isAsSeenSql('j.snapshot::pg_snapshot')}
      order by i.record_id limit 1`,
    [tenantId, reconciliationId, members.map(({ recordId }) => recordId), jobId],
  );
  if (!changed) return;
  throw new AppError(
    'conflict',
    `Record ${changed.id} has changed since the run, or was held meanwhile: run again, or tie the records by hand`,
  );
}

const noItem = (path: string, side: Side, item: LockedItem | undefined): FieldError => ({
  path,
  code: item ? 'other_side' : 'unknown_record',
  message: item ? `is a record of the other side` : `names no record of the ${side} side of the reconciliation`,
});

/** The order of ids in all writers prevents deadlocks. */
async function lockItems(
  { db, tenantId }: TenantScope,
  reconciliationId: string,
  recordIds: readonly string[],
): Promise<Map<string, LockedItem>> {
  const rows = await db.prepared.query<LockedItem>(
    `select record_id::text as "recordId", side::int as side, external_id as "externalId", revision,
            amount::text as amount, held::text as held, holds, day::text as day, currency, ready,
            excluded is not null as "isExcluded"
       from reconciliation_items
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and record_id = any($3::uuid[])
      order by record_id for no key update`,
    [tenantId, reconciliationId, recordIds],
  );
  return new Map(rows.map((row) => [row.recordId, row]));
}

function memberOf(
  item: LockedItem,
  side: Side,
  { amount, path, faults }: { amount: number | string | undefined; path: string; faults: FieldError[] },
): HeldMember {
  const own = item.amount === null ? null : unitsOf(item.amount);
  const rest = own === null ? null : own - (unitsOf(item.held) ?? 0n);
  const units = amount === undefined ? rest : exactUnitsOf(amount);
  const at = `${path}/amount`;
  if (amount !== undefined) {
    if (units === null) faults.push({ path: at, code: 'amount', message: isExactAmount });
    else if (own === null)
      faults.push({ path: at, code: 'no_amount', message: 'must be left out: the record has none' });
    else if (units === 0n && own !== 0n) faults.push({ path: at, code: 'zero', message: 'must not be 0' });
    // One that is held wholly is refused as such.
    else if (rest !== 0n && isBeyond(units, own)) {
      const message = `must be between 0 and the record's own amount, ${wireAmount(own)}`;
      faults.push({ path: at, code: 'exceeds_amount', message });
    }
  }
  return {
    recordId: item.recordId,
    side,
    externalId: item.externalId,
    revision: item.revision,
    units,
    recordUnits: own,
    day: item.day,
    currency: item.currency,
  };
}

/** True if an amount has another sign than the limit, or is larger. */
const isBeyond = (units: Units, limit: Units): boolean =>
  limit >= 0n ? units < 0n || units > limit : units > 0n || units < limit;

async function assertOpen(
  scope: TenantScope,
  reconciliationId: string,
  item: LockedItem,
  units: Units | null,
): Promise<void> {
  const name = `Record ${item.recordId}`;
  if (item.isExcluded) throw new AppError('record_excluded', `${name} is excluded: include it first`);
  const own = unitsOf(item.amount) ?? 0n;
  const held = unitsOf(item.held) ?? 0n;
  const isFull = own === 0n ? item.holds > 0 : held === own || (units !== null && isBeyond(units, own - held));
  if (isFull) {
    const group = await groupHolding(scope, reconciliationId, item.recordId);
    const rest = held === own ? 'is held' : `is held but for ${decimalOf(own - held)}`;
    throw new AppError('record_held', `${name} ${rest}: release match group ${group ?? 'that holds it'} first`, {
      errors: [{ path: '', code: 'record_held', message: `${name} ${rest}`, recordId: item.recordId, groupId: group }],
    });
  }
  if (!item.ready) throw new AppError('conflict', `${name} is not ready: it is being normalised, or has failed`);
}

async function groupHolding(
  { db, tenantId }: TenantScope,
  reconciliationId: string,
  recordId: string,
): Promise<string | null> {
  const [group] = await db.query<{ id: string }>(
    `select g.id::text as id from match_group_members m join match_groups g on g.id = m.group_id
      where m.tenant_id = $1::uuid and m.record_id = $3::uuid and m.reconciliation_id = $2::uuid and g.status = 'held'
      order by g.id desc limit 1`,
    [tenantId, reconciliationId, recordId],
  );
  return group?.id ?? null;
}
