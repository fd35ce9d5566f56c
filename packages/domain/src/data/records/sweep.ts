import type { Db, Logger } from '@tieout/infra';
import type { JobProducer } from '../../kernel/jobs';
import { enqueueChunks, readChunkId } from './enqueue';
import { groupBy } from '../../kernel/grouping';
import { isActiveSql } from '../../kernel/sql';

/** Processing normally follows within a second: an overdue record may have lost its queue job. */
const overdueSeconds = 30;
const stepSize = 5000;
const maxRecords = 100_000;

export interface SweepDeps {
  db: Db;
  queue: JobProducer;
  logger: Logger;
}

/**
 * Enqueues again, for all tenants, the records that are still unprocessed 30 s after they were received. It skips
 * records that a queued chunk of their tenant may hold: a chunk is at most 30 s younger than its records. Touching
 * `updated_at` keeps a record out of the sweeps of the next 30 s. So each record is in the queue at most twice, even
 * without a consumer. Returns the number of enqueued records.
 */
export async function sweepReceivedRecords(deps: SweepDeps): Promise<number> {
  if (!(await isAnyOverdue(deps.db))) return 0;
  const lost = await findLost(deps.db, await oldestChunks(deps.queue));
  let swept = 0;
  for (const [tenantId, own] of groupBy(lost, (row) => row.tenantId)) {
    for (let i = 0; i < own.length; i += stepSize) {
      const { ids, sinceMs } = await claim(
        deps.db,
        tenantId,
        own.slice(i, i + stepSize).map((row) => row.id),
      );
      await enqueueChunks(deps.queue, tenantId, ids, { once: true, sinceMs });
      swept += ids.length;
    }
  }
  if (swept > 0) deps.logger.info({ records: swept }, 'received records enqueued again');
  return swept;
}

const isOverdue = `status = 'received' and updated_at < now() - make_interval(secs => ${overdueSeconds})
  and ${isActiveSql('tenant_id')}`;

async function isAnyOverdue(db: Db): Promise<boolean> {
  const [row] = await db.system.query<{ found: boolean }>(
    `select exists (select 1 from records where ${isOverdue}) as found`,
  );
  return row?.found === true;
}

/** Reads since when the oldest queued chunk of each tenant has been waiting. */
async function oldestChunks(queue: JobProducer): Promise<Map<string, number>> {
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

/**
 * Reads all overdue records, about 0.5 us each: a million queued records of one tenant may precede lost ones of
 * another.
 */
function findLost(db: Db, waiting: ReadonlyMap<string, number>): Promise<LostRecord[]> {
  return db.system.query<LostRecord>(
    `select r.tenant_id as "tenantId", r.id from records r
     where ${isOverdue} and not exists (
       select 1 from unnest($1::uuid[], $2::float8[]) waiting (tenant_id, since)
       where waiting.tenant_id = r.tenant_id
         and r.updated_at >= to_timestamp(waiting.since / 1000) - make_interval(secs => ${overdueSeconds}))
     order by r.updated_at limit ${maxRecords}`,
    [[...waiting.keys()], [...waiting.values()]],
  );
}

/**
 * Touches the records that are still overdue and not locked. Returns their ids and the time of the touch, by the clock
 * that the next sweep uses.
 */
async function claim(db: Db, tenantId: string, ids: readonly string[]): Promise<{ ids: string[]; sinceMs: number }> {
  const rows = await db.system.query<{ id: string; sinceMs: number }>(
    `update records r set updated_at = now()
     where r.tenant_id = $1::uuid and r.id = any(array(
       select id from records
        where tenant_id = $1::uuid and id = any($2::uuid[]) and ${isOverdue} for update skip locked))
     returning r.id, extract(epoch from r.updated_at)::float8 * 1000 as "sinceMs"`,
    [tenantId, ids],
  );
  return { ids: rows.map((row) => row.id), sinceMs: rows[0]?.sinceMs ?? 0 };
}
