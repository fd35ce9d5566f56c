import { messageOf } from '../kernel/errors';
import type { Logger } from '../kernel/logger';

const everyMs = 10_000;

/**
 * Says what connections to queues suffer: while a store is away each of them fails many times a second. Of a queue the first
 * failure is told at once, and then one in ten seconds, with how many there were since the last line.
 */
export function connectionLog(
  logger: Pick<Logger, 'warn'>,
  message: string,
  nowMs: () => number = () => performance.now(),
): (queue: string, error: unknown) => void {
  const told = new Map<string, { atMs: number; since: number }>();
  return (queue, error) => {
    const last = told.get(queue);
    if (last && nowMs() - last.atMs < everyMs) {
      last.since += 1;
      return;
    }
    told.set(queue, { atMs: nowMs(), since: 0 });
    logger.warn({ reason: messageOf(error), queue, failures: (last?.since ?? 0) + 1 }, message);
  };
}
