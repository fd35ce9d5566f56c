import type { Side } from '@tieout/engine';
import { AppError, invalid, type FieldError, type Queries, type TenantDb } from '@tieout/infra';
import { recordAudit, type AuditedAction } from '../../audit';
import { emitEvent, enqueueDeliveries } from '../../events';
import type { TenantScope } from '../../kernel/scope';
import { shareReconciliation, type SharedReconciliation } from '../definition';
import { exactUnitsOf, isExactAmount, wireAmount, type Units } from '../amounts';
import { unknownReason, unknownReasons } from '../reason-codes';
import { insertGroup, type Adjustment, type GroupSource, type MemberSums } from './insert';
import { assertUnchanged, lockMembers, type HeldMember } from './members';
import type { AdjustmentInput, MatchGroup, NewMatchGroup } from './types';

export const maxMembers = 2_000;

const byHand: GroupSource = { origin: 'manual', kind: 'manual' };

/** Reports a group that a transaction holds. */
type ReportGroup = (scope: TenantScope, group: MatchGroup) => Promise<void>;

/** Gives a group its event and its entry of the audit. */
export const reportGroup: ReportGroup = async (scope, group) => {
  await emitHeldGroups(scope, [group]);
  await recordAudit(scope, heldAction(group));
};

/** Emits the events of new groups of one reconciliation. A pending group is reported as held once it is approved. */
export async function emitHeldGroups(scope: TenantScope, groups: readonly MatchGroup[]): Promise<void> {
  const reconciliationId = groups[0]?.reconciliationId;
  if (reconciliationId === undefined) return;
  const ids = (isPending: boolean): string[] =>
    groups.flatMap(({ id, status }) => ((status === 'pending') === isPending ? [id] : []));
  await emitGroups(scope, 'MATCH_GROUP_HELD', { reconciliationId, ids: ids(false) });
  await emitGroups(scope, 'MATCH_GROUP_PENDING', { reconciliationId, ids: ids(true) });
}

export const heldAction = (group: MatchGroup): AuditedAction => ({
  action: 'match_group.hold',
  object: { type: 'match_group', id: group.id },
  after: auditedGroup(group),
  reason: group.note,
});

/**
 * Holds records of both sides as one group.
 * @param report takes the place of an entry and an event of its own
 * @throws AppError reconciliation_not_found; validation_error; record_held, record_excluded; not_balanced,
 *   mixed_currencies
 */
export async function createMatchGroup(
  scope: TenantScope,
  input: NewMatchGroup,
  source: GroupSource = byHand,
  report: ReportGroup = reportGroup,
): Promise<MatchGroup> {
  return scope.transaction(async (s) => {
    const reconciliation = await shareReconciliation(s, input.reconciliationId);
    assertSize(input);
    const adjustments = await readAdjustments(s, input.adjustments ?? [], reconciliation);
    const members = await lockMembers(s, reconciliation.id, input);
    if (source.foundBy !== undefined) await assertUnchanged(s, reconciliation.id, members, source.foundBy);
    const currency = currencyOf(members, reconciliation);
    const sums = balance(members, adjustments, reconciliation);
    if (sums && sums.difference !== 0n && source.toleratesDifference !== true) throw notBalanced(sums.difference);
    const { note = null } = input;
    const group = await insertGroup(s, { reconciliation, members, adjustments, sums, currency, source, note });
    await report(s, group);
    return group;
  });
}

function assertSize({ left, right }: Pick<NewMatchGroup, 'left' | 'right'>): void {
  const size = left.length + right.length;
  if (size < 2)
    throw invalid([{ path: '/left', code: 'too_few', message: 'and right must have at least two records' }]);
  if (size > maxMembers) {
    throw invalid([
      { path: '/left', code: 'too_many', message: `and right have ${size} records, of at most ${maxMembers}` },
    ]);
  }
}

