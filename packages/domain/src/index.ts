export * from './kernel/jobs';
export { attemptOutcomes, domainMetrics } from './kernel/metrics';
export * from './kernel/paging';
export * from './kernel/ports';
export * from './kernel/quotas';
export * from './kernel/retention';
export * from './kernel/scope';
export { groupsByWeight, maxSentBytes } from './kernel/grouping';
export * from './compose';
export { runWorker } from './worker';
export * from './events';
export * from './access/pauses';
export * from './audit';
export * from './access/tenants';
export * from './access/scopes';
export { roles, scopesOfRole, type Role } from './access/roles';
export {
  addressFilter,
  networkOf,
  parseAddressRange,
  parseClientAddress,
  type ParsedRange,
} from './access/address-ranges';
export type { Creator } from './access/callers';
export { endSession, listSessions, type OpenedSession, type SessionClient, type UserSession } from './access/sessions';
export * from './access/api-keys';
export * from './access/users';
export * from './access/idempotency';
export * from './access/quotas';
export * from './access/rate-limits';
export * from './data/data-sources';
export * from './data/datasets';
export {
  csvOfTable,
  csvOfTables,
  csvRow,
  csvType,
  guarded,
  numberText,
  quoted,
  type ReadingWarning,
  type Table,
  type TableCell,
  type TableColumn,
  type TableColumnKind,
  type TableRow,
  workbookOf,
  xlsxType,
} from '@tieout/formats';
export * from './data/records';
export * from './data/files';
export * from './data/setup';
export * from './rules/evaluation';
export * from './rules/rule-sets';
export {
  listUnmatched,
  unmatchedReasons,
  type UnmatchedFilter,
  type UnmatchedReason,
  type UnmatchedRecord,
} from './results/unmatched';
export {
  reviewStatuses,
  type ChangedVersion,
  type Review,
  type ReviewInput,
  type ReviewStatus,
} from './results/reviews';
export * from './results/matches';
export * from './results/composites';
export {
  evaluateRuleSet,
  mistakesOf,
  type Evaluation,
  type EvaluationInput,
  type Mistake,
  type Quality,
} from './results/evaluation';
export { listClusters, type Cluster } from './results/clusters';
export * from './reconciliations';
export * from './matching';
export * from './inquiries';
export { createInquiryHandlers } from './inquiry-handlers';
export * from './simulations';
export * from './agents';
export * from './suggestions';
export * from './feeds/open-finance';
export * from './feeds/browse';
export * from './feeds/items';
export * from './webhooks';
export * from './removal';
export * from './moving';
export { billingUsage, type BillingUsage, type UsageRange } from './billing/usage';
export * from './operations';
