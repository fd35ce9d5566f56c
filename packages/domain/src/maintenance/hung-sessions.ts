import type { Logger, Queries } from '@tieout/infra';

/** Nobody who works leaves others waiting for so long without a word to the database. */
const defaultPatienceSeconds = 30;
/** In the middle of a COPY the database cannot tell when its client last sent something. */
const copyPatienceFactor = 4;

/**
 * Ends connections of processes of this service that hang: in the middle of a transaction they wait for their process, and
 * another process has waited for them all the time. What they had begun is rolled back, and who waited does the work.
 */
export async function endHungSessions(db: Queries, logger: Logger, patienceSeconds = defaultPatienceSeconds): Promise<void> {
  const ended = await db.query<{ pid: number; application: string; query: string }>(
    `select h.pid, h.application_name as application, left(h.query, 100) as query, pg_terminate_backend(h.pid)
       from (select distinct unnest(pg_blocking_pids(pid)) as pid from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock' and application_name like 'tieout %'
                and query_start < now() - make_interval(secs => $1::float8)) blocking
       join pg_stat_activity h on h.pid = blocking.pid and h.application_name like 'tieout %'
      where (h.state like 'idle in transaction%' and h.state_change < now() - make_interval(secs => $1::float8))
         or (h.state = 'active' and h.wait_event = 'ClientRead' and h.query_start < now() - make_interval(secs => $1::float8 * ${copyPatienceFactor}))`,
    [patienceSeconds],
  );
  for (const { pid, application, query } of ended) logger.warn({ backendPid: pid, application, query }, 'the connection of a process that hangs was ended');
}
