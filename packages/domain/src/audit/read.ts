import type { SqlParameter } from '@tieout/infra';
import { decodeKeyset, keysetPage, type KeysetPage, type KeysetRequest } from '../kernel/keyset';
import type { TenantScope } from '../kernel/scope';
import { firstPrevHash, hashOfEntry, type AuditEntry } from './chain';

export interface AuditFilter {
  action?: string | undefined;
  objectType?: string | undefined;
  objectId?: string | undefined;
  actorId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

type AuditRow = Omit<AuditEntry, 'object'> & { objectType: string; objectId: string };

const columns = `seq::float8 as seq, at, actor, action, object_type as "objectType", object_id as "objectId", before,
  after, reason, request_id as "requestId", prev_hash as "prevHash", hash`;

const toEntry = ({ objectType, objectId, actor, ...row }: AuditRow): AuditEntry => ({
  ...row,
  actor: actor,
  object: { type: objectType, id: objectId },
});

/** Lists the entries of a tenant's chain, newest first. */
export async function listAudit(
  scope: TenantScope,
  filter: AuditFilter,
  page: KeysetRequest,
): Promise<KeysetPage<AuditEntry>> {
  const parameters: SqlParameter[] = [scope.tenantId];
  const conditions = ['tenant_id = $1::uuid'];
  const add = (value: SqlParameter | undefined, condition: (parameter: string) => string): void => {
    if (value !== undefined) conditions.push(condition(`$${parameters.push(value)}`));
  };
  add(filter.action, (p) => `action = ${p}`);
  add(filter.objectType, (p) => `object_type = ${p}`);
  add(filter.objectId, (p) => `object_id = ${p}`);
  add(filter.actorId, (p) => `actor ->> 'id' = ${p}`);
  add(filter.from, (p) => `at >= ${p}::timestamptz`);
  add(filter.to, (p) => `at < ${p}::timestamptz`);
  const [total] = await scope.db.query<{ count: number }>(
    `select count(*)::float8 as count from audit_entries where ${conditions.join(' and ')}`,
    parameters,
  );
  if (page.cursor !== undefined) add(Number(decodeKeyset(page.cursor, 1)[0]), (p) => `seq < ${p}::bigint`);
  const rows = await scope.db.query<AuditRow>(
    `select ${columns} from audit_entries where ${conditions.join(' and ')} order by seq desc limit ${page.limit + 1}`,
    parameters,
  );
  return keysetPage(page, rows.map(toEntry), { total: total?.count ?? 0, sortOf: ({ seq }) => [seq] });
}

/** The outcome of a check of the whole chain. */
export interface AuditVerification {
  entries: number;
  /** Number and hash of the last entry; null: there is none. */
  head: { seq: number; hash: string } | null;
  /** The first entry that does not follow from the one before, and why; null: the chain is whole. */
  broken: { seq: number; reason: 'missing' | 'previous_hash' | 'hash' } | null;
}

const entriesPerStep = 1_000;

/** Computes the hashes of a tenant's chain again. */
export async function verifyAudit(scope: TenantScope): Promise<AuditVerification> {
  let head: AuditVerification['head'] = null;
  for (;;) {
    const rows: AuditRow[] = await scope.db.query<AuditRow>(
      `select ${columns} from audit_entries where tenant_id = $1::uuid and seq > $2::bigint
        order by seq limit ${entriesPerStep}`,
      [scope.tenantId, head?.seq ?? 0],
    );
    for (const entry of rows.map(toEntry)) {
      const reason = faultOf(entry, head);
      if (reason !== null) return { entries: head?.seq ?? 0, head, broken: { seq: (head?.seq ?? 0) + 1, reason } };
      head = { seq: entry.seq, hash: entry.hash };
    }
    if (rows.length < entriesPerStep) return { entries: head?.seq ?? 0, head, broken: null };
  }
}

function faultOf(entry: AuditEntry, before: AuditVerification['head']): 'missing' | 'previous_hash' | 'hash' | null {
  if (entry.seq !== (before?.seq ?? 0) + 1) return 'missing';
  if (entry.prevHash !== (before?.hash ?? firstPrevHash)) return 'previous_hash';
  return hashOfEntry(entry) === entry.hash ? null : 'hash';
}
