import { newId, type Queries } from '@tieout/infra';
import { eventBody } from './event';
import { testEventType, type EventType } from './types';

/** Holds for a webhook `w` that wants events of the type which the expression gives. */
const wants = (type: string): string => `w.deleted_at is null and (w.events = '{}' or ${type} = any(w.events))`;

/** Time and counter of the event's id with a random rest: a UUID v7, whatever the version of the database. */
const deliveryId = (eventId: string): string =>
  `(left(${eventId}::text, 19) || substr(gen_random_uuid()::text, 20))::uuid`;

const deliveryColumns = 'webhook_deliveries (id, tenant_id, webhook_id, event_id, event_type, next_attempt_at)';

/** The webhooks that are to be told of events of this type. Events that nobody wants are not stored. */
export async function webhooksWanting(db: Queries, tenantId: string, type: EventType): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select w.id::text as id from webhooks w where w.tenant_id = $1::uuid and ${wants('$2')}`,
    [tenantId, type],
  );
  return rows.map(({ id }) => id);
}

/**
 * Stores an event with a delivery for every webhook that wants it, and says whether one does: then `enqueueDeliveries` follows
 * the commit. Runs inside the transaction of what happened.
 */
export async function emitEvent(
  db: Queries,
  tenantId: string,
  type: EventType,
  data: object,
  occurredAt = new Date(),
): Promise<boolean> {
  const eventId = newId();
  const deliveries = await db.execute(
    `with wanting as (select id from webhooks w where w.tenant_id = $1::uuid and ${wants('$3')}),
          made as (
            insert into events (id, tenant_id, type, occurred_at, body)
            select $2::uuid, $1::uuid, $3, $4::timestamptz, $5 where exists (select 1 from wanting))
     insert into ${deliveryColumns}
     select ${deliveryId('$2')}, $1::uuid, id, $2::uuid, $3, now() from wanting`,
    [tenantId, eventId, type, occurredAt, eventBody(type, { eventId, occurredAt }, data)],
  );
  return deliveries > 0;
}

/** Stores a test event for one webhook. Returns the id of its delivery. */
export async function emitTestEvent(db: Queries, tenantId: string, webhookId: string): Promise<string> {
  const eventId = newId();
  const id = eventId.slice(0, 19) + newId().slice(19);
  const occurredAt = new Date();
  await db.execute(
    `with made as (
       insert into events (id, tenant_id, type, occurred_at, body) values ($2::uuid, $1::uuid, $4, $5::timestamptz, $6))
     insert into ${deliveryColumns} values ($7::uuid, $1::uuid, $3::uuid, $2::uuid, $4, now())`,
    [
      tenantId,
      eventId,
      webhookId,
      testEventType,
      occurredAt,
      eventBody(testEventType, { eventId, occurredAt }, { webhookId }),
      id,
    ],
  );
  return id;
}

/**
 * Makes the deliveries of events that are stored already. Who gets them is asked once for all steps of a transaction, with
 * `webhooksWanting`: a webhook that is registered meanwhile gets all of its events or none.
 */
export async function deliverEvents(
  db: Queries,
  tenantId: string,
  eventIds: readonly string[],
  webhookIds: readonly string[],
): Promise<void> {
  await db.execute(
    `insert into ${deliveryColumns}
     select ${deliveryId('e.id')}, e.tenant_id, w.id, e.id, e.type, now()
       from events e, unnest($3::uuid[]) as w (id)
      where e.tenant_id = $1::uuid and e.id = any($2::uuid[]) order by e.id`,
    [tenantId, eventIds, webhookIds],
  );
}
