export { changesOf } from './changes';
export { reportAuditHeads } from './head';
export { recordAudit, type AuditedAction, type AuditEntry } from './chain';
export { listAudit, readAudit, verifyAudit, type AuditFilter, type AuditVerification } from './read';
