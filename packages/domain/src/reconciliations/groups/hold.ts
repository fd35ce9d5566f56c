import { createHash } from 'node:crypto';
import type { Side } from '@tieout/engine';
import { AppError, invalid, newId, type FieldError, type Queries, type TenantDb } from '@tieout/infra';
import { recordAudit, type AuditedAction } from '../../audit';
import { emitEvent, enqueueDeliveries } from '../../events';
import type { TenantScope } from '../../kernel/scope';
import { sideNumber } from '../../results/unmatched';
import { shareReconciliation, type SharedReconciliation } from '../definition';
import { decimalOf, exactUnitsOf, isExactAmount, unitsOf, wireAmount, type Units } from '../amounts';
import { periodOf } from '../periods/month';
import { unknownReason, unknownReasons } from '../reason-codes';
import { assertUnchanged, lockMembers, type HeldMember } from './members';
import { getMatchGroup } from './read';
import type { AdjustmentInput, GroupOrigin, MatchGroup, NewMatchGroup } from './types';

export const maxMembers = 2_000;

/** The origin of a group: a person, a match or a composite. */
export interface GroupSource {
  origin: GroupOrigin;
  kind: MatchGroup['kind'];
  matchId?: string;
  compositeMatchId?: string;
  matchingJobId?: string;
  ruleSetId?: string;
  ruleSetName?: string;
  ruleSetVersion?: number;
  score?: number;
  explanation?: unknown;
  /** A difference that the rule tolerates, or that has no rule, does not refuse the group. */
  toleratesDifference?: boolean;
  /** The run that has found the group, of records as they were then. */
  foundBy?: string;
}

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

interface Adjustment {
  units: Units;
  reasonCode: string;
  note: string | null;
}

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
    const id = newId();
    await insertGroup(s, {
      id,
      reconciliation,
      members,
      adjustments,
      sums,
      currency,
      source,
      note: input.note ?? null,
    });
    const group = await getMatchGroup(s, id);
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

interface Sums extends Record<Side, Units> {
  difference: Units;
}

/** Returns the sums of both sides and what they differ by; null where there are no amounts. */
function balance(
  members: readonly HeldMember[],
  adjustments: readonly Adjustment[],
  { keys, amountSign }: SharedReconciliation,
): Sums | null {
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

const sizeOf = (units: Units | null | undefined): Units => (units == null ? 0n : units < 0n ? -units : units);

/**
 * Returns whether a group waits for approval: the amount of a side, of a record, of which it may hold a part, or of all
 * adjustments, whatever their signs, is above the limit, or one cannot be read.
 */
function needsApproval({
  reconciliation: { approvalAbove },
  members,
  adjustments,
  sums,
}: Pick<GroupToInsert, 'reconciliation' | 'members' | 'adjustments' | 'sums'>): boolean {
  if (approvalAbove === null) return false;
  const limit = unitsOf(approvalAbove) ?? 0n;
  const adjusted = adjustments.reduce((sum, { units }) => sum + sizeOf(units), 0n);
  const sizes = [sums?.left, sums?.right, adjusted, ...members.map(({ recordUnits }) => recordUnits)].map(sizeOf);
  return members.some(({ units }) => units === null) || sizes.some((size) => size > limit);
}

interface GroupToInsert {
  id: string;
  reconciliation: SharedReconciliation;
  members: readonly HeldMember[];
  adjustments: readonly Adjustment[];
  sums: Sums | null;
  currency: string | null;
  source: GroupSource;
  note: string | null;
}

const decimalOrNull = (units: Units | null | undefined): string | null =>
  units === null || units === undefined ? null : decimalOf(units);

async function insertGroup({ db, tenantId, origin }: TenantScope, group: GroupToInsert): Promise<void> {
  const { id, reconciliation, members, adjustments, sums, source } = group;
  await db.prepared.execute(
    `with made as (
       insert into match_groups
         (tenant_id, id, reconciliation_id, origin, kind, left_amount, right_amount, difference, currency, match_id,
          composite_match_id, matching_job_id, rule_set_id, rule_set_name, rule_set_version, score, explanation, period,
          note, held_by, set_hash, approval, held_at)
       values ($1::uuid, $2::uuid, $3::uuid, $4, $5, $6::numeric, $7::numeric, $8::numeric, $9, $10::uuid, $11::uuid,
               $12::uuid, $13::uuid, $14, $15::int, $16::float8, $17::jsonb, $18, $19, $20::jsonb, $21::bytea, $22,
               clock_timestamp()))
     insert into match_group_members
       (tenant_id, group_id, reconciliation_id, position, record_id, side, external_id, revision, amount,
        record_amount, day, currency)
     select $1::uuid, $2::uuid, $3::uuid, m.*
       from unnest($23::int[], $24::uuid[], $25::smallint[], $26::text[], $27::int[], $28::numeric[], $29::numeric[],
                   $30::date[], $31::text[]) m`,
    [
      tenantId,
      id,
      reconciliation.id,
      source.origin,
      source.kind,
      decimalOrNull(sums?.left),
      decimalOrNull(sums?.right),
      decimalOrNull(sums?.difference),
      group.currency,
      source.matchId ?? null,
      source.compositeMatchId ?? null,
      source.matchingJobId ?? null,
      source.ruleSetId ?? null,
      source.ruleSetName ?? null,
      source.ruleSetVersion ?? null,
      source.score ?? null,
      source.explanation === undefined ? null : JSON.stringify(source.explanation),
      periodOf(
        members.map(({ day }) => day),
        reconciliation,
      ),
      group.note,
      JSON.stringify(origin.actor),
      setHashOf(members.map(({ recordId }) => recordId)),
      needsApproval(group) ? 'pending' : null,
      members.map((_, position) => position),
      members.map(({ recordId }) => recordId),
      members.map(({ side }) => sideNumber[side]),
      members.map(({ externalId }) => externalId),
      members.map(({ revision }) => revision),
      members.map(({ units }) => decimalOrNull(units)),
      members.map(({ recordUnits }) => decimalOrNull(recordUnits)),
      members.map(({ day }) => day),
      members.map(({ currency }) => currency),
    ],
  );
  if (adjustments.length > 0)
    await db.execute(
      `insert into match_group_adjustments (tenant_id, group_id, position, amount, reason_code, note)
     select $1::uuid, $2::uuid, a.position - 1, a.amount, a.reason_code, a.note
       from unnest($3::numeric[], $4::text[], $5::text[]) with ordinality a (amount, reason_code, note, position)`,
      [
        tenantId,
        id,
        adjustments.map(({ units }) => decimalOf(units)),
        adjustments.map(({ reasonCode }) => reasonCode),
        adjustments.map(({ note }) => note),
      ],
    );
  if (!reconciliation.heldOnce)
    await db.execute(
      `update reconciliations set held_once = true where tenant_id = $1::uuid and id = $2::uuid and not held_once`,
      [tenantId, reconciliation.id],
    );
}

/** Returns the hash by which the same records are found again; a run computes the same one in SQL. */
export const setHashOf = (recordIds: readonly string[]): Uint8Array =>
  createHash('sha256')
    .update([...recordIds].sort().join(' '))
    .digest();

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
