import { setTimeout } from 'node:timers/promises';
import type { RedisConnection } from 'bullmq';
import type { Redis } from 'ioredis';
import { withDeadline } from '../concurrency/timeouts';
import { runningLap } from '../concurrency/timeouts';

const checksPerSilence = 5;

/**
 * Reopens a connection that the other end has lost: Redis has vanished, or a device in between has dropped the
 * connection. Commands on it would wait a quarter of an hour, until the system stops retransmitting. A Redis that is
 * merely busy, as with a script, does not answer on another connection either, so no connection is reopened then.
 * Commands without an answer are sent again on the new connection.
 * @param silentMs Time without a due answer after which Redis is probed over another connection, and again a tenth of
 *   that time later. It must exceed the time that a command waits for work.
 */
export function reopenWhenLost(connection: RedisConnection, silentMs: number): void {
  const client = connection['_client'] as unknown as Redis;
  const everyMs = silentMs / checksPerSilence;
  const lap = runningLap(everyMs);
  let bytesRead = 0;
  let silentForMs = 0;
  let isProbing = false;
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
    if (silentForMs < silentMs || isProbing) return;
    isProbing = true;
    const { stream } = client;
    const isLost = (): boolean =>
      connection.status !== 'closed' && client.stream === stream && silentForMs >= silentMs && isSilent();
    probeTwice(client, { isLost, timeoutMs: silentMs / 2, pauseMs: everyMs / 2 })
      .then(() => {
        if (isLost()) stream.destroy(new Error(`a command had no answer for ${silentMs} ms, though Redis is there`));
      })
      // A Redis that cannot be reached may come back, and the connection with it: the next check probes again.
      .catch(() => undefined)
      .finally(() => {
        isProbing = false;
      });
  }, everyMs).unref();
}

interface ProbeOptions {
  isLost: () => boolean;
  timeoutMs: number;
  pauseMs: number;
}

/**
 * Resolves when Redis answers on another connection, twice. A Redis that resumes after it was stopped may answer the
 * new connection before the old one, which gets the pause to receive its answer.
 */
async function probeTwice(client: Redis, { isLost, timeoutMs, pauseMs }: ProbeOptions): Promise<void> {
  await probe(client, timeoutMs);
  await setTimeout(pauseMs, undefined, { ref: false });
  if (isLost()) await probe(client, timeoutMs);
}

async function probe(client: Redis, timeoutMs: number): Promise<void> {
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
