import type { Db, Logger } from '@tieout/infra';
import type { JobProducer } from '../jobs';
import { enqueueChunks } from './enqueue';
import { groupBy } from './group-by';

/** Processing normally follows within a second: a record that waits longer may have lost its queue job. */
const OVERDUE_SECONDS = 30;
const STEP_SIZE = 5000;
const MAX_RECORDS = 100_000;
/** With this many jobs waiting the records wait for their turn, and have not been lost. */
const BACKLOG_JOBS = 200;

export interface SweepDeps {
  db: Db;
  queue: JobProducer;
  logger: Logger;
}

/**
 * Enqueues again, for all tenants, the records that are not processed 30 s after they were received, and 30 s after what
 * waits in the queue could have run: the job of a younger one may be among that. Touching `updated_at` keeps a record out of
 * the next sweeps for as long again: those are its next attempts, so that what fails each time does not fill the queue. Returns
 * the number of records enqueued.
 */
export async function sweepReceivedRecords(deps: SweepDeps): Promise<number> {
  const { jobs, oldestSeconds } = await deps.queue.backlog('records.process');
  // Otherwise a queue that nobody works off would grow with every sweep.
  if (jobs >= BACKLOG_JOBS) return 0;
  let swept = 0;
  while (swept < MAX_RECORDS) {
    const rows = await claimOverdue(deps.db, oldestSeconds + OVERDUE_SECONDS);
    for (const [tenantId, own] of groupBy(rows, (row) => row.tenantId)) {
      await enqueueChunks(deps.queue, tenantId, own.map((row) => row.id), { once: true });
    }
    swept += rows.length;
    if (rows.length < STEP_SIZE) break;
  }
  if (swept > 0) deps.logger.info({ records: swept }, 'received records enqueued again');
  return swept;
}

function claimOverdue(db: Db, overdueSeconds: number): Promise<{ tenantId: string; id: string }[]> {
  return db.system.query<{ tenantId: string; id: string }>(
    `update records r set updated_at = now()
     from (
       select tenant_id, id from records
       where status = 'received' and updated_at < now() - make_interval(secs => $1::float8)
       order by updated_at limit ${STEP_SIZE} for update skip locked
     ) overdue
     where r.tenant_id = overdue.tenant_id and r.id = overdue.id
     returning r.tenant_id as "tenantId", r.id`,
    [overdueSeconds],
  );
}
