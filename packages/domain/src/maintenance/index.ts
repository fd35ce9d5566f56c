export { gaugeBacklog } from './backlog';
export { createMaintenanceHandlers, scheduleMaintenance } from './handlers';
