import type { RedisConnection } from 'bullmq';
import type { Redis } from 'ioredis';
import { withDeadline } from '../deadline';
import { runningLap } from '../running-timeout';

const looksPerSilence = 5;

/**
 * Finds out when only this end still knows of a connection: Redis is gone without a word, or something in between has forgotten it. A command would
 * wait there until the system stops repeating what nobody acknowledges, a quarter of an hour. That Redis merely takes long, as with a
 * script, it shows: it has no answer for others either. What is lost is opened again, and commands without an answer are sent again.
 *
 * @param silentMs When nothing comes for so long though an answer is due, Redis is asked over another connection. More than a command waits for work.
 */
export function reopenWhenLost(connection: RedisConnection, silentMs: number): void {
  const client = connection['_client'] as unknown as Redis;
  const everyMs = silentMs / looksPerSilence;
  const lap = runningLap(everyMs);
  let bytesRead = 0;
  let silentForMs = 0;
  let asking = false;
  const isSilent = (): boolean => client.commandQueue.length > 0 && client.stream?.bytesRead === bytesRead;
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
    answers(client, silentMs / 2)
      .then(() => {
        if (client.stream === stream && isSilent()) stream.destroy(new Error(`a command had no answer for ${silentMs} ms, though Redis is there`));
      })
      // Whoever cannot be asked may be back, and with it the connection: it is asked again.
      .catch(() => undefined)
      .finally(() => {
        asking = false;
      });
  }, everyMs).unref();
}

/** Resolves when Redis answers on another connection. */
async function answers(client: Redis, timeoutMs: number): Promise<void> {
  const other = client.duplicate({ lazyConnect: true, enableReadyCheck: false, retryStrategy: null });
  other.on('error', () => undefined);
  try {
    await withDeadline(other.connect().then(() => other.ping()), timeoutMs, 'Redis does not answer');
  } finally {
    other.disconnect();
  }
}
