import type { PoolClient, Queries } from '@tieout/infra';
import { inSteps } from '../../kernel/retention';
import type { ReviewedOf } from './reviewed';

/*
 * A job compares the records of its snapshot, also those that are removed while it runs. A removal takes out the matches that it finds, and
 * leaves a note; when the batches are done, the job takes out what they have found of noted records since. Records of its datasets are not
 * removed while it does that and what follows: a removal would not see what it is about to commit, and would wait for it with locks in hand.
 */

const recordsOf = (datasetId: string): string => `hashtextextended('records of ' || ${datasetId}::text, 0)`;

/** A removal takes its time from the note to its commit, and waits for no job meanwhile. */
const margin = `interval '1 minute'`;

const forgottenAtOnce = 5_000;

/** Waits for jobs that keep the records of the dataset. Comes before everything that a removal of some of them locks. */
export async function beginRemoval(tx: Queries, datasetId: string): Promise<void> {
  await tx.execute(`select pg_advisory_xact_lock_shared(${recordsOf('$1')})`, [datasetId]);
}

/** Waits for the removals under way of records of a job's datasets, and keeps others from beginning until the transaction ends. */
export async function keepRecords(client: PoolClient, tenantId: string, jobId: string): Promise<void> {
  await client.query(
    `select pg_advisory_xact_lock(${recordsOf('id')}) from (
       select distinct unnest(array[left_dataset_id, right_dataset_id]) as id from job_rule_sets where tenant_id = $1 and job_id = $2 order by 1) d`,
    [tenantId, jobId],
  );
}

/** The last thing of the transaction that removes the records: jobs that have them in their snapshot go by the time. */
export async function noteRemoved(
  tx: Queries,
  tenantId: string,
  datasetId: string,
  recordIds: readonly string[],
): Promise<void> {
  await tx.execute(
    `insert into removed_records (record_id, tenant_id, dataset_id, removed_at) select unnest($3::uuid[]), $1::uuid, $2::uuid, clock_timestamp()
     on conflict (record_id) do update set removed_at = excluded.removed_at`,
    [tenantId, datasetId, recordIds],
  );
}

/** Takes back the notes of those of these records that are still there. */
export async function forgetStaying(tx: Queries, tenantId: string, recordIds: readonly string[]): Promise<void> {
  await tx.execute(
    `delete from removed_records n where n.tenant_id = $1::uuid and n.record_id = any($2::uuid[])
        and exists (select 1 from records r where r.tenant_id = $1::uuid and r.id = n.record_id)`,
    [tenantId, recordIds],
  );
}

/** The records of its datasets that have been removed since a job was made. */
export async function removedSince(client: PoolClient, tenantId: string, jobId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select record_id as id from removed_records
      where tenant_id = $1 and removed_at >= (select created_at - ${margin} from matching_jobs where tenant_id = $1 and id = $2)
        and dataset_id = any(array(select unnest(array[left_dataset_id, right_dataset_id]) from job_rule_sets where tenant_id = $1 and job_id = $2))`,
    [tenantId, jobId],
  );
  return rows.map(({ id }) => id);
}

/** Takes out the matches of one rule set of a job that name one of these records; the figures do not count them yet. */
export async function dropMatchesOf(
  client: PoolClient,
  of: Omit<ReviewedOf, 'ruleSetVersion'>,
  recordIds: readonly string[],
): Promise<{ id: string; decision: 'MATCH' | 'POSSIBLE'; score: number }[]> {
  if (recordIds.length === 0) return [];
  const { rows } = await client.query<{ id: string; decision: 'MATCH' | 'POSSIBLE'; score: number }>(
    // The fences keep each search on the index of the record: statistics know nothing of the job's matches yet.
    `delete from matches where tenant_id = $1 and id = any(array(
       select found.id from unnest($4::uuid[]) r(id), lateral (
         select id from (select * from matches where left_record_id = r.id offset 0) m where m.job_id = $2 and m.rule_set_id = $3
         union all
         select id from (select * from matches where right_record_id = r.id offset 0) m where m.job_id = $2 and m.rule_set_id = $3) found))
     returning id, decision, score`,
    [of.tenantId, of.jobId, of.ruleSetId, recordIds],
  );
  return rows;
}

/** Forgets the removals that no job asks for any more: a failed one can be taken up again for a day. */
export async function forgetRemoved(db: Queries): Promise<void> {
  await inSteps(async () => {
    const forgotten = await db.execute(
      `delete from removed_records where record_id = any(array(
         select record_id from removed_records where removed_at < interval '-1 day' +
           least(now(), (select min(created_at) from matching_jobs where status in ('queued', 'running'))) limit $1::int))`,
      [forgottenAtOnce],
    );
    return forgotten === forgottenAtOnce;
  });
}
