import type { Queries } from '@tieout/infra';
import type { JobProducer } from '../kernel/jobs';
import { isActiveSql } from '../kernel/sql';
import { webhookKeyIdsSql } from './webhook-secrets';

/**
 * True for a delivery `d` that waits for an attempt: literally the condition of the index `webhook_deliveries_due_idx`.
 */
export const isPendingSql = `d.status in ('pending', 'retry_scheduled')`;

/** Max attempts in flight at the same time, over all processes. */
export const maxInFlight = { endpoint: 5, tenant: 20 };

/** Counts the attempts in flight to each endpoint of tenant $1 at `clock.at`, without the deliveries $3. */
export const busyEndpointsSql = `busy as materialized (
    select s.webhook_id, count(*)::int as sending from webhook_deliveries s, clock
     where s.tenant_id = $1::uuid and s.status = 'sending' and s.lease_until > clock.at and s.id <> all($3::uuid[])
     group by s.webhook_id)`;

export interface WakeScope {
  tenantId: string;
  db: Queries;
  queue: JobProducer;
  /** See ClaimableOptions. */
  keyIds?: readonly string[];
}

export interface ClaimableOptions {
  /** Default: the time of the database. */
  at?: Date | null;
  /** Deliveries whose attempt has ended and whose result is not written yet. */
  endedIds?: readonly string[];
  /** Keys that the sender can sign with; deliveries for other keys do not count. Default: all keys. */
  keyIds?: readonly string[] | undefined;
}

/**
 * Returns whether a delivery is due and may be sent in addition to those in flight. It reads one index entry per
 * endpoint.
 */
export async function hasClaimable(
  db: Queries,
  tenantId: string,
  { at = null, endedIds = [], keyIds }: ClaimableOptions = {},
): Promise<boolean> {
  const [row] = await db.query<{ claimable: boolean }>(claimableSql, [tenantId, at, endedIds, keyIds ?? null]);
  return row?.claimable === true;
}

const claimableSql = `
  with clock as (select coalesce($2::timestamptz, now()) as at),
  ${busyEndpointsSql}
  select (select coalesce(sum(sending), 0) from busy) < ${maxInFlight.tenant} and exists (
    select 1 from clock, webhooks w left join busy b on b.webhook_id = w.id
     where w.tenant_id = $1::uuid and w.deleted_at is null and coalesce(b.sending, 0) < ${maxInFlight.endpoint}
       and ${isActiveSql('w.tenant_id')} and ($4::text[] is null or ${webhookKeyIdsSql('clock.at')} <@ $4) and exists (
       select 1 from webhook_deliveries d
        where d.tenant_id = $1::uuid and d.webhook_id = w.id and ${isPendingSql}
          and d.next_attempt_at <= clock.at)) as claimable`;

/**
 * Enqueues a delivery job of the tenant if it has a delivery to claim; a full endpoint is woken when an attempt ends.
 * Call it outside of transactions only: in one, `enqueueDeliveries` follows the commit.
 */
export async function wakeDeliveries({ tenantId, db, queue, keyIds }: WakeScope): Promise<void> {
  if (await hasClaimable(db, tenantId, { keyIds })) await enqueueDeliveries(queue, [tenantId]);
}

/**
 * Enqueues the delivery job of each tenant. A tenant has one at most: while it is queued or runs, this changes nothing.
 */
export async function enqueueDeliveries(queue: JobProducer, tenantIds: readonly string[]): Promise<void> {
  await queue.enqueueMany(
    'webhook.deliver',
    tenantIds.map((tenantId) => ({ payload: { tenantId }, jobId: `deliver-${tenantId}` })),
  );
}
