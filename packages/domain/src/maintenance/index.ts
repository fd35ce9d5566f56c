export { createMaintenanceHandlers, scheduleMaintenance } from './handlers';
