import { createHash } from 'node:crypto';
import type { Side } from '@tieout/engine';
import { newId } from '@tieout/infra';
import type { Actor, TenantScope } from '../../kernel/scope';
import { sideNumber } from '../../results/unmatched';
import { decimalOf, unitsOf, type Units } from '../amounts';
import type { SharedReconciliation } from '../definition';
import { periodOf } from '../periods/month';
import { warningsOfMembers } from '../unread-values';
import type { HeldMember } from './members';
import type { GroupMember, GroupOrigin, MatchGroup } from './types';

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

export interface Adjustment {
  units: Units;
  reasonCode: string;
  note: string | null;
}

export interface MemberSums extends Record<Side, Units> {
  difference: Units;
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
  reconciliation: SharedReconciliation;
  members: readonly HeldMember[];
  adjustments: readonly Adjustment[];
  sums: MemberSums | null;
  currency: string | null;
  source: GroupSource;
  note: string | null;
}

/** Inserts a group, and returns it as reading it gives it, without the way to the database that reading takes. */
export async function insertGroup(scope: TenantScope, group: GroupToInsert): Promise<MatchGroup> {
  const { db, tenantId, origin } = scope;
  const { reconciliation, members, adjustments, source } = group;
  const made = groupOf(group, origin.actor);
  const [row] = await db.prepared.query<{ heldAt: Date }>(
    `with made as (
       insert into match_groups
         (tenant_id, id, reconciliation_id, origin, kind, left_amount, right_amount, difference, currency, match_id,
          composite_match_id, matching_job_id, rule_set_id, rule_set_name, rule_set_version, score, explanation, period,
          late, note, held_by, set_hash, approval, held_at)
       values ($1::uuid, $2::uuid, $3::uuid, $4, $5, $6::numeric, $7::numeric, $8::numeric, $9, $10::uuid, $11::uuid,
               $12::uuid, $13::uuid, $14, $15::int, $16::float8, $17::jsonb, $18, $32::boolean, $19, $20::jsonb,
               $21::bytea, $22, clock_timestamp())
       returning held_at),
     members as (
       insert into match_group_members
         (tenant_id, group_id, reconciliation_id, position, record_id, side, external_id, revision, amount,
          record_amount, day, currency)
       select $1::uuid, $2::uuid, $3::uuid, m.*
         from unnest($23::int[], $24::uuid[], $25::smallint[], $26::text[], $27::int[], $28::numeric[], $29::numeric[],
                     $30::date[], $31::text[]) m)
     select held_at as "heldAt" from made`,
    [
      tenantId,
      made.id,
      reconciliation.id,
      made.origin,
      made.kind,
      made.leftAmount,
      made.rightAmount,
      made.difference,
      made.currency,
      made.matchId,
      made.compositeMatchId,
      made.matchingJobId,
      made.ruleSetId,
      made.ruleSetName,
      made.ruleSetVersion,
      made.score,
      source.explanation === undefined ? null : JSON.stringify(source.explanation),
      made.period,
      made.note,
      JSON.stringify(made.heldBy),
      setHashOf(members.map(({ recordId }) => recordId)),
      made.approval && 'pending',
      members.map((_, position) => position),
      members.map(({ recordId }) => recordId),
      members.map(({ side }) => sideNumber[side]),
      members.map(({ externalId }) => externalId),
      members.map(({ revision }) => revision),
      members.map(({ units }) => decimalOrNull(units)),
      members.map(({ recordUnits }) => decimalOrNull(recordUnits)),
      members.map(({ day }) => day),
      members.map(({ currency }) => currency),
      made.late,
    ],
  );
  if (adjustments.length > 0)
    await db.execute(
      `insert into match_group_adjustments (tenant_id, group_id, position, amount, reason_code, note)
     select $1::uuid, $2::uuid, a.position - 1, a.amount, a.reason_code, a.note
       from unnest($3::numeric[], $4::text[], $5::text[]) with ordinality a (amount, reason_code, note, position)`,
      [
        tenantId,
        made.id,
        made.adjustments.map(({ amount }) => amount),
        made.adjustments.map(({ reasonCode }) => reasonCode),
        made.adjustments.map(({ note }) => note),
      ],
    );
  if (!reconciliation.heldOnce)
    await db.execute(
      `update reconciliations set held_once = true where tenant_id = $1::uuid and id = $2::uuid and not held_once`,
      [tenantId, reconciliation.id],
    );
  if (!row) throw new Error('a group was not inserted');
  return { ...made, heldAt: row.heldAt };
}

const decimalOrNull = (units: Units | null | undefined): string | null =>
  units === null || units === undefined ? null : decimalOf(units);

function groupOf(group: GroupToInsert, heldBy: Actor): Omit<MatchGroup, 'heldAt'> {
  const { reconciliation, members, sums, source } = group;
  const days = members.map(({ day }) => day);
  const period = periodOf(days, reconciliation);
  const isPending = needsApproval(group);
  const of = (side: Side): GroupMember[] => members.filter((member) => member.side === side).map(memberOf);
  const sides = { left: of('left'), right: of('right') };
  const hasAmounts = reconciliation.keys.left.amount !== null;
  return {
    id: newId(),
    reconciliationId: reconciliation.id,
    status: isPending ? 'pending' : 'held',
    origin: source.origin,
    kind: source.kind,
    members: sides,
    leftAmount: decimalOrNull(sums?.left),
    rightAmount: decimalOrNull(sums?.right),
    difference: decimalOrNull(sums?.difference),
    currency: group.currency,
    adjustments: group.adjustments.map(({ units, ...adjustment }) => ({ amount: decimalOf(units), ...adjustment })),
    matchId: source.matchId ?? null,
    compositeMatchId: source.compositeMatchId ?? null,
    matchingJobId: source.matchingJobId ?? null,
    ruleSetId: source.ruleSetId ?? null,
    ruleSetName: source.ruleSetName ?? null,
    ruleSetVersion: source.ruleSetVersion ?? null,
    score: source.score ?? null,
    explanation: source.explanation ?? null,
    period,
    note: group.note,
    stale: false,
    late: isLate(period, days),
    approval: isPending ? { status: 'pending', decidedAt: null, decidedBy: null, note: null } : null,
    heldBy,
    confirmedAt: null,
    confirmedBy: null,
    releasedAt: null,
    releasedBy: null,
    releaseReason: null,
    releaseNote: null,
    warnings: hasAmounts ? warningsOfMembers([...sides.left, ...sides.right]) : [],
  };
}

const memberOf = ({ recordId, externalId, revision, units, day }: HeldMember): GroupMember => ({
  recordId,
  externalId,
  revision,
  amount: decimalOrNull(units),
  date: day,
  current: null,
});

/** Tells whether a group counts in a later month than its records. Without a dated one it is not late. */
function isLate(period: string | null, days: readonly (string | null)[]): boolean {
  const own = periodOf(days, { closedTo: null, lockedTo: null });
  return own !== null && period !== null && period > own;
}

/** Returns the hash by which the same records are found again; a run computes the same one in SQL. */
export const setHashOf = (recordIds: readonly string[]): Uint8Array =>
  createHash('sha256')
    .update([...recordIds].sort().join(' '))
    .digest();
