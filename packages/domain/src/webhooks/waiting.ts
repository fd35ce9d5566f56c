import { waits } from '../events';

/**
 * For a `with recursive`: of each endpoint that has something waiting, what waits first. From one endpoint the index leads to the
 * next: an entry of it is read for each, however much waits behind it.
 */
export const firstOfEachEndpoint = `
  first as (
    (select d.tenant_id, d.webhook_id, d.next_attempt_at from webhook_deliveries d
      where ${waits} order by d.tenant_id, d.webhook_id, d.next_attempt_at limit 1)
    union all
    select n.tenant_id, n.webhook_id, n.next_attempt_at from first f, lateral (
      select d.tenant_id, d.webhook_id, d.next_attempt_at from webhook_deliveries d
       where ${waits} and (d.tenant_id, d.webhook_id) > (f.tenant_id, f.webhook_id)
       order by d.tenant_id, d.webhook_id, d.next_attempt_at limit 1) n)`;
