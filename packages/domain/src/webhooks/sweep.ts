import { createKnownKeys, messageOf, type Cipher, type KnownKeys, type Queries } from '@tieout/infra';
import { enqueueDeliveries, maxInFlight, webhookKeyIdsSql } from '../events';
import type { DomainDeps } from '../kernel/scope';
import { isActiveSql } from '../kernel/sql';
import { firstOfEachEndpoint } from './backlog';
import { leaseMarginMs, previousOutcomeSql } from './claim';
import type { DeliveryPolicy } from './retry-schedule';
import { settleAttempts, withoutAnswer, type AttemptResult } from './settle';
import { secretPurpose } from './secrets';
import { cancelSomeDeliveries } from './webhooks';

type SweepDeps = Pick<DomainDeps, 'db' | 'queue' | 'logger'>;

export interface DeliverySweepOptions {
  policy: DeliveryPolicy;
  keys: KnownKeys;
  /** Default: the time of the database. */
  at?: Date | null;
  /**
   * Decides, once the database has answered, whether attempts whose lease has expired count as lost. Default: they do.
   */
  mayInterrupt?: () => boolean;
}

/**
 * Settles attempts whose process is gone, and enqueues tenants with due deliveries; retries begin this way too. Reads
 * one index entry for each endpoint with waiting deliveries, regardless of their number.
 */
export async function sweepDeliveries(deps: SweepDeps, options: DeliverySweepOptions): Promise<void> {
  await settleLostAttempts(deps, options);
  await wakeWaiting(deps, options);
}

async function settleLostAttempts(
  { db, logger }: SweepDeps,
  { policy, at = null, mayInterrupt = () => true }: DeliverySweepOptions,
): Promise<void> {
  const interrupted = await interruptedAttempts(db.system, at);
  if (!mayInterrupt() || interrupted.length === 0) return;
  await settleAttempts(db.prepared, interrupted, { policy, at }, logger);
  logger.warn({ attempts: interrupted.length }, 'attempts of lost processes are repeated');
}

async function wakeWaiting({ db, queue }: SweepDeps, { keys, at = null }: DeliverySweepOptions): Promise<void> {
  const endpoints = await waitingEndpoints(db.system, at);
  const waiting = endpoints.filter(({ isRemoved }) => !isRemoved);
  keys.reportMissing(waiting.flatMap(({ keyIds }) => keyIds));
  const claimable = waiting.filter(({ isFull, keyIds }) => !isFull && keyIds.every((id) => keys.ids.includes(id)));
  const tenantIds = new Set(claimable.map(({ tenantId }) => tenantId));
  if (tenantIds.size > 0) await enqueueDeliveries(queue, [...tenantIds]);
  await cancelWaiting(
    db.system,
    endpoints.filter(({ isRemoved }) => isRemoved),
  );
}

/** Max time that a sweep spends on cancelling, which must not delay due deliveries; the next sweep continues. */
const maxCancellingMs = 300;

async function cancelWaiting(db: Queries, endpoints: readonly WaitingEndpoint[]): Promise<void> {
  const endMs = performance.now() + maxCancellingMs;
  for (const { tenantId, webhookId } of endpoints) {
    while (await cancelSomeDeliveries(db, tenantId, webhookId)) if (performance.now() > endMs) return;
    if (performance.now() > endMs) return;
  }
}

const maxInterrupted = 500;

/**
 * Reads attempts whose lease has expired. Their duration is unknown: the result holds the maximum that is possible.
 */
async function interruptedAttempts(db: Queries, at: Date | null): Promise<AttemptResult[]> {
  const rows = await db.query<
    Pick<AttemptResult, 'id' | 'tenantId' | 'number' | 'scheduled' | 'durationMs' | 'trigger' | 'previousOutcome'>
  >(
    `select id::text as id, tenant_id::text as "tenantId", attempts as number, scheduled,
            case when resume_status is null then 'schedule' else 'manual' end as trigger,
            ${previousOutcomeSql('d')} as "previousOutcome",
            (extract(epoch from lease_until - attempted_at) * 1000)::int - $3::int as "durationMs"
       from webhook_deliveries d
      where status = 'sending' and lease_until <= coalesce($1::timestamptz, now()) limit $2::int`,
    [at, maxInterrupted, leaseMarginMs],
  );
  return rows.map((row) => ({
    ...row,
    ...withoutAnswer,
    outcome: 'interrupted',
    error: 'The process that made the attempt ended before it could write the outcome',
  }));
}

