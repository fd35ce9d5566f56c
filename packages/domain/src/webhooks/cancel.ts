import type { Queries } from '@tieout/infra';
import { waits } from '../events';

const stepSize = 5_000;

/** Cancels what waits for a webhook that is removed, in steps outside of any transaction; a sweep goes on after a crash. */
export async function cancelDeliveries(db: Queries, tenantId: string, webhookId: string): Promise<void> {
  let cancelled: number;
  do {
    cancelled = await db.execute(
      `update webhook_deliveries set status = 'cancelled', next_attempt_at = null, resume_status = null, resume_at = null
        where tenant_id = $1::uuid and id = any(array(
          select d.id from webhook_deliveries d
           where d.tenant_id = $1::uuid and d.webhook_id = $2::uuid and ${waits} limit $3::int for update skip locked))`,
      [tenantId, webhookId, stepSize],
    );
  } while (cancelled === stepSize);
}
