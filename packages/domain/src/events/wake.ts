import type { Queries } from '@tieout/infra';
import type { JobProducer } from '../jobs';

/** Holds for a delivery `d` that waits for its next attempt. Word for word the condition of the index `webhook_deliveries_due_idx`. */
export const waits = `d.status in ('pending', 'retry_scheduled')`;

export interface WakeScope {
  tenantId: string;
  db: Queries;
  queue: JobProducer;
}

/** Whether a delivery is due now, or at the time given. An entry of the index is read for each endpoint. */
export async function hasDueDeliveries(db: Queries, tenantId: string, at: Date | null = null): Promise<boolean> {
  const [row] = await db.query<{ due: boolean }>(
    `select exists (select 1 from webhooks w where w.tenant_id = $1::uuid and w.deleted_at is null and exists (
       select 1 from webhook_deliveries d
        where d.tenant_id = $1::uuid and d.webhook_id = w.id and ${waits} and d.next_attempt_at <= coalesce($2::timestamptz, now()))) as due`,
    [tenantId, at],
  );
  return row?.due === true;
}

/** Enqueues a turn of the tenant if a delivery is due. Outside of transactions only: in one, `enqueueDeliveries` follows the commit. */
export async function wakeDeliveries({ tenantId, db, queue }: WakeScope): Promise<void> {
  if (await hasDueDeliveries(db, tenantId)) await enqueueDeliveries(queue, [tenantId]);
}

/** Enqueues a turn of each tenant. It has one at most, however many deliveries it has: while it is queued or runs, this changes nothing. */
export async function enqueueDeliveries(queue: JobProducer, tenantIds: readonly string[]): Promise<void> {
  await queue.enqueueMany('webhook.deliver', tenantIds.map((tenantId) => ({ payload: { tenantId }, jobId: `deliver-${tenantId}` })));
}
