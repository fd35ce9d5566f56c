import { keyIdOf, type Queries } from '@tieout/infra';
import type { JobProducer } from '../kernel/jobs';

/** Holds for a delivery `d` that waits for its next attempt. Word for word the condition of the index `webhook_deliveries_due_idx`. */
export const waits = `d.status in ('pending', 'retry_scheduled')`;

/** Attempts that may be under way at the same time, whichever processes make them. */
export const mostInFlight = { endpoint: 5, tenant: 20 };

/** How many attempts are under way to each endpoint of tenant $1 at `clock.at`, those of the ids $3 apart. */
export const busyEndpoints = `busy as materialized (
    select s.webhook_id, count(*)::int as sending from webhook_deliveries s, clock
     where s.tenant_id = $1::uuid and s.status = 'sending' and s.lease_until > clock.at and s.id <> all($3::uuid[])
     group by s.webhook_id)`;

export interface WakeScope {
  tenantId: string;
  db: Queries;
  queue: JobProducer;
  /** As in ClaimableOptions. */
  keyIds?: readonly string[];
}

export interface ClaimableOptions {
  /** Default: the time of the database. */
  at?: Date | null;
  /** Deliveries whose attempt is over, though it is not written yet. */
  over?: readonly string[];
  /** Of those who would send: only what they can sign counts. Default: all does. */
  keyIds?: readonly string[] | undefined;
}

/** Whether a delivery is due that may be sent beside what is under way. An entry of the index is read for each endpoint. */
export async function hasClaimable(
  db: Queries,
  tenantId: string,
  { at = null, over = [], keyIds }: ClaimableOptions = {},
): Promise<boolean> {
  const [row] = await db.query<{ claimable: boolean }>(claimableSql, [tenantId, at, over, keyIds ?? null]);
  return row?.claimable === true;
}

const claimableSql = `
  with clock as (select coalesce($2::timestamptz, now()) as at),
  ${busyEndpoints}
  select (select coalesce(sum(sending), 0) from busy) < ${mostInFlight.tenant} and exists (
    select 1 from clock, webhooks w left join busy b on b.webhook_id = w.id
     where w.tenant_id = $1::uuid and w.deleted_at is null and coalesce(b.sending, 0) < ${mostInFlight.endpoint}
       and ($4::text[] is null or ${keyIdOf('w.secret')} = any($4)) and exists (
       select 1 from webhook_deliveries d
        where d.tenant_id = $1::uuid and d.webhook_id = w.id and ${waits} and d.next_attempt_at <= clock.at)) as claimable`;

/**
 * Enqueues a turn of the tenant if it has something to claim: what is full is woken by the end of an attempt. Outside of
 * transactions only: in one, `enqueueDeliveries` follows the commit.
 */
export async function wakeDeliveries({ tenantId, db, queue, keyIds }: WakeScope): Promise<void> {
  if (await hasClaimable(db, tenantId, { keyIds })) await enqueueDeliveries(queue, [tenantId]);
}

/** Enqueues a turn of each tenant. It has one at most, however many deliveries it has: while it is queued or runs, this changes nothing. */
export async function enqueueDeliveries(queue: JobProducer, tenantIds: readonly string[]): Promise<void> {
  await queue.enqueueMany(
    'webhook.deliver',
    tenantIds.map((tenantId) => ({ payload: { tenantId }, jobId: `deliver-${tenantId}` })),
  );
}
