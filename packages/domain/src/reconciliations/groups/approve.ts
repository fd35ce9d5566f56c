import { AppError } from '@tieout/infra';
import { personOf, requirePerson } from '../../access/persons';
import { recordAudit } from '../../audit';
import type { Actor, TenantScope } from '../../kernel/scope';
import { shareReconciliation } from '../definition';
import { emitGroups } from './hold';
import { getMatchGroup } from './read';
import { releaseMatchGroup } from './release';
import type { GroupApproval, MatchGroup } from './types';

interface DecidedGroup {
  heldBy: Actor;
  confirmedBy: Actor | null;
}

/**
 * Locks a group that waits for approval.
 * @throws AppError match_group_not_found; conflict where it does not wait; validation_error for who is no person
 */
async function lockPending(s: TenantScope, id: string): Promise<DecidedGroup> {
  const { reconciliationId } = await getMatchGroup(s, id);
  await shareReconciliation(s, reconciliationId);
  const [group] = await s.db.query<DecidedGroup & { isPending: boolean }>(
    `select held_by as "heldBy", confirmed_by as "confirmedBy", status = 'held' and approval = 'pending' as "isPending"
       from match_groups where tenant_id = $1::uuid and id = $2::uuid for update`,
    [s.tenantId, id],
  );
  if (!group?.isPending) throw new AppError('conflict', 'The match group does not wait for approval');
  requirePerson(s.origin.actor, 'approves');
  return group;
}

/**
 * Approves a group that waits for it. Neither its maker does, nor the person who confirmed what a run had tied.
 * @throws AppError match_group_not_found, conflict, validation_error, insufficient_scope for its maker
 */
export function approveMatchGroup(scope: TenantScope, id: string, note: string | null): Promise<MatchGroup> {
  return scope.transaction(async (s) => {
    const { heldBy, confirmedBy } = await lockPending(s, id);
    const makers = [heldBy, ...(confirmedBy ? [confirmedBy] : [])].map(personOf);
    if (makers.includes(personOf(s.origin.actor)) || (await hasMadeKeyOf(s, [heldBy, confirmedBy])))
      throw new AppError('insufficient_scope', 'You have made this match group: another person has to approve it');
    await decide(s, id, { status: 'approved', note });
    const group = await getMatchGroup(s, id);
    await emitGroups(s, 'MATCH_GROUP_HELD', { reconciliationId: group.reconciliationId, ids: [id] });
    await recordAudit(s, {
      action: 'match_group.approve',
      object: { type: 'match_group', id },
      before: { approval: 'pending' },
      after: { approval: 'approved' },
      reason: note,
    });
    return group;
  });
}

/** Returns whether the maker of a key is the only person known behind an actor. */
const isKeyAlone = (actor: Actor | null): boolean =>
  actor?.type === 'agent' || (actor?.type === 'key' && actor.label === null);

/** Returns whether a group was made with a key that the calling user has made. */
async function hasMadeKeyOf({ db, tenantId, origin }: TenantScope, makers: (Actor | null)[]): Promise<boolean> {
  const keyIds = makers.flatMap((maker) => (isKeyAlone(maker) ? (maker?.id ?? []) : []));
  if (origin.actor.type !== 'user' || keyIds.length === 0) return false;
  const rows = await db.query(
    `select 1 from api_keys where tenant_id = $1::uuid and id = any($2::uuid[]) and $3::uuid = any(secret_holder_ids)`,
    [tenantId, keyIds, origin.actor.id],
  );
  return rows.length > 0;
}

/** A group that a person has approved is no longer one that a job may take apart. */
async function decide(
  { db, tenantId, origin }: TenantScope,
  id: string,
  { status, note }: Pick<GroupApproval, 'status' | 'note'>,
): Promise<void> {
  await db.execute(
    `update match_groups
        set approval = $3, decided_at = clock_timestamp(), decided_by = $4::jsonb, decision_note = $5,
            origin = case when $3 = 'approved' and origin = 'auto' then 'confirmed' else origin end,
            confirmed_at = case when $3 = 'approved' and origin = 'auto' then clock_timestamp() else confirmed_at end
      where tenant_id = $1::uuid and id = $2::uuid`,
    [tenantId, id, status, JSON.stringify(origin.actor), note],
  );
}

/**
 * Rejects a group that waits for approval: its records are open again, and no run ties them again by the same rules.
 * @throws AppError as `approveMatchGroup` and `releaseMatchGroup` do
 */
export function rejectMatchGroup(
  scope: TenantScope,
  id: string,
  { reasonCode, note }: { reasonCode: string; note: string | null },
): Promise<MatchGroup> {
  return scope.transaction(async (s) => {
    await lockPending(s, id);
    await decide(s, id, { status: 'rejected', note });
    const group = await releaseMatchGroup(s, id, { reasonCode, note: note ?? undefined });
    await recordAudit(s, {
      action: 'match_group.reject',
      object: { type: 'match_group', id },
      before: { approval: 'pending' },
      after: { approval: 'rejected' },
      reason: note ?? reasonCode,
    });
    return group;
  });
}
