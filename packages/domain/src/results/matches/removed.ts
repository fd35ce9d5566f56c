import type { PoolClient, Queries } from '@tieout/infra';
import { repeatWithPauses } from '../../kernel/retention';
import type { DeletedMatch, EntryOwner } from './reviewed';

/*
 * A job compares the records of its snapshot, including records that are removed while it runs. A removal deletes the
 * matches that it finds, and leaves a note. When the batches are done, the job deletes the matches that they have found
 * for noted records since. From then until the job commits, no records of its datasets are removed: a removal would not
 * see the uncommitted matches, and would wait for them while holding locks.
 */

/** SQL for the key of the advisory lock on the records of a dataset. */
const recordsKey = (datasetId: string): string => `hashtextextended('records of ' || ${datasetId}::text, 0)`;

/** Max time from the note of a removal to its commit; it does not wait for a job. */
const margin = `interval '1 minute'`;

const notesPerStep = 5_000;

/** Waits for jobs that block removals from the dataset. A removal takes this lock before all others. */
export async function waitToRemove(tx: Queries, datasetId: string): Promise<void> {
  await tx.execute(`select pg_advisory_xact_lock_shared(${recordsKey('$1')})`, [datasetId]);
}

/** Waits for running removals from the datasets of a job, and blocks new ones until the transaction ends. */
export async function blockRemovals(client: PoolClient, tenantId: string, jobId: string): Promise<void> {
  await client.query(
    `select pg_advisory_xact_lock(${recordsKey('id')}) from (
       select distinct unnest(array[left_dataset_id, right_dataset_id]) as id
         from job_rule_sets where tenant_id = $1 and job_id = $2 order by 1) d`,
    [tenantId, jobId],
  );
}

/** Notes removed records with the time. It is the last step of the transaction that removes them. */
export async function noteRemovedRecords(
  tx: Queries,
  tenantId: string,
  datasetId: string,
  recordIds: readonly string[],
): Promise<void> {
  await tx.execute(
    `insert into removed_records (record_id, tenant_id, dataset_id, removed_at)
     select unnest($3::uuid[]), $1::uuid, $2::uuid, clock_timestamp()
     on conflict (record_id) do update set removed_at = excluded.removed_at`,
    [tenantId, datasetId, recordIds],
  );
}

/** Deletes the notes of these records as far as the records still exist. */
export async function deleteNotesOfExisting(
  tx: Queries,
  tenantId: string,
  recordIds: readonly string[],
): Promise<void> {
  await tx.execute(
    `delete from removed_records n where n.tenant_id = $1::uuid and n.record_id = any($2::uuid[])
        and exists (select 1 from records r where r.tenant_id = $1::uuid and r.id = n.record_id)`,
    [tenantId, recordIds],
  );
}

/** Lists the records of a job's datasets that were removed since the job was created. */
export async function recordsRemovedSince(client: PoolClient, tenantId: string, jobId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select record_id as id from removed_records
      where tenant_id = $1
        and removed_at >= (select created_at - ${margin} from matching_jobs where tenant_id = $1 and id = $2)
        and dataset_id = any(array(
          select unnest(array[left_dataset_id, right_dataset_id])
            from job_rule_sets where tenant_id = $1 and job_id = $2))`,
    [tenantId, jobId],
  );
  return rows.map(({ id }) => id);
}

/** Deletes the matches of one rule set of a job that name one of these records; the counters do not count them yet. */
export async function deleteMatchesOf(
  client: PoolClient,
  owner: EntryOwner,
  recordIds: readonly string[],
): Promise<DeletedMatch[]> {
  if (recordIds.length === 0) return [];
  const { rows } = await client.query<DeletedMatch>(
    // `offset 0` keeps each search on the index of the record: statistics do not know the job's matches yet.
    `delete from matches where tenant_id = $1 and id = any(array(
       select found.id from unnest($4::uuid[]) r(id), lateral (
         select id from (select * from matches where left_record_id = r.id offset 0) m
          where m.job_id = $2 and m.rule_set_id = $3
         union all
         select id from (select * from matches where right_record_id = r.id offset 0) m
          where m.job_id = $2 and m.rule_set_id = $3) found))
     returning id, decision, score`,
    [owner.tenantId, owner.jobId, owner.ruleSetId, recordIds],
  );
  return rows;
}

/** Does what `deleteMatchesOf` does for many records: it reads the matches of the rule set once. */
export async function deleteMatchesOfMany(
  client: PoolClient,
  owner: EntryOwner,
  recordIds: readonly string[],
): Promise<DeletedMatch[]> {
  const { rows } = await client.query<DeletedMatch>(
    `with gone as materialized (select unnest($4::uuid[]) as id)
     delete from matches m
      where m.tenant_id = $1 and m.job_id = $2 and m.rule_set_id = $3
        and (m.left_record_id in (select id from gone) or m.right_record_id in (select id from gone))
     returning m.id, m.decision, m.score`,
    [owner.tenantId, owner.jobId, owner.ruleSetId, recordIds],
  );
  return rows;
}

/** Deletes the notes that no job reads any more; a failed job can be retried for a day. */
export async function deleteOldRemovalNotes(db: Queries): Promise<void> {
  await repeatWithPauses(async () => {
    const deleted = await db.execute(
      `delete from removed_records where record_id = any(array(
         select record_id from removed_records where removed_at < interval '-1 day' +
           least(now(), (select min(created_at) from matching_jobs where status in ('queued', 'running')))
          limit $1::int))`,
      [notesPerStep],
    );
    return deleted === notesPerStep;
  });
}
