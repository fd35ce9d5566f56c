import { AppError, isLockTimeout, type Queries } from '@tieout/infra';

/** A large job takes longer to complete than a request should wait, and the requests of its tenant with it. */
const lockTimeoutMs = 3_000;

/**
 * Runs part of a transaction in which statements wait no longer than this for locks, until its end.
 * @throws AppError conflict, with the message, where a lock was not to be had
 */
export async function withLockPatience<T>(tx: Queries, message: string, work: () => Promise<T>): Promise<T> {
  try {
    await tx.execute(`set local lock_timeout = ${lockTimeoutMs}`);
    return await work();
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new AppError('conflict', message, { retryAfterSeconds: 5 });
  }
}
