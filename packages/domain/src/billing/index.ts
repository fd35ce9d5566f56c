export { bookJob } from './ledger';
export { billingUsage, type BillingUsage, type UsageRange } from './usage';
