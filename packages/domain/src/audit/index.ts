export { recordAudit, type AuditedAction, type AuditEntry } from './chain';
export { listAudit, verifyAudit, type AuditFilter, type AuditVerification } from './read';
