export { deleteDataset, purgeDeletedDatasets } from './datasets';
export { deleteRecord, removeRecordsOfFile } from './records';
export { deleteRuleSet } from './rule-sets';
export { tenantTables } from './tenant-rows';
export { deleteTenant, eraseTenant, sweepDeletedTenants } from './tenants';
