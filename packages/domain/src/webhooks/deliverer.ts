import { messageOf, type Db, type Logger } from '@tieout/infra';
import { hasDueDeliveries } from '../events';
import { claimAttempts, type ClaimedAttempt } from './claim';
import { sendAttempt, type SendMeans } from './send';
import { settleAttempts, type AttemptResult } from './settle';

export interface DelivererOptions extends SendMeans {
  db: Db;
  logger: Logger;
  /** Default: the time of the database. */
  clock?: () => Date;
}

export interface Deliverer {
  /** Makes the attempts of a tenant that are due, for a few seconds at most: then it is the next tenant's turn. */
  takeTurn(tenantId: string): Promise<void>;
  /** Begins no further attempt; resolves when all that are under way are written. */
  close(): Promise<void>;
}

/** A tenant that has more to send goes to the end of the queue. */
const turnMs = 2_000;
/** Meanwhile, how long something new or another process's attempts go unnoticed. */
const lookEveryMs = 250;
const settleAgainMs = 500;

/**
 * Makes attempts in this process. Turns only claim: what a turn has begun goes on behind it, and the rows say how much
 * may be under way, whichever process has it. Results of all tenants are written together.
 */
export function createDeliverer({ db, logger, clock, ...means }: DelivererOptions): Deliverer {
  const at = (): Date | null => clock?.() ?? null;
  const settlement = createSettlement((results) => settleAttempts(db.prepared, results, { policy: means.policy, at: at() }, logger), logger);
  const underWay = new Map<string, TenantAttempts>();
  const written = new Set<Promise<void>>();
  let closing = false;

  const begin = (attempt: ClaimedAttempt): void => {
    const attempts = underWay.get(attempt.tenantId) ?? createTenantAttempts();
    underWay.set(attempt.tenantId, attempts);
    attempts.begin(attempt.id);
    const work = sendAttempt(means, attempt)
      .then((result) => {
        attempts.over(attempt.id);
        return settlement.add(result);
      })
      .then(() => {
        attempts.written(attempt.id);
        if (attempts.count() === 0) underWay.delete(attempt.tenantId);
        written.delete(work);
      });
    written.add(work);
  };

  return {
    takeTurn: async (tenantId) => {
      const endMs = performance.now() + turnMs;
      // Entries of the index that are dead but cannot be removed yet, because a long transaction runs, are passed once a turn.
      const last = new Map<string, ClaimedAttempt>();
      while (!closing && performance.now() < endMs) {
        const over = underWay.get(tenantId)?.look() ?? [];
        const claimed = await claimAttempts(db.prepared, tenantId, { policy: means.policy, over, behind: [...last.values()], at: at() });
        for (const attempt of claimed) {
          begin(attempt);
          last.set(attempt.webhookId, attempt);
        }
        if (claimed.length === 0) last.clear();
        const attempts = underWay.get(tenantId) ?? createTenantAttempts();
        if (attempts.sending() === 0 && !(await hasDueDeliveries(db.prepared, tenantId, at()))) break;
        await attempts.nextOver(lookEveryMs);
      }
    },
    close: async () => {
      closing = true;
      await Promise.all(written);
    },
  };
}

/** The attempts of one tenant that this process makes. */
interface TenantAttempts {
  begin(id: string): void;
  over(id: string): void;
  written(id: string): void;
  sending(): number;
  count(): number;
  /** Those that are over and not yet written. */
  look(): string[];
  /** Resolves when an attempt is over that was not at the last look, or after some time. */
  nextOver(timeoutMs: number): Promise<void>;
}

function createTenantAttempts(): TenantAttempts {
  const sending = new Set<string>();
  const unwritten = new Set<string>();
  let news = false;
  let notify = (): void => undefined;
  return {
    begin: (id) => void sending.add(id),
    over: (id) => {
      sending.delete(id);
      unwritten.add(id);
      news = true;
      notify();
    },
    written: (id) => void unwritten.delete(id),
    sending: () => sending.size,
    count: () => sending.size + unwritten.size,
    look: () => {
      news = false;
      return [...unwritten];
    },
    nextOver: (timeoutMs) =>
      new Promise<void>((resolve) => {
        if (news) return resolve();
        const timer = setTimeout(resolve, timeoutMs);
        notify = () => {
          clearTimeout(timer);
          resolve();
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
        logger.warn({ reason: messageOf(error), attempts: batch.length }, 'results of attempts could not be written; trying again');
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
