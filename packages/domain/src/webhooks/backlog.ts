import type { Queries } from '@tieout/infra';
import { waits } from '../events';
import { firstOfEachEndpoint } from './waiting';

/** Of one endpoint; whoever looks at more needs no exact figure. */
const mostCounted = 1_000;

export interface DeliveryBacklog {
  /** Deliveries that are due and not being sent; of an endpoint 1,000 are counted at most. */
  due: number;
  oldestDueSeconds: number;
}

/** From one endpoint that has something waiting the index leads to the next: what waits for a later attempt is not read. */
export async function deliveryBacklog(db: Queries): Promise<DeliveryBacklog> {
  const [backlog] = await db.query<DeliveryBacklog>(
    `with recursive ${firstOfEachEndpoint}
     select coalesce(sum(counted.due), 0)::float8 as due, coalesce(extract(epoch from now() - min(f.next_attempt_at)), 0)::float8 as "oldestDueSeconds"
       from first f join webhooks w on w.id = f.webhook_id and w.deleted_at is null, lateral (
         select count(*) as due from (
           select 1 from webhook_deliveries d
            where ${waits} and d.tenant_id = f.tenant_id and d.webhook_id = f.webhook_id and d.next_attempt_at <= now() limit ${mostCounted}) d) counted
      where f.next_attempt_at <= now()`,
  );
  return backlog as DeliveryBacklog;
}
