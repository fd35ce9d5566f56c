import { useQuery } from '@tanstack/react-query';
import { tieout, type Schema } from './client';

export type AgentProposalAnswer = Schema<'AgentProposal'>;

export const agentProposalsKey = ['agent-proposals'];

/** Reads the proposals that wait for a person, the newest first. */
export const useAgentProposals = (isAllowed: boolean) =>
  useQuery({
    queryKey: agentProposalsKey,
    queryFn: ({ signal }) => tieout.listAgentProposals({ query: { status: 'pending', limit: 20 }, signal }),
    enabled: isAllowed,
    refetchInterval: 60_000,
  });

export const confirmProposal = (id: string) => tieout.confirmAgentProposal({ path: { id }, body: {} });
export const rejectProposal = (id: string) => tieout.rejectAgentProposal({ path: { id }, body: {} });
