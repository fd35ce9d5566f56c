import { hash } from 'node:crypto';
import { canonicalJson, type Queries, type SqlParameter, type TenantDb } from '@tieout/infra';
import type { Actor, TenantScope } from '../kernel/scope';

/** An action to record, as the caller of `recordAudit` describes it. */
export interface AuditedAction {
  /** For example `match_group.hold`. */
  action: string;
  object: { type: string; id: string };
  before?: object | null;
  after?: object | null;
  reason?: string | null;
}

/** One entry of a tenant's chain. */
export interface AuditEntry {
  /** From 1, without gaps. */
  seq: number;
  at: Date;
  actor: Actor;
  action: string;
  object: { type: string; id: string };
  before: object | null;
  after: object | null;
  reason: string | null;
  requestId: string | null;
  /** Hash of the previous entry; 64 zeros in the first one. */
  prevHash: string;
  hash: string;
}

export const firstPrevHash = '0'.repeat(64);

/** The content of an entry without its place in the chain; its objects are canonical JSON. */
export interface EntryContent extends Pick<AuditEntry, 'action' | 'object' | 'reason' | 'requestId'> {
  actor: string;
  before: string;
  after: string;
}

/** The place of an entry in its chain. */
interface ChainPlace extends Pick<AuditEntry, 'seq' | 'prevHash'> {
  /** Milliseconds since 1970. */
  atMs: number;
}

/** Writes the canonical JSON of an entry in three parts, after which its time, the previous hash and its number go. */
function canonicalParts({
  actor,
  action,
  object,
  before,
  after,
  reason,
  requestId,
}: EntryContent): [string, string, string] {
  const quoted = (text: string | null): string => JSON.stringify(text);
  const named = `{"id":${quoted(object.id)},"type":${quoted(object.type)}}`;
  return [
    `{"action":${quoted(action)},"actor":${actor},"after":${after},"at":"`,
    `","before":${before},"object":${named},"prev_hash":"`,
    `","reason":${quoted(reason)},"request_id":${quoted(requestId)},"seq":`,
  ];
}

/**
 * Returns the hash of an entry: SHA-256 over the previous hash and the canonical JSON of the entry, in hex. The
 * database computes the same when it appends.
 */
export function hashOf(entry: EntryContent, { seq, atMs, prevHash }: ChainPlace): string {
  const [toTime, toHash, toNumber] = canonicalParts(entry);
  const text = `${toTime}${new Date(atMs).toISOString()}${toHash}${prevHash}${toNumber}${seq}}`;
  return hash('sha256', prevHash + text, 'hex');
}

const parameters = `$1::uuid, $2::jsonb, $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9, $10::text[]`;

/** SQL call that appends an entry; its parameters come from `appendParameters`. */
export const appendSql = `append_audit(${parameters})`;

/** The author of an entry, and its tenant. */
type AuditOrigin = Pick<TenantScope, 'tenantId' | 'origin'>;

export function appendParameters({ tenantId, origin }: AuditOrigin, done: AuditedAction): SqlParameter[] {
  const { action, object, reason = null } = done;
  const { requestId } = origin;
  const actor = canonicalJson(origin.actor);
  const [before, after] = [canonicalOrNull(done.before), canonicalOrNull(done.after)];
  const text = canonicalParts({
    action,
    object,
    reason,
    requestId,
    actor,
    before: before ?? 'null',
    after: after ?? 'null',
  });
  return [tenantId, actor, action, object.type, object.id, before, after, reason, requestId, text];
}

/** Writes the canonical JSON of a value; what JSON cannot represent is dropped. */
const canonicalOrNull = (value: object | null | undefined): string | null =>
  value ? canonicalJson(JSON.parse(JSON.stringify(value))) : null;

const columns = `tenant_id, actor, action, object_type, object_id, before, after, reason, request_id, written`;

/**
 * Queues an entry, which the commit of the transaction appends to the tenant's chain; entries keep the order of the
 * calls. Every audited change of a tenant locks the end of the chain, so where the database handle allows it, the
 * commit releases that lock before it is flushed to disk.
 */
export async function recordAudit(scope: AuditOrigin & { db: Queries | TenantDb }, done: AuditedAction): Promise<void> {
  const db = 'prepared' in scope.db ? scope.db.prepared : scope.db;
  const flush = 'prepared' in scope.db ? scope.db.flushAfterCommit : undefined;
  flush?.();
  await db.execute(`insert into audit_waiting (${columns}, is_flushed_later) values (${parameters}, $11)`, [
    ...appendParameters(scope, done),
    flush !== undefined,
  ]);
}
