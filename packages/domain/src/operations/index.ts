export { gaugeBacklog } from './backlog';
export { createMaintenanceHandlers, scheduleMaintenance } from './handlers';
export { inMaintenanceTurns, maintenanceAtOnce } from './turns';
