import type { Queries } from '@tieout/infra';
import { isPendingSql } from '../events';
import { isActiveSql } from '../kernel/sql';

/**
 * For a `with recursive`: the first waiting delivery of each endpoint that has one. The index leads from one endpoint
 * to the next, so it reads one entry for each endpoint, however many deliveries wait.
 */
export const firstOfEachEndpoint = `
  first as (
    (select d.tenant_id, d.webhook_id, d.next_attempt_at from webhook_deliveries d
      where ${isPendingSql} order by d.tenant_id, d.webhook_id, d.next_attempt_at limit 1)
    union all
    select n.tenant_id, n.webhook_id, n.next_attempt_at from first f, lateral (
      select d.tenant_id, d.webhook_id, d.next_attempt_at from webhook_deliveries d
       where ${isPendingSql} and (d.tenant_id, d.webhook_id) > (f.tenant_id, f.webhook_id)
       order by d.tenant_id, d.webhook_id, d.next_attempt_at limit 1) n)`;

/** Due deliveries are counted up to this number for each endpoint: beyond it an exact count helps no operator. */
const maxCounted = 1_000;

export interface DeliveryBacklog {
  /** Deliveries that are due and not being sent, counted up to 1,000 for each endpoint. */
  due: number;
  oldestDueSeconds: number;
}

/**
 * Reads how many deliveries are due, and for how long the oldest is. Deliveries that wait for a later attempt are not
 * read.
 */
export async function deliveryBacklog(db: Queries): Promise<DeliveryBacklog> {
  const [backlog] = await db.query<DeliveryBacklog>(
    `with recursive ${firstOfEachEndpoint}
     select coalesce(sum(counted.due), 0)::float8 as due,
            coalesce(extract(epoch from now() - min(f.next_attempt_at)), 0)::float8 as "oldestDueSeconds"
       from first f join webhooks w on w.id = f.webhook_id and w.deleted_at is null and ${isActiveSql('f.tenant_id')},
            lateral (
         select count(*) as due from (
           select 1 from webhook_deliveries d
            where ${isPendingSql} and d.tenant_id = f.tenant_id and d.webhook_id = f.webhook_id
              and d.next_attempt_at <= now() limit ${maxCounted}) d) counted
      where f.next_attempt_at <= now()`,
  );
  return backlog as DeliveryBacklog;
}