interface WaitingEndpoint {
  tenantId: string;
  webhookId: string;
  /** The webhook is deleted. */
  isRemoved: boolean;
  /** The max number of attempts is in flight; the end of one wakes the tenant. */
  isFull: boolean;
  /** The keys that the webhook's secrets are encrypted under. */
  keyIds: string[];
}

/**
 * Reads endpoints with a due delivery, and deleted ones with a waiting delivery, by skipping through the index.
 */
function waitingEndpoints(db: Queries, at: Date | null): Promise<WaitingEndpoint[]> {
  return db.query<WaitingEndpoint>(
    `with recursive clock as (select coalesce($1::timestamptz, now()) as at),
     ${firstOfEachEndpoint},
     busy as materialized (
       select s.tenant_id, s.webhook_id, count(*) as sending
         from clock, (select distinct tenant_id from first) t, lateral (
           select s.tenant_id, s.webhook_id from webhook_deliveries s
            where s.tenant_id = t.tenant_id and s.status = 'sending' and s.lease_until > clock.at) s
        group by s.tenant_id, s.webhook_id),
     of_tenant as (select tenant_id, sum(sending) as sending from busy group by tenant_id)
     select f.tenant_id::text as "tenantId", f.webhook_id::text as "webhookId",
            w.id is null or w.deleted_at is not null as "isRemoved",
            coalesce(b.sending, 0) >= ${maxInFlight.endpoint}
              or coalesce(t.sending, 0) >= ${maxInFlight.tenant} as "isFull",
            ${webhookKeyIdsSql('clock.at')} as "keyIds"
       from clock, first f
       left join webhooks w on w.id = f.webhook_id
       left join busy b on b.tenant_id = f.tenant_id and b.webhook_id = f.webhook_id
       left join of_tenant t on t.tenant_id = f.tenant_id
      where w.id is null or w.deleted_at is not null
         or (f.next_attempt_at <= clock.at and ${isActiveSql('f.tenant_id')})`,
    [at],
  );
}

/** A longer gap between two sweeps shows that the database did not answer, or that this process did not run. */
const maxSilenceMs = 3_000;

/**
 * Returns a function to call each time the database has answered, which says whether attempts may count as lost. The
 * leases of living processes expire too while the database is down: after an outage, these processes get time to write
 * their results.
 */
export function createInterruptionGuard(nowMs = (): number => performance.now()): () => boolean {
  let answeredMs = nowMs();
  let heldUntilMs = answeredMs;
  return () => {
    const now = nowMs();
    if (now - answeredMs > maxSilenceMs) heldUntilMs = now + leaseMarginMs;
    answeredMs = now;
    return now >= heldUntilMs;
  };
}

/**
 * Sweeps at an interval, independent of the queues; returns the function that stops it. Lost attempts have their own
 * loop: a queue that does not answer must not look like an outage of the database.
 */
export function startDeliverySweeps(
  deps: SweepDeps,
  policy: DeliveryPolicy,
  cipher: Pick<Cipher, 'keyIds'>,
  everyMs = 1_000,
): () => Promise<void> {
  const options = {
    policy,
    keys: createKnownKeys(cipher, secretPurpose, deps.logger),
    mayInterrupt: createInterruptionGuard(),
  };
  const guarded = (sweep: typeof wakeWaiting) => (): Promise<void> =>
    sweep(deps, options).catch((error: unknown) =>
      deps.logger.warn({ reason: messageOf(error) }, 'sweep of deliveries failed'),
    );
  const stops = [settleLostAttempts, wakeWaiting].map((sweep) => repeat(guarded(sweep), everyMs));
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}

/** Runs the work again and again, with a pause between two runs; returns the function that stops it. */
function repeat(work: () => Promise<void>, pauseMs: number): () => Promise<void> {
  let stopped = false;
  let wake = (): void => undefined;
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async (): Promise<void> => {
    while (!stopped) {
      await work();
      if (!stopped) await pause();
    }
  };
  const running = run();
  return async () => {
    stopped = true;
    wake();
    await running;
  };
}
