import { setMaxListeners } from 'node:events';
import { messageOf, type Db, type Logger } from '@tieout/infra';
import { hasClaimable } from '../events';
import { domainMetrics } from '../kernel/metrics';
import { claimAttempts, type ClaimedAttempt } from './claim';
import { sendAttempt, type SendMeans } from './send';
import { settleAttempts, type AttemptResult } from './settle';

export interface DelivererOptions extends SendMeans {
  db: Db;
  logger: Logger;
  /** Asks for a turn of a tenant: attempts that kept others waiting are over. */
  wake(tenantId: string): Promise<void>;
  /** Default: the time of the database. */
  clock?: () => Date;
}

export interface Deliverer {
  /** Makes the attempts of a tenant that are due, for a few seconds at most: then it is the next tenant's turn. */
  takeTurn(tenantId: string): Promise<void>;
  /**
   * Begins no further attempt. Those under way may go on for so long, then they are given up as interrupted, and free for
   * another process. Resolves when all are written.
   */
  close(graceMs?: number): Promise<void>;
}

/** A tenant that has more to send goes to the end of the queue. */
const turnMs = 2_000;
/** A turn that can claim nothing waits this long for an attempt to end. Receivers that are slower hold no turn. */
const patienceMs = 250;
const settleAgainMs = 500;
/** First attempts end by themselves within it; the rest of a shutdown takes less than what is left of its 9 s. */
const closeGraceMs = 6_000;

/**
 * Makes attempts in this process. Turns only claim: what a turn has begun goes on behind it, and the rows say how much
 * may be under way, whichever process has it. Results of all tenants are written together.
 */
export function createDeliverer({ db, logger, wake, clock, ...means }: DelivererOptions): Deliverer {
  const { keyIds } = means.cipher;
  const at = (): Date | null => clock?.() ?? null;
  const settlement = createSettlement(
    (results) => settleAttempts(db.prepared, results, { policy: means.policy, at: at() }, logger),
    logger,
  );
  const underWay = new Map<string, TenantAttempts>();
  const work = new Set<Promise<unknown>>();
  const stop = new AbortController();
  // Each attempt under way listens.
  setMaxListeners(0, stop.signal);
  let closing = false;

  /** Kept in mind until it is over, whatever comes of it. */
  const track = <T>(promise: Promise<T>): Promise<T> => {
    const over = promise.catch(() => undefined).finally(() => work.delete(over));
    work.add(over);
    return promise;
  };

  const of = (tenantId: string): TenantAttempts => {
    const attempts = underWay.get(tenantId) ?? createTenantAttempts();
    underWay.set(tenantId, attempts);
    return attempts;
  };

  const make = async (attempts: TenantAttempts, attempt: ClaimedAttempt): Promise<void> => {
    attempts.begin(attempt.id);
    const result = await sendAttempt(means, attempt, stop.signal);
    attempts.over(attempt.id);
    domainMetrics.observe(
      'tieout_webhook_attempt_duration_seconds',
      { outcome: result.outcome },
      result.durationMs / 1000,
    );
    await settlement.add(result);
    const othersWait = attempts.written(attempt.id);
    if (attempts.isIdle()) underWay.delete(attempt.tenantId);
    if (!othersWait || closing) return;
    await wake(attempt.tenantId).catch((error: unknown) =>
      logger.warn({ reason: messageOf(error) }, 'could not ask for a turn; a sweep does'),
    );
  };

  const claim = async (tenantId: string, attempts: TenantAttempts): Promise<void> => {
    const endMs = performance.now() + turnMs;
    // Entries of the index that are dead but cannot be removed yet, because a long transaction runs, are passed once a turn.
    const last = new Map<string, ClaimedAttempt>();
    while (!closing && performance.now() < endMs) {
      const over = attempts.look();
      const claimed = await claimAttempts(db.prepared, tenantId, {
        policy: means.policy,
        keyIds,
        over,
        behind: [...last.values()],
        at: at(),
      });
      for (const attempt of claimed) {
        void track(make(attempts, attempt));
        last.set(attempt.webhookId, attempt);
      }
      if (claimed.length === 0) {
        last.clear();
        if (attempts.sending() === 0 && !(await hasClaimable(db.prepared, tenantId, { at: at(), over, keyIds })))
          return;
      }
      if (!(await attempts.nextOver(patienceMs))) break;
    }
    attempts.letOthersWait();
  };

  return {
    takeTurn: async (tenantId) => {
      const attempts = of(tenantId);
      const endTurn = attempts.beginTurn();
      try {
        await track(claim(tenantId, attempts));
      } finally {
        endTurn();
        if (attempts.isIdle()) underWay.delete(tenantId);
      }
    },
    close: async (graceMs = closeGraceMs) => {
      closing = true;
      const timer = setTimeout(() => stop.abort(), graceMs);
      while (work.size > 0) await Promise.all(work);
      clearTimeout(timer);
    },
  };
}

/** The attempts of one tenant that this process makes. */
interface TenantAttempts {
  /** Returns how it ends. */
  beginTurn(): () => void;
  begin(id: string): void;
  over(id: string): void;
  /** Whether others wait for it, and no turn goes on that sees to them. Told once. */
  written(id: string): boolean;
  /** A turn leaves behind what could not be claimed beside these. */
  letOthersWait(): void;
  sending(): number;
  isIdle(): boolean;
  /** Those that are over and not yet written. */
  look(): string[];
  /** Resolves when an attempt is over that was not at the last look, or after some time: then with false. */
  nextOver(timeoutMs: number): Promise<boolean>;
}

function createTenantAttempts(): TenantAttempts {
  const sending = new Set<string>();
  const unwritten = new Set<string>();
  let turns = 0;
  let othersWait = false;
  let news = false;
  let notify = (): void => undefined;
  return {
    beginTurn: () => {
      turns++;
      othersWait = false;
      return () => void turns--;
    },
    begin: (id) => void sending.add(id),
    over: (id) => {
      sending.delete(id);
      unwritten.add(id);
      news = true;
      notify();
    },
    written: (id) => {
      unwritten.delete(id);
      const tell = othersWait && turns === 0;
      if (tell) othersWait = false;
      return tell;
    },
    letOthersWait: () => (othersWait = true),
    sending: () => sending.size,
    isIdle: () => turns + sending.size + unwritten.size === 0,
    look: () => {
      news = false;
      return [...unwritten];
    },
    nextOver: (timeoutMs) =>
      new Promise((resolve) => {
        if (news) return resolve(true);
        const timer = setTimeout(() => resolve(false), timeoutMs);
        notify = () => {
          clearTimeout(timer);
          resolve(true);
        };
      }),
  };
}

/** Writes what is at hand in one statement, then what has come meanwhile. A database that is away is waited for. */
function createSettlement(write: (results: readonly AttemptResult[]) => Promise<void>, logger: Logger) {
  let waiting: { result: AttemptResult; written: () => void }[] = [];
  let writing = false;
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
        await new Promise((resolve) => setTimeout(resolve, settleAgainMs));
        continue;
      }
      for (const { written } of batch) written();
    }
    writing = false;
  };
  return {
    add: (result: AttemptResult): Promise<void> =>
      new Promise((written) => {
        waiting.push({ result, written });
        if (writing) return;
        writing = true;
        void writeAll();
      }),
  };
}
