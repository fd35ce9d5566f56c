export type { ReportedGroup, ReportedMember } from './groups';
export type { ReportedItem } from './items';
export { openReport, type ReconciliationReport } from './report';
