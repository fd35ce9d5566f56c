import { emitEvent, enqueueDeliveries } from '../events';
import { Attempts } from '../kernel/attempts';
import type { DomainDeps, TenantScope } from '../kernel/scope';

/** The start of the current day in UTC. */
const today = `(date_trunc('day', now() at time zone 'UTC') at time zone 'UTC')`;
const yesterday = `((now() at time zone 'UTC')::date - 1)`;

/**
 * Reports the end of each tenant's audit chain once a day, as it was when the day before ended: receivers keep it, and
 * a chain that is rewritten later has another one.
 */
export async function reportAuditHeads(deps: DomainDeps): Promise<void> {
  const due = await deps.db.system.query<{ tenantId: string }>(
    `select id::text as "tenantId" from tenants
      where status = 'active' and (audit_head_on is null or audit_head_on < ${yesterday})`,
  );
  const attempts = new Attempts(deps, { noun: 'audit chain', participle: 'reported' });
  for (const { tenantId } of due) await attempts.try({ tenantId }, (scope) => reportAuditHead(scope, deps));
  attempts.end();
}

async function reportAuditHead({ tenantId }: TenantScope, { db: { system }, queue }: DomainDeps): Promise<void> {
  await system.transaction(async (tx) => {
    const [day] = await tx.query<{ date: string }>(
      `update tenants set audit_head_on = ${yesterday}
        where id = $1::uuid and (audit_head_on is null or audit_head_on < ${yesterday})
        returning audit_head_on::text as date`,
      [tenantId],
    );
    if (!day) return;
    const [head] = await tx.query<{ seq: number; hash: string }>(
      `select seq::float8 as seq, hash from audit_entries where tenant_id = $1::uuid and at < ${today}
        order by seq desc limit 1`,
      [tenantId],
    );
    if (!head) return;
    const isDelivered = await emitEvent(tx, tenantId, { type: 'AUDIT_HEAD', data: { ...day, ...head } });
    if (isDelivered) await tx.afterCommit(() => enqueueDeliveries(queue, [tenantId]));
  });
}
