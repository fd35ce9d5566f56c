import type { Db, Logger } from '@tieout/infra';
import type { JobProducer } from '../../kernel/jobs';
import { enqueueChunks, readChunkId } from './enqueue';
import { groupBy } from './group-by';

/** Processing normally follows within a second: a record that waits longer may have lost its queue job. */
const OVERDUE_SECONDS = 30;
const STEP_SIZE = 5000;
const MAX_RECORDS = 100_000;

export interface SweepDeps {
  db: Db;
  queue: JobProducer;
  logger: Logger;
}

/**
 * Enqueues again, for all tenants, the records that are not processed 30 s after they were received, unless a chunk of their
 * tenant that is still in the queue may hold them: one that is at most 30 s younger than they are. Touching `updated_at` keeps
 * a record out of the next sweeps for as long again: those are its next attempts. So each record is in the queue twice at most,
 * also when nobody works that off. Returns the number of records enqueued.
 */
export async function sweepReceivedRecords(deps: SweepDeps): Promise<number> {
  if (!(await isAnyOverdue(deps.db))) return 0;
  const lost = await findLost(deps.db, await waitingSince(deps.queue));
  let swept = 0;
  for (const [tenantId, own] of groupBy(lost, (row) => row.tenantId)) {
    for (let i = 0; i < own.length; i += STEP_SIZE) {
      const { ids, sinceMs } = await claim(
        deps.db,
        tenantId,
        own.slice(i, i + STEP_SIZE).map((row) => row.id),
      );
      await enqueueChunks(deps.queue, tenantId, ids, { once: true, sinceMs });
      swept += ids.length;
    }
  }
  if (swept > 0) deps.logger.info({ records: swept }, 'received records enqueued again');
  return swept;
}

const isOverdue = `status = 'received' and updated_at < now() - make_interval(secs => ${OVERDUE_SECONDS})`;

async function isAnyOverdue(db: Db): Promise<boolean> {
  const [row] = await db.system.query<{ found: boolean }>(
    `select exists (select 1 from records where ${isOverdue}) as found`,
  );
  return row?.found === true;
}

/** By tenant, since when the oldest of its chunks in the queue has been waiting. */
async function waitingSince(queue: JobProducer): Promise<Map<string, number>> {
  const oldest = new Map<string, number>();
  for (const jobId of await queue.pendingIds('records.process')) {
    const chunk = readChunkId(jobId);
    if (chunk) oldest.set(chunk.tenantId, Math.min(chunk.sinceMs, oldest.get(chunk.tenantId) ?? Infinity));
  }
  return oldest;
}

interface LostRecord {
  tenantId: string;
  id: string;
}

/** Looks at all that is overdue, some 0.5 us a record: where one tenant has a million in the queue, the lost ones of another may be behind them. */
function findLost(db: Db, waiting: ReadonlyMap<string, number>): Promise<LostRecord[]> {
  return db.system.query<LostRecord>(
    `select r.tenant_id as "tenantId", r.id from records r
     where ${isOverdue} and not exists (
       select 1 from unnest($1::uuid[], $2::float8[]) waiting (tenant_id, since)
       where waiting.tenant_id = r.tenant_id and r.updated_at >= to_timestamp(waiting.since / 1000) - make_interval(secs => ${OVERDUE_SECONDS}))
     order by r.updated_at limit ${MAX_RECORDS}`,
    [[...waiting.keys()], [...waiting.values()]],
  );
}

/** Those that are still overdue and that nobody else holds, and when they were touched by this, on the clock that looks at them next. */
async function claim(db: Db, tenantId: string, ids: readonly string[]): Promise<{ ids: string[]; sinceMs: number }> {
  const rows = await db.system.query<{ id: string; sinceMs: number }>(
    `update records r set updated_at = now()
     where r.tenant_id = $1::uuid and r.id = any(array(
       select id from records where tenant_id = $1::uuid and id = any($2::uuid[]) and ${isOverdue} for update skip locked))
     returning r.id, extract(epoch from r.updated_at)::float8 * 1000 as "sinceMs"`,
    [tenantId, ids],
  );
  return { ids: rows.map((row) => row.id), sinceMs: rows[0]?.sinceMs ?? 0 };
}
