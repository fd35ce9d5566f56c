import { createHash } from 'node:crypto';
import { AppError, canonicalJson, newId } from '@tieout/infra';
import { recordAudit } from '../audit';
import { readPage, type Page, type PageRequest } from '../kernel/paging';
import type { Actor, TenantScope } from '../kernel/scope';
import { assertPossible, carryOut, reconciliationOf } from './actions';
import type { ProposalStatus, ProposedAction } from './types';

export interface AgentProposal {
  id: string;
  action: ProposedAction['action'];
  input: Record<string, unknown>;
  reconciliationId: string | null;
  reason: string;
  status: ProposalStatus;
  proposedBy: Actor;
  createdAt: Date;
  decidedBy: Actor | null;
  decidedAt: Date | null;
  decisionNote: string | null;
  /** The match group, rule set or matching job that it has become. */
  resultId: string | null;
}

export interface NewAgentProposal {
  proposed: ProposedAction;
  reason: string;
  /** Carries it out at once. */
  mayCommit: boolean;
}

/** All conditions must hold. */
export interface AgentProposalFilter {
  status?: ProposalStatus | undefined;
  reconciliationId?: string | undefined;
}

/** Proposals of a tenant that wait for a person: one who decides on none gets no more of them. */
const maxPending = 1_000;

const hashOf = (proposed: ProposedAction): Uint8Array => createHash('sha256').update(canonicalJson(proposed)).digest();

/**
 * Stores a change that an agent asks for: it is carried out once a person confirms it, at once where the agent may
 * commit. The same as one that waits is that one.
 * @throws AppError as the operation of the action does; conflict where too many wait
 */
export function proposeAction(scope: TenantScope, sent: NewAgentProposal): Promise<AgentProposal> {
  const proposed = JSON.parse(JSON.stringify(sent.proposed)) as ProposedAction;
  return scope.transaction(async (tx) => {
    if (!sent.mayCommit) await assertRoom(tx);
    const made = sent.mayCommit ? await carryOut(tx, proposed, sent.reason) : undefined;
    if (!made) await assertPossible(tx, proposed);
    const { actor } = tx.origin;
    const id = newId();
    const [row] = await tx.db.query<{ id: string }>(
      `insert into agent_proposals (tenant_id, id, action, input, input_hash, reconciliation_id, reason, proposed_by,
         status, decided_by, decided_at, result_id)
       values ($1::uuid, $2::uuid, $3, $4::jsonb, $5::bytea, $6::uuid, $7, $8::jsonb, $9, $10::jsonb,
               case when $9 = 'confirmed' then clock_timestamp() end, $11::uuid)
       on conflict (tenant_id, input_hash) where status = 'pending' do nothing returning id::text as id`,
      [
        tx.tenantId,
        id,
        proposed.action,
        JSON.stringify(proposed.input),
        hashOf(proposed),
        reconciliationOf(proposed),
        sent.reason,
        JSON.stringify(actor),
        made ? 'confirmed' : 'pending',
        made ? JSON.stringify(actor) : null,
        made?.id ?? null,
      ],
    );
    if (!row) return getPending(tx, hashOf(proposed));
    await recordAudit(tx, {
      action: made ? 'agent_proposal.commit' : 'agent_proposal.create',
      object: { type: 'agent_proposal', id },
      after: { ...proposed, ...(made ? { result_id: made.id } : {}) },
      reason: sent.reason,
    });
    return getAgentProposal(tx, id);
  });
}

/** Proposals that arrive together may exceed the limit by their number. */
async function assertRoom({ db }: TenantScope): Promise<void> {
  const waiting = await db.orm.agentProposal.count({ where: { status: 'pending' } });
  if (waiting >= maxPending)
    throw new AppError('conflict', `${waiting} proposals wait for a person: none can be added until some are decided`);
}

async function getPending({ db }: TenantScope, inputHash: Uint8Array): Promise<AgentProposal> {
  const hash = new Uint8Array(inputHash);
  const row = await db.orm.agentProposal.findFirst({ where: { inputHash: hash, status: 'pending' } });
  if (!row) throw new AppError('conflict', 'The same proposal has just been decided: look at it before another one');
  return row as unknown as AgentProposal;
}

/** @throws AppError agent_proposal_not_found */
export async function getAgentProposal({ db }: Pick<TenantScope, 'db'>, id: string): Promise<AgentProposal> {
  const row = await db.orm.agentProposal.findFirst({ where: { id } });
  if (!row) throw new AppError('agent_proposal_not_found', 'Agent proposal not found');
  return row as unknown as AgentProposal;
}

/** Lists proposals, newest first. */
export async function listAgentProposals(
  { db }: TenantScope,
  { status, reconciliationId }: AgentProposalFilter,
  page: PageRequest,
): Promise<Page<AgentProposal>> {
  const where = {
    ...(status === undefined ? {} : { status }),
    ...(reconciliationId === undefined ? {} : { reconciliationId }),
  };
  return readPage(page, {
    count: () => db.orm.agentProposal.count({ where }),
    rows: async ({ skip, take, beforeId }) =>
      (await db.orm.agentProposal.findMany({
        where: { ...where, ...(beforeId === undefined ? {} : { id: { lt: beforeId } }) },
        orderBy: { id: 'desc' },
        skip,
        take,
      })) as unknown as AgentProposal[],
  });
}
