import { canonicalJson, streamRows, type BinaryRows } from '@tieout/infra';
import { domainMetrics } from '../kernel/metrics';
import type { TenantScope } from '../kernel/scope';
import { firstPrevHash, hashOf } from './chain';

/** The outcome of a check of the whole chain. */
export interface AuditVerification {
  entries: number;
  /** Number and hash of the last entry; null: there is none. */
  head: { seq: number; hash: string } | null;
  /** The first entry that does not follow from the one before, and why; null: the chain is whole. */
  broken: { seq: number; reason: 'missing' | 'previous_hash' | 'hash' } | null;
}

/** Columns of the stream: `textAt` gives the text of all. */
const fields = ['seq', 'at', 'actor', 'action', 'type', 'id', 'before', 'after', 'reason', 'request', 'prev', 'hash'];
const columns = `seq::text, (extract(epoch from at) * 1000)::bigint::text, actor::text, action, object_type, object_id,
  before::text, after::text, reason, request_id, prev_hash, hash`;

/**
 * Computes the hashes of a tenant's chain again, as of one moment. The entries are hashed while the database sends the
 * next ones; reading them as rows of a query takes longer than hashing them.
 */
export async function verifyAudit(scope: TenantScope): Promise<AuditVerification> {
  const verification = await scope.db.session(async (client): Promise<AuditVerification> => {
    const entries = `select ${columns} from audit_entries
      where tenant_id = ${client.escapeLiteral(scope.tenantId)} order by audit_entries.seq`;
    let head: AuditVerification['head'] = null;
    const actors = memoized(canonicalText);
    for await (const rows of streamRows(client, entries, fields.length)) {
      for (let row = 0; row < rows.count; row++) {
        const entry = readEntry(rows, row, actors);
        const reason = faultOf(entry, head);
        if (reason !== null) return { entries: head?.seq ?? 0, head, broken: { seq: (head?.seq ?? 0) + 1, reason } };
        head = { seq: entry.place.seq, hash: entry.hash };
      }
    }
    return { entries: head?.seq ?? 0, head, broken: null };
  });
  const { broken } = verification;
  if (broken) {
    domainMetrics.add('tieout_audit_chains_broken_total', {});
    scope.logger.error({ tenantId: scope.tenantId, ...broken }, 'an audit chain is broken');
  }
  return verification;
}

const canonicalText = (json: string): string => canonicalJson(JSON.parse(json));

/** Remembers the latest result: entries of one author follow each other. */
function memoized(work: (text: string) => string): (text: string) => string {
  let [last, result]: [string | undefined, string] = [undefined, ''];
  return (text) => {
    if (text !== last) [last, result] = [text, work(text)];
    return result;
  };
}

function readEntry(rows: BinaryRows, row: number, actorOf: (json: string) => string) {
  const textOrNull = (field: number): string | null => {
    const length = rows.length(row, field);
    const from = rows.start(row, field);
    return length < 0 ? null : rows.bytes.toString('utf8', from, from + length);
  };
  const text = (field: number): string => textOrNull(field) ?? '';
  const canonical = (field: number): string => {
    const json = textOrNull(field);
    return json === null ? 'null' : canonicalText(json);
  };
  return {
    place: { seq: Number(text(0)), atMs: Number(text(1)), prevHash: text(10) },
    written: {
      actor: actorOf(text(2)),
      action: text(3),
      object: { type: text(4), id: text(5) },
      before: canonical(6),
      after: canonical(7),
      reason: textOrNull(8),
      requestId: textOrNull(9),
    },
    hash: text(11),
  };
}

type ReadEntry = ReturnType<typeof readEntry>;

function faultOf(
  { place, written, hash }: ReadEntry,
  before: AuditVerification['head'],
): 'missing' | 'previous_hash' | 'hash' | null {
  if (place.seq !== (before?.seq ?? 0) + 1) return 'missing';
  if (place.prevHash !== (before?.hash ?? firstPrevHash)) return 'previous_hash';
  return hashOf(written, place) === hash ? null : 'hash';
}
