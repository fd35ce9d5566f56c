import type { Logger, Queries } from '@tieout/infra';

/** Nobody who works leaves others waiting for so long without a word to the database. */
const defaultPatienceSeconds = 30;
/** In the middle of rows that are sent or taken many at a time, and made or worked on meanwhile. */
const rowsPatienceFactor = 4;

/** Sessions that others have waited for all the time. */
const blocking = `(select distinct unnest(pg_blocking_pids(pid)) as pid from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock' and application_name like 'tieout %'
                and query_start < now() - make_interval(secs => $1::float8)) blocking
       join pg_stat_activity h on h.pid = blocking.pid and h.application_name like 'tieout %'`;

/** A statement of a session that takes rows by COPY, or gives them by portions: each portion begins it anew. */
interface Transfer {
  pid: number;
  startedAt: string;
  /** Taken. */
  bytes: string;
}

/**
 * Ends connections of processes of this service that hang: in the middle of a transaction they wait for their process, and
 * another process has waited for them all the time. What they had begun is rolled back, and who waited does the work.
 * @returns looks once. What is sent or taken in the middle of rows is known from one look to the next: it takes two to end one.
 */
export function createHungSessionsEnd(
  db: Queries,
  logger: Logger,
  patienceSeconds = defaultPatienceSeconds,
): () => Promise<void> {
  let silent = new Map<string, { bytes: string; sinceMs: number }>();

  /** Those that have had nothing of their process for too long. */
  async function silentTransfers(): Promise<Transfer[]> {
    const transfers = await db.query<Transfer>(
      `select h.pid, h.query_start::text as "startedAt", coalesce(c.bytes_processed, 0)::text as bytes
         from ${blocking} left join pg_stat_progress_copy c on c.pid = h.pid where h.state = 'active' and h.wait_event = 'ClientRead'`,
      [patienceSeconds],
    );
    const nowMs = performance.now();
    const earlier = silent;
    silent = new Map();
    return transfers.filter(({ pid, startedAt, bytes }) => {
      const name = `${pid} ${startedAt}`;
      const before = earlier.get(name);
      const isSilent = before?.bytes === bytes;
      silent.set(name, isSilent ? before : { bytes, sinceMs: nowMs });
      return isSilent && nowMs - before.sinceMs >= patienceSeconds * rowsPatienceFactor * 1_000;
    });
  }

  return async () => {
    const transfers = await silentTransfers();
    const ended = await db.query<{ pid: number; application: string; query: string }>(
      `select h.pid, h.application_name as application, left(h.query, 100) as query, pg_terminate_backend(h.pid)
         from ${blocking}
        where (h.state like 'idle in transaction%' and h.state_change < now() - make_interval(secs => $1::float8))
           or (h.pid, h.query_start) in (select * from unnest($2::int[], $3::timestamptz[]))`,
      [patienceSeconds, transfers.map(({ pid }) => pid), transfers.map(({ startedAt }) => startedAt)],
    );
    for (const { pid, application, query } of ended)
      logger.warn({ backendPid: pid, application, query }, 'the connection of a process that hangs was ended');
  };
}
