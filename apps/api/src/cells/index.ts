export { TenantCells, type Cell } from './cells';
export { openCells } from './open';
export { createInCell, databaseFor, listOfAll } from './tenants';
