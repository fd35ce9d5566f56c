/** Codes of Node, PostgreSQL and Prisma, and kinds of its adapter, of a database that is unavailable for now. */
const unavailableCodes = new Set<unknown>([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '25006', // read_only_sql_transaction: the primary has become a standby
  '25P03', // idle_in_transaction_session_timeout
  '53100', // disk_full
  '53300', // too_many_connections
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  'TMV01', // refuse_moving_tenant
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);

/** Messages of failures of the pool of `pg`, which carry no code. */
const unavailableMessages =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|is not queryable/i;

/** The code of the function refuse_moving_tenant. */
const tenantMovingCode = 'TMV01';

/** True when the database does not serve the tenant of a statement, which moves to another database. */
export const isTenantMoving = (error: unknown): boolean =>
  isAnyCause(error, ({ code, originalCode }) => code === tenantMovingCode || originalCode === tenantMovingCode);

/**
 * True when a statement failed because the database could not be reached, went away, or does not serve the tenant while
 * it moves, and may succeed a little later.
 */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  isAnyCause(
    error,
    ({ code, kind, originalCode, message }) =>
      [code, kind, originalCode].some((one) => unavailableCodes.has(one)) ||
      (typeof message === 'string' && unavailableMessages.test(message)),
  );

const maxDepth = 5;

/** Tests an error and the errors inside it, which drivers wrap in several ways. */
function isAnyCause(error: unknown, test: (error: Record<string, unknown>) => boolean, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > maxDepth) return false;
  const { cause, meta, driverAdapterError } = error as Record<string, unknown>;
  return (
    test(error as Record<string, unknown>) ||
    [cause, meta, driverAdapterError].some((inner) => isAnyCause(inner, test, depth + 1))
  );
}

/** True when a statement was refused because a row with the same key exists. */
export function isUniqueViolation(error: unknown): boolean {
  return hasDatabaseCode(error, 'P2002', '23505');
}

/** True when a statement was refused because another row refers to this one, or the row referred to is gone. */
export function isForeignKeyViolation(error: unknown): boolean {
  return hasDatabaseCode(error, 'P2003', '23503');
}

/** True when a statement waited longer for a lock than `lock_timeout` allows. */
export function isLockTimeout(error: unknown): boolean {
  return hasDatabaseCode(error, undefined, '55P03');
}

const recoveryConflictCodes = ['40001', '40P01', '57P04'];

/** True when a standby ended a statement, or its connection, because the replay of the log could not wait for it. */
export function isRecoveryConflict(error: unknown): boolean {
  return recoveryConflictCodes.some((code) => hasDatabaseCode(error, undefined, code));
}

export function isDeadlock(error: unknown): boolean {
  return hasDatabaseCode(error, 'P2034', '40P01');
}

export function hasDatabaseCode(error: unknown, prismaCode: string | undefined, sqlState: string): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, meta } = error as { code?: unknown; meta?: unknown };
  if (code === sqlState || (code !== undefined && code === prismaCode)) return true;
  return code === 'P2010' && JSON.stringify(meta ?? {}).includes(`"${sqlState}"`);
}
