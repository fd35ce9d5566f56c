export { gaugeBacklog } from './backlog';
export { createMaintenanceHandlers, scheduleMaintenance } from './handlers';
export { maxConcurrentMaintenance, withMaintenancePermit } from './permits';
export { requireSecretsKey } from './secrets-key';
