export {
  createReconciliation,
  deleteReconciliation,
  listReconciliations,
  updateReconciliation,
} from './reconciliations';
export {
  allowRuns,
  getReconciliation,
  lockReconciliation,
  reconciliationNotFound,
  shareReconciliation,
  type SharedReconciliation,
} from './rows';
export { assertPasses, changeRuleSet } from './pass-changes';
export { isNetting, paramsOfPass } from './passes';
export { defaultMaxWaitSeconds, defaultQuietSeconds, nextRunOf } from './triggers';
export {
  acceptModes,
  amountSignModes,
  type AcceptMode,
  type AmountSignMode,
  type ItemKeys,
  type LastRun,
  type NewReconciliation,
  type Reconciliation,
  type ReconciliationChange,
  type RunTriggers,
} from './types';
