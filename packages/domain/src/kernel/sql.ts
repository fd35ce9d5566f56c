import { AppError, isLockTimeout, type Queries } from '@tieout/infra';

/** The id before all ids, where reading in the order of ids begins. */
export const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Writes `column = value` so that an index of (column, id) serves `order by column, id`. The planner drops a column
 * that equals a constant from the order; it may then scan all rows of the tenant by id, past any number of other rows,
 * instead of that index.
 */
export const indexFriendlyEquals = (column: string, value: string): string => `${column} = any(array[${value}])`;

/**
 * SQL that holds for the id of an active tenant: work of a suspended one waits, and one that is being deleted has none.
 * The others are few, and an index lists them.
 */
export const isActiveSql = (tenantId: string): string =>
  `${tenantId} not in (select id from tenants where status <> 'active')`;

/** The same for work that continues while a tenant is deleted. */
export const isNotSuspendedSql = (tenantId: string): string =>
  `${tenantId} not in (select id from tenants where status not in ('active', 'deleting'))`;

/**
 * SQL that holds for a share of all ids, the same ones each time, whenever their records came.
 * @param share SQL for a number of 0..1
 */
export const sampledSql = (id: string, share: string): string =>
  `(hashtext(${id}::text)::bigint + 2147483648)::float8 / 4294967296 < ${share}::float8`;

/**
 * SQL that leaves the planner only joins by a hash of all keys, and SQL that ends this. Statistics may not know the
 * tenant yet: a nested loop, or a merge by tenant alone, is then taken for the cheapest plan.
 */
export const hashJoins = {
  begin: 'set enable_nestloop = off; set enable_mergejoin = off',
  end: 'reset enable_nestloop; reset enable_mergejoin',
};

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

/** Runs a part of a transaction that may fail without it: what the part has changed is then taken back. */
export async function inSavepoint<T>(tx: Queries, work: () => Promise<T>): Promise<T> {
  await tx.execute('savepoint part');
  try {
    const result = await work();
    await tx.execute('release savepoint part');
    return result;
  } catch (error) {
    await tx.execute('rollback to savepoint part');
    throw error;
  }
}
