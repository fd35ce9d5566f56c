import type { Logger, Queries } from '@tieout/infra';

/** A working session never blocks others for this long without a statement. */
const defaultHungAfterSeconds = 30;
/** A session in the middle of a transfer gets more time: its process works on rows between two portions. */
const transferFactor = 4;

/** SQL for sessions that block another one whose statement began more than $1 seconds ago. */
const blockingSql = `(select distinct unnest(pg_blocking_pids(pid)) as pid from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock' and application_name like 'tieout %'
                and query_start < now() - make_interval(secs => $1::float8)) blocking
       join pg_stat_activity h on h.pid = blocking.pid and h.application_name like 'tieout %'`;

/** A statement that receives rows by COPY, or sends them in portions; each portion restarts the statement. */
interface Transfer {
  pid: number;
  startedAt: string;
  /** Bytes received so far. */
  bytes: string;
}

/**
 * Creates a check that ends hung sessions of this service: they wait for their process in the middle of a transaction,
 * and keep blocking another session. Their transaction is rolled back, and the blocked process does the work.
 * @returns the check. It compares transfers with those of the previous check, so ending one takes two checks.
 */
export function createHungSessionCheck(
  db: Queries,
  logger: Logger,
  hungAfterSeconds = defaultHungAfterSeconds,
): () => Promise<void> {
  let silent = new Map<string, { bytes: string; sinceMs: number }>();

  /** Returns transfers that have made no progress for too long. */
  async function silentTransfers(): Promise<Transfer[]> {
    const transfers = await db.query<Transfer>(
      `select h.pid, h.query_start::text as "startedAt", coalesce(c.bytes_processed, 0)::text as bytes
         from ${blockingSql} left join pg_stat_progress_copy c on c.pid = h.pid
        where h.state = 'active' and h.wait_event = 'ClientRead'`,
      [hungAfterSeconds],
    );
    const nowMs = performance.now();
    const previous = silent;
    silent = new Map();
    return transfers.filter(({ pid, startedAt, bytes }) => {
      const key = `${pid} ${startedAt}`;
      const before = previous.get(key);
      const isSilent = before?.bytes === bytes;
      silent.set(key, isSilent ? before : { bytes, sinceMs: nowMs });
      return isSilent && nowMs - before.sinceMs >= hungAfterSeconds * transferFactor * 1_000;
    });
  }

  return async () => {
    const transfers = await silentTransfers();
    const ended = await db.query<{ pid: number; application: string; query: string }>(
      `select h.pid, h.application_name as application, left(h.query, 100) as query, pg_terminate_backend(h.pid)
         from ${blockingSql}
        where (h.state like 'idle in transaction%' and h.state_change < now() - make_interval(secs => $1::float8))
           or (h.pid, h.query_start) in (select * from unnest($2::int[], $3::timestamptz[]))`,
      [hungAfterSeconds, transfers.map(({ pid }) => pid), transfers.map(({ startedAt }) => startedAt)],
    );
    for (const { pid, application, query } of ended)
      logger.warn({ backendPid: pid, application, query }, 'the connection of a process that hangs was ended');
  };
}
