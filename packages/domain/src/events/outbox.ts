import { newId, type Queries, type TenantDb } from '@tieout/infra';
import { eventBody, testEventType, type EventType } from './event';

/** True for a webhook `w` that subscribes to the event type of the expression. */
const subscribesSql = (type: string): string => `w.deleted_at is null and (w.events = '{}' or ${type} = any(w.events))`;

/** A UUID v7 in every version of PostgreSQL: time and counter of the event's id, then random bits. */
const deliveryIdSql = (eventId: string): string =>
  `(left(${eventId}::text, 19) || substr(gen_random_uuid()::text, 20))::uuid`;

const deliveryColumns = 'webhook_deliveries (id, tenant_id, webhook_id, event_id, event_type, next_attempt_at)';

/** Returns the ids of webhooks that subscribe to this event type. An event without a subscriber is not stored. */
export async function subscribedWebhooks(db: Queries, tenantId: string, type: EventType): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select w.id::text as id from webhooks w where w.tenant_id = $1::uuid and ${subscribesSql('$2')}`,
    [tenantId, type],
  );
  return rows.map(({ id }) => id);
}

/** Returns those of these event types to which a webhook subscribes. */
export async function subscribedTypes<T extends EventType>(
  db: Queries,
  tenantId: string,
  types: readonly T[],
): Promise<T[]> {
  const rows = await db.query<{ type: T }>(
    `select t.type from unnest($2::text[]) t (type)
      where exists (select 1 from webhooks w where w.tenant_id = $1::uuid and ${subscribesSql('t.type')})`,
    [tenantId, types],
  );
  return rows.map(({ type }) => type);
}

/** `occurredAt` is the current time by default. */
export interface NewEvent {
  type: EventType;
  data: object;
  occurredAt?: Date;
}

/**
 * Stores an event with a delivery for every subscribed webhook, inside the transaction of the change that it reports.
 * Returns whether it has a delivery; if so, call `enqueueDeliveries` after the commit.
 */
export async function emitEvent(
  db: Queries | TenantDb,
  tenantId: string,
  { type, data, occurredAt = new Date() }: NewEvent,
): Promise<boolean> {
  const eventId = newId();
  const deliveries = await ('prepared' in db ? db.prepared : db).execute(
    `with subscribed as (select id from webhooks w where w.tenant_id = $1::uuid and ${subscribesSql('$3')}),
          made as (
            insert into events (id, tenant_id, type, occurred_at, body)
            select $2::uuid, $1::uuid, $3, $4::timestamptz, $5 where exists (select 1 from subscribed))
     insert into ${deliveryColumns}
     select ${deliveryIdSql('$2')}, $1::uuid, id, $2::uuid, $3, now() from subscribed`,
    [tenantId, eventId, type, occurredAt, eventBody(type, { eventId, occurredAt }, data)],
  );
  return deliveries > 0;
}

/** Stores a test event for one webhook; returns the id of its delivery. */
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
 * Creates the deliveries of stored events. `subscribedWebhooks` gives the webhooks once for all steps of a transaction:
 * a webhook that is registered during the transaction gets all of its events or none.
 */
export async function deliverEvents(
  db: Queries,
  tenantId: string,
  eventIds: readonly string[],
  webhookIds: readonly string[],
): Promise<void> {
  await db.execute(
    `insert into ${deliveryColumns}
     select ${deliveryIdSql('e.id')}, e.tenant_id, w.id, e.id, e.type, now()
       from events e, unnest($3::uuid[]) as w (id)
      where e.tenant_id = $1::uuid and e.id = any($2::uuid[]) order by e.id`,
    [tenantId, eventIds, webhookIds],
  );
}
