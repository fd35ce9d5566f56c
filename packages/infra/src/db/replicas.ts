import { setTimeout as pause } from 'node:timers/promises';
import { nextFlight } from '../concurrency/next-flight';
import { throttleLog } from '../concurrency/throttle-log';
import { withDeadline } from '../concurrency/timeouts';
import { messageOf } from '../kernel/errors';
import type { Logger } from '../kernel/logger';
import { isDatabaseUnavailable, isRecoveryConflict } from './errors';
import { askEnd, askReplayed, type LogPosition } from './log-position';
import type { Server } from './server';
import type { DatabaseUsage } from './types';

const askAgainAfterMs = 5;
/** A standby gets no reads for a while after it failed, and after it was waited for in vain. */
const avoidLostMs = 5_000;
const avoidLateMs = 1_000;
const logEveryMs = 10_000;

const isReached = (end: LogPosition, replayed: LogPosition): boolean =>
  end.history === replayed.history && end.bytes <= replayed.bytes;

/** The distance of a standby from its primary. */
export interface ReplicaLag {
  /** Host and port. */
  replica: string;
  /** Bytes of the log that it has not replayed; undefined: it does not answer, or is not a standby of this primary. */
  bytes: number | undefined;
}

/** A standby of the primary. */
export class Replica {
  /** Tells how far it is; one that does not tell is avoided. */
  readonly replayed = nextFlight(() => askReplayed(this.server.questions).catch((error: unknown) => this.lost(error)));
  private avoidedUntilMs = 0;
  private readonly log: (reason: string) => void;

  /** @param name host and port, for logs and metrics */
  constructor(
    readonly server: Server,
    readonly name: string,
    logger: Logger,
  ) {
    this.log = throttleLog(logEveryMs, (reason, times) =>
      logger.warn({ replica: name, reason, times }, 'a replica did not answer; the primary does'),
    );
  }

  get isAvoided(): boolean {
    return performance.now() < this.avoidedUntilMs;
  }

  /** Notes that a read failed here, which the primary may answer. */
  failed(error: unknown): void {
    const isAway = isDatabaseUnavailable(error);
    if (isAway) this.avoid(avoidLostMs);
    // The message of another failure may quote data.
    this.log(isAway || isRecoveryConflict(error) ? messageOf(error) : 'a statement failed');
  }

  /** Notes that it was waited for in vain. */
  late(hasOtherHistory: boolean): void {
    this.avoid(avoidLateMs);
    this.log(hasOtherHistory ? 'its log is not that of the primary' : 'it is behind');
  }

  private lost(error: unknown): never {
    this.avoid(avoidLostMs);
    this.log(messageOf(error));
    throw error;
  }

  private avoid(forMs: number): void {
    this.avoidedUntilMs = performance.now() + forMs;
  }
}

/** The standbys of a primary, and what they may answer. */
export class Replicas {
  private readonly end: () => Promise<LogPosition>;
  private asked = 0;

  /** @param maxWaitMs a read waits for a standby for as long */
  constructor(
    primary: Server,
    private readonly all: readonly Replica[],
    private readonly maxWaitMs: number,
  ) {
    this.end = nextFlight(() => askEnd(primary.questions));
  }

  /**
   * Gives a standby that has replayed all that was committed when this was called, by whichever process. Undefined:
   * there is none in time, and the primary is to answer.
   */
  async choose(): Promise<Replica | undefined> {
    // Each in turn is asked first, and the first to answer is taken.
    const from = this.asked++ % this.all.length;
    const candidates = [...this.all.slice(from), ...this.all.slice(0, from)].filter(({ isAvoided }) => !isAvoided);
    if (candidates.length === 0) return undefined;
    const untilMs = performance.now() + this.maxWaitMs;
    try {
      const end = await withDeadline(this.end(), this.maxWaitMs, 'late');
      return await firstAt(end, candidates, untilMs - performance.now());
    } catch {
      // The read of the primary, which follows, tells why it does not answer.
      return undefined;
    }
  }

  async lag(): Promise<ReplicaLag[]> {
    const end = await this.end();
    return Promise.all(
      this.all.map(async ({ name: replica, replayed }) => {
        const at = await replayed().catch(() => undefined);
        return { replica, bytes: at?.history === end.history ? Math.max(0, Number(end.bytes - at.bytes)) : undefined };
      }),
    );
  }

  usage(): DatabaseUsage[] {
    return this.all.map(({ server }) => server.usage());
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map(({ server }) => server.close()));
  }
}

/** Gives the first of the standbys to reach a place, undefined when none does so in time. */
async function firstAt(
  end: LogPosition,
  replicas: readonly Replica[],
  maxWaitMs: number,
): Promise<Replica | undefined> {
  const behind = new Map<Replica, LogPosition | undefined>(replicas.map((replica) => [replica, undefined]));
  let isOver = false;
  const reach = async (replica: Replica): Promise<Replica> => {
    while (!isOver) {
      const replayed = await replica.replayed();
      if (isReached(end, replayed)) return replica;
      behind.set(replica, replayed);
      await pause(askAgainAfterMs);
    }
    throw new Error('late');
  };
  const attempts = replicas.map((replica) =>
    reach(replica).catch((error: unknown) => {
      behind.delete(replica);
      throw error;
    }),
  );
  try {
    return await withDeadline(Promise.any(attempts), maxWaitMs, 'late');
  } catch {
    for (const [replica, at] of behind) replica.late(at !== undefined && at.history !== end.history);
    return undefined;
  } finally {
    isOver = true;
  }
}
