export { changesOf } from './changes';
export { reportAuditHeads } from './head';
export { recordAudit, type AuditedAction, type AuditEntry } from './chain';
export { listAudit, readAudit, type AuditFilter } from './read';
export { verifyAudit, type AuditVerification } from './verify';
