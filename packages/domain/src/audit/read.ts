import type { SqlParameter } from '@tieout/infra';
import { decodeKeyset, keysetPage, type KeysetPage, type KeysetRequest } from '../kernel/keyset';
import type { Actor, TenantScope } from '../kernel/scope';
import type { AuditEntry } from './chain';

/** All conditions must hold. */
export interface AuditFilter {
  action?: string | undefined;
  objectType?: string | undefined;
  objectId?: string | undefined;
  actorType?: Actor['type'] | undefined;
  actorId?: string | undefined;
  /** The name of a person, or an id. */
  actor?: string | undefined;
  requestId?: string | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

type AuditRow = Omit<AuditEntry, 'object'> & { objectType: string; objectId: string };

const columns = `seq::float8 as seq, at, actor, action, object_type as "objectType", object_id as "objectId", before,
  after, reason, request_id as "requestId", prev_hash as "prevHash", hash`;

const toEntry = ({ objectType, objectId, ...row }: AuditRow): AuditEntry => ({
  ...row,
  object: { type: objectType, id: objectId },
});

interface AuditCondition {
  conditions: string[];
  parameters: SqlParameter[];
}

function conditionOf(tenantId: string, filter: AuditFilter): AuditCondition {
  const parameters: SqlParameter[] = [tenantId];
  const conditions = ['tenant_id = $1::uuid'];
  const add = (value: SqlParameter | undefined, condition: (parameter: string) => string): void => {
    if (value !== undefined) conditions.push(condition(`$${parameters.push(value)}`));
  };
  add(filter.action, (p) => `action = ${p}`);
  add(filter.objectType, (p) => `object_type = ${p}`);
  add(filter.objectId, (p) => `object_id = ${p}`);
  add(filter.actorType, (p) => `actor ->> 'type' = ${p}`);
  add(filter.actorId, (p) => `actor ->> 'id' = ${p}`);
  add(filter.actor, (p) => `coalesce(actor ->> 'label', actor ->> 'id') = ${p}`);
  add(filter.requestId, (p) => `request_id = ${p}`);
  add(filter.from, (p) => `at >= ${p}::timestamptz`);
  add(filter.to, (p) => `at < ${p}::timestamptz`);
  return { conditions, parameters };
}

/** Lists the entries of a tenant's chain, newest first. */
export async function listAudit(
  scope: TenantScope,
  filter: AuditFilter,
  page: KeysetRequest,
): Promise<KeysetPage<AuditEntry>> {
  const { conditions, parameters } = conditionOf(scope.tenantId, filter);
  const [before] = page.cursor === undefined ? [] : decodeKeyset(page.cursor, ['integer']);
  const [total] = await scope.db.query<{ count: number }>(
    `select count(*)::float8 as count from audit_entries where ${conditions.join(' and ')}`,
    parameters,
  );
  if (before !== undefined) conditions.push(`seq < $${parameters.push(before)}::bigint`);
  const rows = await scope.db.query<AuditRow>(
    `select ${columns} from audit_entries where ${conditions.join(' and ')} order by seq desc limit ${page.limit + 1}`,
    parameters,
  );
  return keysetPage(page, rows.map(toEntry), { total: total?.count ?? 0, sortOf: ({ seq }) => [seq] });
}

const entriesPerPage = 1_000;

/** Yields the entries of a filter page by page, oldest first. Between pages it holds no connection. */
export async function* readAudit(
  scope: TenantScope,
  filter: AuditFilter = {},
): AsyncGenerator<readonly AuditEntry[], void, void> {
  const { conditions, parameters } = conditionOf(scope.tenantId, filter);
  const after = `seq > $${parameters.length + 1}::float8::bigint`;
  for (let last = 0; ;) {
    const rows = await scope.db.query<AuditRow>(
      `select ${columns} from audit_entries where ${[...conditions, after].join(' and ')}
        order by seq limit ${entriesPerPage}`,
      [...parameters, last],
    );
    if (rows.length > 0) yield rows.map(toEntry);
    if (rows.length < entriesPerPage) return;
    last = rows.at(-1)?.seq ?? last;
  }
}
