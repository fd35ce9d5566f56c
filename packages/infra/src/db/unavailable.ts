/** Codes of Node, PostgreSQL and Prisma, and kinds of Prisma's driver adapter, that say: the database cannot be had just now. */
const signs = new Set<unknown>([
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

/** The pool of `pg` gives these failures no code. */
const messages = /timeout exceeded when trying to connect|timeout expired|Connection terminated|is not queryable/i;

const maxDepth = 5;

/** True when a statement failed because the database could not be reached, or went away, and may work a little later. */
export function isDatabaseUnavailable(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > maxDepth) return false;
  const { code, kind, originalCode, message, cause, meta, driverAdapterError } = error as Record<string, unknown>;
  return (
    signs.has(code) ||
    signs.has(kind) ||
    signs.has(originalCode) ||
    (typeof message === 'string' && messages.test(message)) ||
    [cause, meta, driverAdapterError].some((inner) => isDatabaseUnavailable(inner, depth + 1))
  );
}
