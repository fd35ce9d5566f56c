export * from './candidates';
export * from './definition';
export * from './groups';
export * from './items';
export * from './periods';
export { listProposals, proposalKinds, type OpenProposal, type ProposalFilter } from './proposals';
export { wireAmount, wireDecimal } from './amounts';
export {
  openReport,
  type ReconciliationReport,
  type ReportedGroup,
  type ReportedItem,
  type ReportedMember,
} from './report';
export { createReasonCode, deleteReasonCode, listReasonCodes, type ReasonCode } from './reason-codes';
export { ageBuckets, type CountedAmounts, type ReconciliationSummary, type SideSummary } from './summary';
export { foldTotals } from './totals';