async function readAdjustments(
  scope: TenantScope,
  sent: readonly AdjustmentInput[],
  { keys }: SharedReconciliation,
): Promise<Adjustment[]> {
  if (sent.length > 0 && keys.left.amount === null) {
    throw invalid([{ path: '/adjustments', code: 'no_amounts', message: 'must be left out: there are no amounts' }]);
  }
  const unknown = new Set(
    await unknownReasons(
      scope,
      sent.map(({ reasonCode }) => reasonCode),
    ),
  );
  const faults: FieldError[] = [];
  const adjustments = sent.map(({ amount, reasonCode, note = null }, i) => {
    const units = exactUnitsOf(amount) ?? 0n;
    const path = `/adjustments/${i}`;
    if (units === 0n) {
      faults.push({ path: `${path}/amount`, code: 'amount', message: `${isExactAmount}, and not 0` });
    }
    if (unknown.has(reasonCode)) faults.push(unknownReason(`${path}/reasonCode`));
    return { units, reasonCode, note };
  });
  if (faults.length > 0) throw invalid(faults);
  return adjustments;
}

/** @throws AppError mixed_currencies */
function currencyOf(members: readonly HeldMember[], { keys }: SharedReconciliation): string | null {
  if (keys.left.currency === null) return null;
  const currencies = [...new Set(members.map(({ currency }) => currency))];
  if (currencies.length > 1) {
    const list = currencies.map((one) => one ?? 'none').sort();
    throw new AppError('mixed_currencies', `The records have several currencies: ${list.join(', ')}`, {
      errors: [{ path: '', code: 'mixed_currencies', message: list.join(', '), currencies: list }],
    });
  }
  return currencies[0] ?? null;
}

/** Returns the sums of both sides and what they differ by; null where there are no amounts. */
function balance(
  members: readonly HeldMember[],
  adjustments: readonly Adjustment[],
  { keys, amountSign }: SharedReconciliation,
): MemberSums | null {
  if (keys.left.amount === null || members.every(({ units }) => units === null)) return null;
  const sum = (side: Side): Units =>
    members.reduce((total, member) => (member.side === side ? total + (member.units ?? 0n) : total), 0n);
  const [left, right] = [sum('left'), sum('right')];
  const adjusted = adjustments.reduce((total, { units }) => total + units, 0n);
  return { left, right, difference: left - (amountSign === 'same' ? right : -right) + adjusted };
}

function notBalanced(difference: Units): AppError {
  const shown = wireAmount(difference);
  return new AppError(
    'not_balanced',
    `The group does not balance: left less right and adjustments is ${shown}. ` +
      `Add an adjustment of ${wireAmount(-difference)}, or other records`,
    { errors: [{ path: '', code: 'not_balanced', message: `differs by ${shown}`, difference: shown }] },
  );
}

/** The part of a group that the audit keeps. */
export const auditedGroup = (group: MatchGroup): object => ({
  reconciliation_id: group.reconciliationId,
  origin: group.origin,
  left: group.members.left.map(({ recordId, amount }) => ({ record_id: recordId, amount })),
  right: group.members.right.map(({ recordId, amount }) => ({ record_id: recordId, amount })),
  difference: group.difference,
  adjustments: group.adjustments,
  ...(group.approval ? { approval: group.approval.status } : {}),
});

/** Max groups that one event names. */
export const idsPerEvent = 500;

type GroupEventType = 'MATCH_GROUP_HELD' | 'MATCH_GROUP_PENDING' | 'MATCH_GROUP_RELEASED';

interface ChangedGroups {
  reconciliationId: string;
  ids: readonly string[];
  /** The run that has changed them. */
  matchingJobId?: string;
  reasonCode?: string;
}

/** Stores events of groups. Returns whether a delivery waits. */
export async function storeGroupEvents(
  db: Queries | TenantDb,
  tenantId: string,
  type: GroupEventType,
  { reconciliationId, ids, ...more }: ChangedGroups,
): Promise<boolean> {
  let isAnyDelivered = false;
  for (let from = 0; from < ids.length; from += idsPerEvent) {
    const data = { reconciliationId, matchGroupIds: ids.slice(from, from + idsPerEvent), ...more };
    isAnyDelivered = (await emitEvent(db, tenantId, { type, data })) || isAnyDelivered;
  }
  return isAnyDelivered;
}

/** Emits events of groups. */
export async function emitGroups(
  { db, tenantId, queue }: TenantScope,
  type: GroupEventType,
  groups: ChangedGroups,
): Promise<void> {
  if (await storeGroupEvents(db, tenantId, type, groups))
    await db.afterCommit(() => enqueueDeliveries(queue, [tenantId]));
}
