import { setMaxListeners } from 'node:events';
import { messageOf, type Db, type JobPayload, type Logger } from '@tieout/infra';
import { hasClaimable } from '../events';
import type { Jobs } from '../kernel/jobs';
import { domainMetrics } from '../kernel/metrics';
import { claimAttempts, type ClaimedAttempt } from './claim';
import { sendAttempt, type SendMeans } from './send';
import { settleAttempts, type AttemptResult } from './settle';

export interface DelivererOptions extends SendMeans {
  db: Db;
  logger: Logger;
  /** Enqueues a job for a tenant: attempts have finished that kept other deliveries of the tenant waiting. */
  wake(tenantId: string): Promise<void>;
  /** Default: the time of the database. */
  clock?: () => Date;
}

export interface Deliverer {
  /** Starts the due attempts of a tenant, for a few seconds at most: then the next tenant is served. */
  deliverDue(tenantId: string): Promise<void>;
  /**
   * Starts no further attempt. Attempts in flight get `graceMs`; then they are interrupted, and another process may
   * repeat them at once. Resolves when all results are written.
   */
  close(graceMs?: number): Promise<void>;
}

/** A tenant that has more to send after this time goes to the end of the queue. */
const maxClaimingMs = 2_000;
/** A job that can claim nothing waits this long for an attempt to finish. Slower receivers do not hold the job. */
const maxWaitMs = 250;
const settleRetryMs = 500;
/** Lets first attempts reach their own deadline; the rest of a shutdown needs less than what is left of its 9 s. */
const closeGraceMs = 6_000;

/**
 * Makes attempts in this process. A job only claims: the attempts that it starts outlive it, and the rows say how many
 * may be in flight, whichever process makes them. Results of all tenants are written together.
 */
export function createDeliverer({ db, logger, wake, clock, ...means }: DelivererOptions): Deliverer {
  const { keyIds } = means.cipher;
  const at = (): Date | null => clock?.() ?? null;
  const settlement = createSettlement(
    (results) => settleAttempts(db.prepared, results, { policy: means.policy, at: at() }, logger),
    logger,
  );
  const attemptsByTenant = new Map<string, TenantAttempts>();
  const pending = new Set<Promise<unknown>>();
  const stop = new AbortController();
  // Each attempt in flight listens.
  setMaxListeners(0, stop.signal);
  let closing = false;

  /** Makes `close` wait for the promise. */
  const track = <T>(promise: Promise<T>): Promise<T> => {
    const settled = promise.catch(() => undefined).finally(() => pending.delete(settled));
    pending.add(settled);
    return promise;
  };

  const attemptsOf = (tenantId: string): TenantAttempts => {
    const attempts = attemptsByTenant.get(tenantId) ?? createTenantAttempts();
    attemptsByTenant.set(tenantId, attempts);
    return attempts;
  };

  const make = async (attempts: TenantAttempts, attempt: ClaimedAttempt): Promise<void> => {
    attempts.started(attempt.id);
    const result = await sendAttempt(means, attempt, stop.signal);
    attempts.finished(attempt.id);
    domainMetrics.observe(
      'tieout_webhook_attempt_duration_seconds',
      { outcome: result.outcome },
      result.durationMs / 1000,
    );
    await settlement.add(result);
    const othersWait = attempts.written(attempt.id);
    if (attempts.isIdle()) attemptsByTenant.delete(attempt.tenantId);
    if (!othersWait || closing) return;
    await wake(attempt.tenantId).catch((error: unknown) =>
      logger.warn({ reason: messageOf(error) }, 'could not enqueue the deliveries of a tenant; a sweep will'),
    );
  };

  const claim = async (tenantId: string, attempts: TenantAttempts): Promise<void> => {
    const endMs = performance.now() + maxClaimingMs;
    // A long transaction keeps dead entries in the index: starting after the last claim passes them once.
    const lastClaimed = new Map<string, ClaimedAttempt>();
    while (!closing && performance.now() < endMs) {
      const finished = attempts.takeFinished();
      const claimed = await claimAttempts(db.prepared, tenantId, {
        policy: means.policy,
        keyIds,
        finished,
        after: [...lastClaimed.values()],
        at: at(),
      });
      for (const attempt of claimed) {
        void track(make(attempts, attempt));
        lastClaimed.set(attempt.webhookId, attempt);
      }
      if (claimed.length === 0) {
        lastClaimed.clear();
        const options = { at: at(), endedIds: finished, keyIds };
        if (attempts.sendingCount() === 0 && !(await hasClaimable(db.prepared, tenantId, options))) return;
      }
      if (!(await attempts.nextFinished(maxWaitMs))) break;
    }
    attempts.leaveOthersWaiting();
  };

  return {
    deliverDue: async (tenantId) => {
      const attempts = attemptsOf(tenantId);
      const endClaiming = attempts.beginClaiming();
      try {
        await track(claim(tenantId, attempts));
      } finally {
        endClaiming();
        if (attempts.isIdle()) attemptsByTenant.delete(tenantId);
      }
    },
    close: async (graceMs = closeGraceMs) => {
      closing = true;
      const timer = setTimeout(() => stop.abort(), graceMs);
      while (pending.size > 0) await Promise.all(pending);
      clearTimeout(timer);
    },
  };
}

