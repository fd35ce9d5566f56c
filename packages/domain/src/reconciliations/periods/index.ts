export { listBalances, stateBalance, type BalanceFilter, type NewBalance, type SideBalance } from './balances';
export { closePeriod, lockPeriod } from './close';
export { assertDeletable } from './guard';
export { closedPeriods, periodStatuses, type PeriodStatus } from './month';
export { type BalanceProof } from './proof';
export {
  getPeriod,
  listCertifiedItems,
  listPeriods,
  type CertifiedItem,
  type Period,
  type PeriodCertificate,
} from './read';
export { reopenPeriod } from './reopen';
export { proofTerms, type KnownSide, type ProofTerm } from './sums';
export { sweepProofs } from './sweep';
export { summariseAt, type AskedSummary, type ProvedSummary, type SummaryView } from './summarise';
