import type { Queries } from '@tieout/infra';
import { inSteps, oldBefore } from '../retention';

/** Deliveries, and events, of each tenant that one statement deletes. */
const stepSize = 1_000;

/** The least UUID v7 of the time that the expression gives. */
const firstIdOf = (time: string): string =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`;

/**
 * Deletes deliveries that are so many days old and have ended, with their attempts, then events that no delivery is left of. Ids
 * begin with the time, and a delivery's with that of its event: from every tenant's oldest rows on, the primary keys lead.
 */
export async function deleteOldDeliveries(db: Queries, days: number): Promise<void> {
  await inSteps(async () => (await deleteDeliveries(db, days)) >= stepSize);
  await inSteps(async () => (await deleteEvents(db, days)) >= stepSize);
}

function deleteDeliveries(db: Queries, days: number): Promise<number> {
  return db.execute(
    `with old as (
       select d.tenant_id, d.id from tenants t, lateral (
         select d.tenant_id, d.id from webhook_deliveries d
          where d.tenant_id = t.id and d.id < ${firstIdOf(oldBefore('$1'))}
            and d.status in ('delivered', 'abandoned', 'cancelled') order by d.id limit $2::int for update skip locked) d),
     attempts as (delete from webhook_attempts a using old where a.delivery_id = old.id)
     delete from webhook_deliveries d using old where d.tenant_id = old.tenant_id and d.id = old.id`,
    [days, stepSize],
  );
}

function deleteEvents(db: Queries, days: number): Promise<number> {
  return db.execute(
    `with old as (
       select e.tenant_id, e.id from tenants t, lateral (
         select e.tenant_id, e.id from events e
          where e.tenant_id = t.id and e.id < ${firstIdOf(oldBefore('$1'))} order by e.id limit $2::int) e
        where not exists (
          select 1 from webhook_deliveries d
           where d.tenant_id = e.tenant_id and d.event_id = e.id
             and d.id between (left(e.id::text, 19) || '0000-000000000000')::uuid and (left(e.id::text, 19) || 'ffff-ffffffffffff')::uuid))
     delete from events e using old where e.tenant_id = old.tenant_id and e.id = old.id`,
    [days, stepSize],
  );
}