/** The jobs of the webhook-delivery queue. */
export function createDeliveryHandlers(deliverer: Pick<Deliverer, 'deliverDue'>) {
  return {
    'webhook.deliver': ({ tenantId }: JobPayload<Jobs, 'webhook.deliver'>): Promise<void> =>
      deliverer.deliverDue(tenantId),
  };
}

/** The attempts that this process makes for one tenant. */
interface TenantAttempts {
  /** Returns the function that ends it. */
  beginClaiming(): () => void;
  started(id: string): void;
  finished(id: string): void;
  /** Returns whether other deliveries wait for this one and no job claims them. Says so once. */
  written(id: string): boolean;
  /** Records that a job ends with deliveries left that it could not claim in addition to the attempts in flight. */
  leaveOthersWaiting(): void;
  sendingCount(): number;
  isIdle(): boolean;
  /** Returns the attempts that have finished and are not written yet. */
  takeFinished(): string[];
  /** Resolves with true when an attempt has finished since `takeFinished`, with false after the timeout. */
  nextFinished(timeoutMs: number): Promise<boolean>;
}

function createTenantAttempts(): TenantAttempts {
  const sending = new Set<string>();
  const unwritten = new Set<string>();
  let claimingJobs = 0;
  let othersWait = false;
  let hasNews = false;
  let notify = (): void => undefined;
  return {
    beginClaiming: () => {
      claimingJobs++;
      othersWait = false;
      return () => void claimingJobs--;
    },
    started: (id) => void sending.add(id),
    finished: (id) => {
      sending.delete(id);
      unwritten.add(id);
      hasNews = true;
      notify();
    },
    written: (id) => {
      unwritten.delete(id);
      const shouldWake = othersWait && claimingJobs === 0;
      if (shouldWake) othersWait = false;
      return shouldWake;
    },
    leaveOthersWaiting: () => (othersWait = true),
    sendingCount: () => sending.size,
    isIdle: () => claimingJobs + sending.size + unwritten.size === 0,
    takeFinished: () => {
      hasNews = false;
      return [...unwritten];
    },
    nextFinished: (timeoutMs) =>
      new Promise((resolve) => {
        if (hasNews) return resolve(true);
        const timer = setTimeout(() => resolve(false), timeoutMs);
        notify = () => {
          clearTimeout(timer);
          resolve(true);
        };
      }),
  };
}

/**
 * Writes results in batches: each statement takes what has arrived during the one before. Retries while the database is
 * away.
 */
function createSettlement(write: (results: readonly AttemptResult[]) => Promise<void>, logger: Logger) {
  let waiting: { result: AttemptResult; written: () => void }[] = [];
  let isWriting = false;
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await write(batch.map(({ result }) => result));
      } catch (error) {
        logger.warn(
          { reason: messageOf(error), attempts: batch.length },
          'results of attempts could not be written; trying again',
        );
        waiting = [...batch, ...waiting];
        await new Promise((resolve) => setTimeout(resolve, settleRetryMs));
        continue;
      }
      for (const { written } of batch) written();
    }
    isWriting = false;
  };
  return {
    add: (result: AttemptResult): Promise<void> =>
      new Promise((written) => {
        waiting.push({ result, written });
        if (isWriting) return;
        isWriting = true;
        void writeAll();
      }),
  };
}
