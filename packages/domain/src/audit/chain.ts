import { hash } from 'node:crypto';
import { canonicalJson, type Queries } from '@tieout/infra';
import type { Actor, TenantScope } from '../kernel/scope';

/** An action, as the caller of `recordAudit` states it. */
export interface AuditedAction {
  /** Such as `match_group.hold`. */
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
  /** Hash of the entry before; 64 zeros for the first one. */
  prevHash: string;
  hash: string;
}

export const firstPrevHash = '0'.repeat(64);

/** The content that the hash of an entry covers, with its objects as canonical JSON. */
export interface HashedEntry extends Pick<
  AuditEntry,
  'seq' | 'action' | 'object' | 'reason' | 'requestId' | 'prevHash'
> {
  /** Milliseconds since 1970. */
  atMs: number;
  actor: string;
  before: string;
  after: string;
}

/** Returns the hash of an entry: SHA-256 over the previous hash and the canonical JSON of the entry, in hex. */
export const hashOfEntry = ({ at, actor, before, after, ...entry }: Omit<AuditEntry, 'hash'>): string =>
  hashOf({
    ...entry,
    atMs: at.getTime(),
    actor: canonicalJson(actor),
    before: canonicalJson(before),
    after: canonicalJson(after),
  });

/** Returns the same hash. The names of an entry are in their canonical order here, so that nothing is sorted again. */
export function hashOf(entry: HashedEntry): string {
  const { seq, atMs, actor, action, object, before, after, reason, requestId, prevHash } = entry;
  const text =
    `{"action":${JSON.stringify(action)},"actor":${actor},"after":${after},"at":"${new Date(atMs).toISOString()}",` +
    `"before":${before},"object":{"id":${JSON.stringify(object.id)},"type":${JSON.stringify(object.type)}},` +
    `"prev_hash":${JSON.stringify(prevHash)},"reason":${JSON.stringify(reason)},` +
    `"request_id":${JSON.stringify(requestId)},"seq":${seq}}`;
  return hash('sha256', prevHash + text, 'hex');
}

/**
 * Appends to the tenant's chain, inside the transaction of the change. The transaction holds the end of the chain until
 * it commits, so this is its last statement.
 */
export async function recordAudit(
  scope: Pick<TenantScope, 'tenantId' | 'origin'> & { db: Queries },
  done: AuditedAction,
): Promise<void> {
  const { tenantId, db, origin } = scope;
  await db.execute(`select pg_advisory_xact_lock(hashtextextended('audit of ' || $1::text, 0))`, [tenantId]);
  const [head] = await db.query<{ seq: number; hash: string; at: Date }>(
    `select seq::float8 as seq, hash, at from audit_entries where tenant_id = $1::uuid order by seq desc limit 1`,
    [tenantId],
  );
  const entry: Omit<AuditEntry, 'hash'> = {
    seq: (head?.seq ?? 0) + 1,
    at: new Date(Math.max(Date.now(), head?.at.getTime() ?? 0)),
    actor: origin.actor,
    action: done.action,
    object: done.object,
    before: plain(done.before),
    after: plain(done.after),
    reason: done.reason ?? null,
    requestId: origin.requestId,
    prevHash: head?.hash ?? firstPrevHash,
  };
  await db.execute(
    `insert into audit_entries (tenant_id, seq, at, actor, action, object_type, object_id, before, after, reason,
                                request_id, prev_hash, hash)
     values ($1::uuid, $2::bigint, $3::timestamptz, $4::jsonb, $5, $6, $7, $8::jsonb, $9::jsonb, $10, $11, $12, $13)`,
    [
      tenantId,
      entry.seq,
      entry.at,
      JSON.stringify(entry.actor),
      entry.action,
      entry.object.type,
      entry.object.id,
      entry.before && JSON.stringify(entry.before),
      entry.after && JSON.stringify(entry.after),
      entry.reason,
      entry.requestId,
      entry.prevHash,
      hashOfEntry(entry),
    ],
  );
}

/** Normalizes a value through JSON, so that the hash matches the stored value. */
const plain = (value: object | null | undefined): object | null =>
  value ? (JSON.parse(JSON.stringify(value)) as object) : null;
