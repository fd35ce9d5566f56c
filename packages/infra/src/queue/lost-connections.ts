import { setTimeout } from 'node:timers/promises';
import type { RedisConnection } from 'bullmq';
import type { Redis } from 'ioredis';
import { withDeadline } from '../concurrency/deadline';
import { runningLap } from '../process/running-timeout';

const looksPerSilence = 5;

/**
 * Finds out when only this end still knows of a connection: Redis is gone without a word, or something in between has forgotten it. A command would
 * wait there until the system stops repeating what nobody acknowledges, a quarter of an hour. That Redis merely takes long, as with a
 * script, it shows: it has no answer for others either. What is lost is opened again, and commands without an answer are sent again.
 *
 * @param silentMs When nothing comes for so long though an answer is due, Redis is asked over another connection, and a tenth of it later once more. More than a command waits for work.
 */
export function reopenWhenLost(connection: RedisConnection, silentMs: number): void {
  const client = connection['_client'] as unknown as Redis;
  const everyMs = silentMs / looksPerSilence;
  const lap = runningLap(everyMs);
  let bytesRead = 0;
  let silentForMs = 0;
  let asking = false;
  const isSilent = (): boolean =>
    client.commandQueue.length > 0 && client.stream?.destroyed === false && client.stream.bytesRead === bytesRead;
  const timer = setInterval(() => {
    if (connection.status === 'closed') return clearInterval(timer);
    const sinceMs = lap();
    if (!isSilent()) {
      bytesRead = client.stream?.bytesRead ?? 0;
      silentForMs = 0;
      return;
    }
    silentForMs += sinceMs;
    if (silentForMs < silentMs || asking) return;
    asking = true;
    const { stream } = client;
    const isLost = (): boolean =>
      connection.status !== 'closed' && client.stream === stream && silentForMs >= silentMs && isSilent();
    answersFor(client, { isLost, timeoutMs: silentMs / 2, pauseMs: everyMs / 2 })
      .then(() => {
        if (isLost()) stream.destroy(new Error(`a command had no answer for ${silentMs} ms, though Redis is there`));
      })
      // Whoever cannot be asked may be back, and with it the connection: it is asked again.
      .catch(() => undefined)
      .finally(() => {
        asking = false;
      });
  }, everyMs).unref();
}

interface Asking {
  isLost: () => boolean;
  timeoutMs: number;
  pauseMs: number;
}

/**
 * Resolves when it is known whether Redis is there. One that goes on after it was stopped may answer who asks before those who have waited:
 * these get the time of a pause, and it must be there after that as well.
 */
async function answersFor(client: Redis, { isLost, timeoutMs, pauseMs }: Asking): Promise<void> {
  await answers(client, timeoutMs);
  await setTimeout(pauseMs, undefined, { ref: false });
  if (isLost()) await answers(client, timeoutMs);
}

/** Resolves when Redis answers on another connection. */
async function answers(client: Redis, timeoutMs: number): Promise<void> {
  const other = client.duplicate({ lazyConnect: true, enableReadyCheck: false, retryStrategy: null });
  other.on('error', () => undefined);
  try {
    await withDeadline(
      other.connect().then(() => other.ping()),
      timeoutMs,
      'Redis does not answer',
    );
  } finally {
    other.disconnect();
  }
}
