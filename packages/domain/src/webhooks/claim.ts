import { keyIdOf, type Queries } from '@tieout/infra';
import { busyEndpoints, mostInFlight, waits } from '../events';
import type { Outcome, Trigger } from './outcomes';
import type { DeliveryPolicy } from './schedule';

/** How much longer than its deadline an attempt is taken to be under way. */
export const leaseMarginMs = 10_000;

/** An attempt that is to be made now, by whoever holds this. They come in the order in which they are due. */
export interface ClaimedAttempt {
  id: string;
  tenantId: string;
  webhookId: string;
  eventId: string;
  /** Counts all attempts of the delivery, from 1. */
  number: number;
  /** Counts those of the schedule. */
  scheduled: number;
  trigger: Trigger;
  /** What came of the attempt before; null: none, or it is not in the log. */
  before: Outcome | null;
  startedAt: Date;
  dueAt: Date;
  url: string;
  /** Encrypted. */
  secret: string;
  body: string;
}

/** A place in the order of an endpoint. */
export type ClaimPosition = Pick<ClaimedAttempt, 'webhookId' | 'dueAt' | 'id'>;

export interface ClaimOptions {
  policy: DeliveryPolicy;
  /** What is under another key waits: nobody here could sign it. */
  keyIds: readonly string[];
  /** Deliveries whose attempt is over, though it is not written yet. */
  over: readonly string[];
  /** Of endpoints, the last delivery that was claimed before: the search goes on behind it. */
  behind?: readonly ClaimPosition[];
  /** Default: the time of the database. */
  at: Date | null;
}

/**
 * Takes attempts that are due, as many as may be under way. Of an endpoint they come in the order in which they are due;
 * an endpoint with fewer under way comes before one with more. Two claims never get the same delivery: a row is locked while it
 * waits, and changed by who holds the lock.
 */
export function claimAttempts(
  db: Queries,
  tenantId: string,
  { policy, keyIds, over, behind = [], at }: ClaimOptions,
): Promise<ClaimedAttempt[]> {
  const positions = JSON.stringify(behind.map(({ webhookId, dueAt, id }) => ({ webhookId, dueAt, id })));
  return db.query<ClaimedAttempt>(claimSql, [
    tenantId,
    at,
    over,
    positions,
    policy.firstTimeoutMs + leaseMarginMs,
    policy.retryTimeoutMs + leaseMarginMs,
    keyIds,
  ]);
}

/** Of the attempt before the one that a delivery is at. */
export const outcomeBefore = (delivery: string): string =>
  `case when ${delivery}.attempts > 1 then (select b.outcome from webhook_attempts b where b.delivery_id = ${delivery}.id and b.number = ${delivery}.attempts - 1) end`;

/** Locked rows are changed by their place, the limit is a constant, and bodies are looked up one by one: whatever the statistics say, few rows are read. */
const claimSql = `
  with clock as (select coalesce($2::timestamptz, now()) as at),
  ${busyEndpoints},
  due as (
    select w.id as webhook_id, w.url, w.secret, d.place, d.id, d.next_attempt_at, coalesce(b.sending, 0) as sending
      from clock, webhooks w left join busy b on b.webhook_id = w.id
      left join json_to_recordset($4::json) as p ("webhookId" uuid, "dueAt" timestamptz, id uuid) on p."webhookId" = w.id,
      lateral (
        select d.ctid as place, d.id, d.next_attempt_at from webhook_deliveries d
         where d.tenant_id = $1::uuid and d.webhook_id = w.id and ${waits} and d.next_attempt_at <= clock.at
           and (d.next_attempt_at, d.id) > (coalesce(p."dueAt", '-infinity'), coalesce(p.id, '00000000-0000-0000-0000-000000000000'))
         order by d.next_attempt_at, d.id limit ${mostInFlight.endpoint} for update skip locked) d
     where w.tenant_id = $1::uuid and w.deleted_at is null and ${keyIdOf('w.secret')} = any($7::text[]) and coalesce(b.sending, 0) < ${mostInFlight.endpoint}),
  ranked as (
    select *, sending + row_number() over (partition by webhook_id order by next_attempt_at, id) as rank from due),
  chosen as materialized (
    select * from ranked where rank <= ${mostInFlight.endpoint} order by rank, next_attempt_at, id
     limit (select greatest(${mostInFlight.tenant} - coalesce(sum(sending), 0), 0) from busy)),
  claimed as (
    update webhook_deliveries d
       set status = 'sending', attempts = d.attempts + 1, scheduled = d.scheduled + (d.resume_status is null)::int, next_attempt_at = null,
           attempted_at = clock.at,
           lease_until = clock.at + make_interval(secs => (case d.attempts when 0 then $5::float8 else $6::float8 end) / 1000)
      from chosen c, clock
     where d.ctid = c.place
    returning d.id, d.event_id, d.attempts, d.scheduled, d.resume_status, d.attempted_at, c.webhook_id, c.next_attempt_at, c.url, c.secret)
  select c.id::text as id, $1::text as "tenantId", c.webhook_id::text as "webhookId", c.event_id::text as "eventId", c.attempts as number,
         c.scheduled, case when c.resume_status is null then 'schedule' else 'manual' end as trigger, c.attempted_at as "startedAt",
         c.next_attempt_at as "dueAt", ${outcomeBefore('c')} as before,
         c.url, c.secret, (select e.body from events e where e.tenant_id = $1::uuid and e.id = c.event_id) as body
    from claimed c
   order by c.next_attempt_at, c.id`;
