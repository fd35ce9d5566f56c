import type { Queries } from '@tieout/infra';
import { waits } from '../events';

const stepSize = 5_000;

/**
 * Cancels the next few thousand that wait for a webhook that is removed; one that was over before it was to be sent once more by
 * hand is what it was. Says whether there may be more: sweeps go on with those.
 */
export async function cancelSomeDeliveries(db: Queries, tenantId: string, webhookId: string): Promise<boolean> {
  const changed = await db.execute(
    `update webhook_deliveries
        set status = case when resume_status in ('delivered', 'abandoned') then resume_status else 'cancelled' end,
            next_attempt_at = null, resume_status = null, resume_at = null
      where tenant_id = $1::uuid and id = any(array(
        select d.id from webhook_deliveries d
         where d.tenant_id = $1::uuid and d.webhook_id = $2::uuid and ${waits} limit $3::int for update skip locked))`,
    [tenantId, webhookId, stepSize],
  );
  return changed === stepSize;
}
