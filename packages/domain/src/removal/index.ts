export { deleteDataset, purgeDeletedDatasets } from './datasets';
export { deleteRecord, removeRecordsOfFile } from './records';
export { deleteRuleSet } from './rule-sets';
export { deleteTenant, eraseTenant, sweepDeletedTenants } from './tenants';
