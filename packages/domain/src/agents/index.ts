export { scopeOfAction } from './actions';
export { recordAgentCall, type AgentCall } from './calls';
export { confirmProposal, rejectProposal } from './decide';
export {
  getAgentProposal,
  listAgentProposals,
  proposeAction,
  type AgentProposal,
  type AgentProposalFilter,
  type NewAgentProposal,
} from './proposals';
export { deleteOldProposals } from './retention';
export { proposalStatuses, proposedActions, type ProposalStatus, type ProposedAction } from './types';
