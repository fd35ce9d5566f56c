import { AppError } from '@tieout/infra';
import { grants } from '../access/scopes';
import { requirePerson } from '../access/persons';
import { recordAudit } from '../audit';
import type { TenantScope } from '../kernel/scope';
import { carryOut, scopeOfAction } from './actions';
import { getAgentProposal, type AgentProposal } from './proposals';
import type { ProposalStatus, ProposedAction } from './types';

/** A person's word on a proposal. */
interface ProposalDecision {
  note: string | null;
  /** Scopes of the caller, which must include that of the proposed action. */
  scopes: readonly string[];
}

/**
 * Locks a proposal that waits.
 * @throws AppError agent_proposal_not_found; conflict where it does not wait; validation_error for who is no person;
 *   insufficient_scope for a caller without the scope of the action, and for the key that has proposed it
 */
async function lockWaiting(tx: TenantScope, id: string, scopes: readonly string[]): Promise<AgentProposal> {
  await tx.db.execute('select 1 from agent_proposals where tenant_id = $1::uuid and id = $2::uuid for update', [
    tx.tenantId,
    id,
  ]);
  const proposal = await getAgentProposal(tx, id);
  if (proposal.status !== 'pending') throw new AppError('conflict', `The proposal is ${proposal.status}`);
  const { actor } = tx.origin;
  requirePerson(actor, 'decides on a proposal');
  if (actor.type === 'key' && actor.id === proposal.proposedBy.id)
    throw new AppError('insufficient_scope', 'This key has made the proposal: a person decides on it with another one');
  const needed = scopeOfAction[proposal.action];
  if (!grants(scopes, needed))
    throw new AppError('insufficient_scope', `To decide on this proposal you need the scope ${needed}`);
  return proposal;
}

async function settle(
  tx: TenantScope,
  id: string,
  { status, note, resultId = null }: { status: ProposalStatus; note: string | null; resultId?: string | null },
): Promise<AgentProposal> {
  await tx.db.execute(
    `update agent_proposals
        set status = $3, decided_by = $4::jsonb, decided_at = clock_timestamp(), decision_note = $5,
            result_id = $6::uuid
      where tenant_id = $1::uuid and id = $2::uuid`,
    [tx.tenantId, id, status, JSON.stringify(tx.origin.actor), note, resultId],
  );
  await recordAudit(tx, {
    action: status === 'confirmed' ? 'agent_proposal.confirm' : 'agent_proposal.reject',
    object: { type: 'agent_proposal', id },
    before: { status: 'pending' },
    after: { status, ...(resultId === null ? {} : { result_id: resultId }) },
    reason: note,
  });
  return getAgentProposal(tx, id);
}

/**
 * Carries a proposal out as the person who confirms it: the change is theirs, and what it would be refused for holds.
 * A refused one keeps waiting.
 * @throws AppError as `lockWaiting` and the operation of the action do
 */
export function confirmProposal(
  scope: TenantScope,
  id: string,
  { note, scopes }: ProposalDecision,
): Promise<AgentProposal> {
  return scope.transaction(async (tx) => {
    const { action, input, reason } = await lockWaiting(tx, id, scopes);
    const made = await carryOut(tx, { action, input } as unknown as ProposedAction, reason);
    return settle(tx, id, { status: 'confirmed', note, resultId: made.id });
  });
}

/** @throws AppError as `lockWaiting` does */
export function rejectProposal(
  scope: TenantScope,
  id: string,
  { note, scopes }: ProposalDecision,
): Promise<AgentProposal> {
  return scope.transaction(async (tx) => {
    await lockWaiting(tx, id, scopes);
    return settle(tx, id, { status: 'rejected', note });
  });
}
