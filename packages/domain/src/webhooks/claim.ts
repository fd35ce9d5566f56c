import type { Queries } from '@tieout/infra';
import { busyEndpointsSql, isPendingSql, maxInFlight, oldSigningSql, webhookKeyIdsSql } from '../events';
import { isActiveSql } from '../kernel/sql';
import type { AttemptOutcome, AttemptTrigger } from './outcomes';
import type { DeliveryPolicy } from './retry-schedule';

/** Time between the deadline of an attempt and the end of its lease. */
export const leaseMarginMs = 10_000;

/** An attempt that the claiming process has to make now. */
export interface ClaimedAttempt {
  id: string;
  tenantId: string;
  webhookId: string;
  eventId: string;
  /** Counts all attempts of the delivery, from 1. */
  number: number;
  /** Counts the attempts of the schedule. */
  scheduled: number;
  trigger: AttemptTrigger;
  /** Outcome of the previous attempt; null: there is none, or it is not in the log. */
  previousOutcome: AttemptOutcome | null;
  startedAt: Date;
  dueAt: Date;
  url: string;
  /** Encrypted. */
  secret: string;
  /** Encrypted; empty: the secret signs. */
  signingSecret: string;
  /** Encrypted; signs as well unless it is empty. */
  oldSigningSecret: string;
  body: string;
}

/** A delivery's position in the queue of its endpoint. */
export type ClaimPosition = Pick<ClaimedAttempt, 'webhookId' | 'dueAt' | 'id'>;

export interface ClaimOptions {
  policy: DeliveryPolicy;
  /** Keys of this process. A delivery whose secret is under another key waits: this process could not sign it. */
  keyIds: readonly string[];
  /** Deliveries whose attempt has finished and whose result is not written yet. */
  finished: readonly string[];
  /** For each endpoint, the last delivery claimed before: the search continues after it. */
  after?: readonly ClaimPosition[];
  /** Null: the time of the database. */
  at: Date | null;
}

/**
 * Claims due attempts, up to the limits of what may be in flight. Attempts of an endpoint are ordered by due time; an
 * endpoint with fewer attempts in flight precedes one with more. No delivery is claimed twice: a claim locks the row
 * and changes it before it releases the lock.
 */
export function claimAttempts(
  db: Queries,
  tenantId: string,
  { policy, keyIds, finished, after = [], at }: ClaimOptions,
): Promise<ClaimedAttempt[]> {
  const positions = JSON.stringify(after.map(({ webhookId, dueAt, id }) => ({ webhookId, dueAt, id })));
  return db.query<ClaimedAttempt>(claimSql, [
    tenantId,
    at,
    finished,
    positions,
    policy.firstTimeoutMs + leaseMarginMs,
    policy.retryTimeoutMs + leaseMarginMs,
    keyIds,
  ]);
}

/** SQL for the outcome of the attempt before the current one of a delivery. */
export const previousOutcomeSql = (delivery: string): string =>
  `case when ${delivery}.attempts > 1 then (
     select b.outcome from webhook_attempts b
      where b.delivery_id = ${delivery}.id and b.number = ${delivery}.attempts - 1) end`;

const noId = '00000000-0000-0000-0000-000000000000';

/**
 * Updates locked rows by their place, limits by a constant, and looks bodies up one by one: so the plan reads few rows,
 * whatever the statistics of the tables say.
 */
const claimSql = `
  with clock as (select coalesce($2::timestamptz, now()) as at),
  ${busyEndpointsSql},
  due as (
    select w.id as webhook_id, w.url, w.secret, w.signing_secret, ${oldSigningSql('clock.at')} as old_signing_secret,
           d.place, d.id, d.next_attempt_at, coalesce(b.sending, 0) as sending
      from clock, webhooks w left join busy b on b.webhook_id = w.id
      left join json_to_recordset($4::json) as p ("webhookId" uuid, "dueAt" timestamptz, id uuid)
             on p."webhookId" = w.id,
      lateral (
        select d.ctid as place, d.id, d.next_attempt_at from webhook_deliveries d
         where d.tenant_id = $1::uuid and d.webhook_id = w.id and ${isPendingSql} and d.next_attempt_at <= clock.at
           and (d.next_attempt_at, d.id) > (coalesce(p."dueAt", '-infinity'), coalesce(p.id, '${noId}'))
         order by d.next_attempt_at, d.id limit ${maxInFlight.endpoint} for update skip locked) d
     where w.tenant_id = $1::uuid and w.deleted_at is null and ${webhookKeyIdsSql('clock.at')} <@ $7::text[]
       and ${isActiveSql('w.tenant_id')} and coalesce(b.sending, 0) < ${maxInFlight.endpoint}),
  ranked as (
    select *, sending + row_number() over (partition by webhook_id order by next_attempt_at, id) as rank from due),
  chosen as materialized (
    select * from ranked where rank <= ${maxInFlight.endpoint} order by rank, next_attempt_at, id
     limit (select greatest(${maxInFlight.tenant} - coalesce(sum(sending), 0), 0) from busy)),
  claimed as (
    update webhook_deliveries d
       set status = 'sending', attempts = d.attempts + 1, scheduled = d.scheduled + (d.resume_status is null)::int,
           next_attempt_at = null, attempted_at = clock.at,
           lease_until = clock.at
             + make_interval(secs => (case d.attempts when 0 then $5::float8 else $6::float8 end) / 1000)
      from chosen c, clock
     where d.ctid = c.place
    returning d.id, d.event_id, d.attempts, d.scheduled, d.resume_status, d.attempted_at, c.webhook_id,
              c.next_attempt_at, c.url, c.secret, c.signing_secret, c.old_signing_secret)
  select c.id::text as id, $1::text as "tenantId", c.webhook_id::text as "webhookId", c.event_id::text as "eventId",
         c.attempts as number, c.scheduled,
         case when c.resume_status is null then 'schedule' else 'manual' end as trigger,
         c.attempted_at as "startedAt", c.next_attempt_at as "dueAt", ${previousOutcomeSql('c')} as "previousOutcome",
         c.url, c.secret, c.signing_secret as "signingSecret", c.old_signing_secret as "oldSigningSecret",
         (select e.body from events e where e.tenant_id = $1::uuid and e.id = c.event_id) as body
    from claimed c
   order by c.next_attempt_at, c.id`;
