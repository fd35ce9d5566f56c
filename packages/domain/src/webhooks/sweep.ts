import { createKnownKeys, keyIdOf, messageOf, type Cipher, type KnownKeys, type Queries } from '@tieout/infra';
import { enqueueDeliveries, mostInFlight } from '../events';
import type { DomainDeps } from '../kernel/scope';
import { cancelSomeDeliveries } from './cancel';
import { leaseMarginMs, outcomeBefore } from './claim';
import type { Outcome, Trigger } from './outcomes';
import type { DeliveryPolicy } from './schedule';
import { settleAttempts, withoutAnswer, type AttemptResult } from './settle';
import { firstOfEachEndpoint } from './waiting';
import { secretPurpose } from './webhooks';

type SweepDeps = Pick<DomainDeps, 'db' | 'queue' | 'logger'>;

export interface DeliverySweepOptions {
  policy: DeliveryPolicy;
  keys: KnownKeys;
  /** Default: the time of the database. */
  at?: Date | null;
  /** Asked when the database has answered: whether attempts whose lease is over count as lost. Default: they do. */
  mayInterrupt?: () => boolean;
}

/**
 * Brings on the way what nobody works on: attempts whose process is gone, and tenants with deliveries that are due. This is
 * also how retries begin. It reads an entry for each endpoint that has something waiting, however much that is.
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
  const waiting = endpoints.filter(({ gone }) => !gone);
  keys.reportMissing(waiting.map(({ keyId }) => keyId));
  const due = new Set(
    waiting.filter(({ full, keyId }) => !full && keys.ids.includes(keyId)).map(({ tenantId }) => tenantId),
  );
  if (due.size > 0) await enqueueDeliveries(queue, [...due]);
  await cancelWaiting(
    db.system,
    endpoints.filter(({ gone }) => gone),
  );
}

/** What is removed must not hold up what is due: the next sweep goes on. */
const mostCancellingMs = 300;

async function cancelWaiting(db: Queries, endpoints: readonly WaitingEndpoint[]): Promise<void> {
  const endMs = performance.now() + mostCancellingMs;
  for (const { tenantId, webhookId } of endpoints) {
    while (await cancelSomeDeliveries(db, tenantId, webhookId)) if (performance.now() > endMs) return;
    if (performance.now() > endMs) return;
  }
}

const mostInterrupted = 500;

/** How long they lasted nobody knows: it is told how long they may have lasted. */
async function interruptedAttempts(db: Queries, at: Date | null): Promise<AttemptResult[]> {
  const rows = await db.query<
    Pick<AttemptResult, 'id' | 'tenantId' | 'number' | 'scheduled' | 'durationMs'> & {
      trigger: Trigger;
      before: Outcome | null;
    }
  >(
    `select id::text as id, tenant_id::text as "tenantId", attempts as number, scheduled,
            case when resume_status is null then 'schedule' else 'manual' end as trigger, ${outcomeBefore('d')} as before,
            (extract(epoch from lease_until - attempted_at) * 1000)::int - $3::int as "durationMs"
       from webhook_deliveries d where status = 'sending' and lease_until <= coalesce($1::timestamptz, now()) limit $2::int`,
    [at, mostInterrupted, leaseMarginMs],
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
  /** The webhook is removed. */
  gone: boolean;
  /** As many attempts as may be are under way already; the end of one wakes its tenant. */
  full: boolean;
  /** Of the key that its secret is under, unless it is removed. */
  keyId: string;
}

/** Endpoints with a delivery that is due, and removed ones with any that waits. From one endpoint the index leads to the next. */
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
     select f.tenant_id::text as "tenantId", f.webhook_id::text as "webhookId", w.id is null or w.deleted_at is not null as gone,
            coalesce(b.sending, 0) >= ${mostInFlight.endpoint} or coalesce(t.sending, 0) >= ${mostInFlight.tenant} as full,
            ${keyIdOf('w.secret')} as "keyId"
       from clock, first f
       left join webhooks w on w.id = f.webhook_id
       left join busy b on b.tenant_id = f.tenant_id and b.webhook_id = f.webhook_id
       left join of_tenant t on t.tenant_id = f.tenant_id
      where w.id is null or w.deleted_at is not null or f.next_attempt_at <= clock.at`,
    [at],
  );
}

/** Sweeps this far apart show that the database did not answer, or this process did not run. */
const longestSilenceMs = 3_000;

/**
 * Whether attempts may count as lost, told each time the database has answered. Leases go on while it is away, so afterwards
 * those of processes that are alive may be over too: their results, which waited for it, are written first.
 */
export function createInterruptionGuard(nowMs = (): number => performance.now()): () => boolean {
  let answeredMs = nowMs();
  let heldUntilMs = answeredMs;
  return () => {
    const now = nowMs();
    if (now - answeredMs > longestSilenceMs) heldUntilMs = now + leaseMarginMs;
    answeredMs = now;
    return now >= heldUntilMs;
  };
}

/**
 * Sweeps every so often, whatever becomes of the queues; returns how to stop. Lost attempts have a loop of their own: a queue
 * that does not answer must not look like a silence of the database.
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
  const stops = [settleLostAttempts, wakeWaiting].map((sweep) =>
    repeat(
      () =>
        sweep(deps, options).catch((error: unknown) =>
          deps.logger.warn({ reason: messageOf(error) }, 'sweep of deliveries failed'),
        ),
      everyMs,
    ),
  );
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}

/** One at a time, with a pause between; returns how to stop. */
function repeat(work: () => Promise<void>, pauseMs: number): () => Promise<void> {
  let stopped = false;
  let wake = (): void => undefined;
  const run = async (): Promise<void> => {
    while (!stopped) {
      await work();
      if (stopped) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const running = run();
  return async () => {
    stopped = true;
    wake();
    await running;
  };
}
