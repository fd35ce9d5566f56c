import { AppError, isLockTimeout, type Queries } from '@tieout/infra';

/** The id before all ids, where reading in the order of ids begins. */
export const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Writes `column = value` so that an index of (column, id) serves `order by column, id`. The planner drops a column
 * that equals a constant from the order; it may then scan all rows of the tenant by id, past any number of other rows,
 * instead of that index.
 */
export const indexFriendlyEquals = (column: string, value: string): string => `${column} = any(array[${value}])`;

/** Completing a large job takes longer than a request of the same tenant should wait for its locks. */
const lockTimeoutMs = 3_000;

/**
 * Runs a part of a transaction with a short lock timeout, which stays until the transaction ends.
 * @throws AppError conflict, with the message, after a lock timeout
 */
export async function withShortLockTimeout<T>(tx: Queries, message: string, work: () => Promise<T>): Promise<T> {
  try {
    await tx.execute(`set local lock_timeout = ${lockTimeoutMs}`);
    return await work();
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new AppError('conflict', message, { retryAfterSeconds: 5 });
  }
}
