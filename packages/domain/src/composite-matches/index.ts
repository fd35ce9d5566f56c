export { deleteCompositesOfRecords, deleteCompositesOfRuleSet } from './store';
