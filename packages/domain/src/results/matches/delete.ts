import type { DbHandle, Queries } from '@tieout/infra';
import { deleteCompositesOfRecords, lockCompositesNaming } from '../composites';
import { updateMatchedCounts, affectedLeftRecords, subtractResultCounts } from '../counters';
import { forgetVersionsOfRecords } from '../reviews';
import { removeUnmatched } from '../unmatched';
import { noteRemovedRecords } from './removed';

/**
 * Max matches and composites of one transaction: deletes in less than a second, for which reviews of the tenant wait.
 */
const resultsPerStep = 20_000;

/**
 * Returns the first of these records, at least one, with at most as many results as one transaction should delete. A
 * record may have any number of results.
 */
export async function recordsOfStep(
  db: Queries,
  tenantId: string,
  recordIds: readonly string[],
): Promise<readonly string[]> {
  const [reached] = await db.query<{ results: number; last: number }>(
    `select count(*)::int as results, coalesce(max(place), 0)::int as last from (
       select r.place from unnest($2::uuid[]) with ordinality r(id, place), lateral (
         select from (select tenant_id from matches where left_record_id = r.id offset 0) m
          where m.tenant_id = $1::uuid
         union all select from (select tenant_id from matches where right_record_id = r.id offset 0) m
          where m.tenant_id = $1::uuid
         union all select from (select tenant_id from composite_matches where target_record_id = r.id offset 0) c
          where c.tenant_id = $1::uuid
         union all select from composite_members m where m.record_id = r.id and m.tenant_id = $1::uuid) named
       limit ${resultsPerStep + 1}) found`,
    [tenantId, recordIds],
  );
  if (!reached || reached.results <= resultsPerStep) return recordIds;
  return recordIds.slice(0, Math.max(1, reached.last - 1));
}

/**
 * SQL for the ids of matches that name one of the records `$2`. `offset 0` keeps each search on the index of the
 * record.
 */
const naming = `select m.id from unnest($2::uuid[]) r(id),
    lateral (select id from matches where left_record_id = r.id offset 0) m
  union all select m.id from unnest($2::uuid[]) r(id),
    lateral (select id from matches where right_record_id = r.id offset 0) m`;

/**
 * Deletes the matches and composites that name one of these records of a dataset, reviewed ones too, updates the
 * counters, and removes the records from the lists of unmatched ones. Jobs with the records in their snapshot later
 * delete the results that they find for them. It is the last step of the transaction that deletes the records, or of
 * one before it, which `waitToRemove` began. The ids of matches stay in the database: a record may have millions.
 */
export async function deleteResultsOfRecords(
  tx: DbHandle,
  tenantId: string,
  datasetId: string,
  recordIds: readonly string[],
): Promise<void> {
  await removeUnmatched(tx, tenantId, recordIds);
  await forgetVersionsOfRecords(tx, tenantId, recordIds);
  // The row locks are taken before the lock of the counters, as in every other change of these rows.
  const matches = await lockMatchesNaming(tx, tenantId, recordIds);
  const composites = await lockCompositesNaming(tx, tenantId, recordIds);
  if (matches + composites.length > 0) {
    await updateMatchedCounts(
      tx,
      tenantId,
      () => affectedLeftRecords(tx, tenantId, recordIds),
      async () => {
        await deleteCompositesOfRecords(tx, tenantId, recordIds);
        await deleteMatchesNaming(tx, tenantId, recordIds);
      },
    );
  }
  await noteRemovedRecords(tx, tenantId, datasetId, recordIds);
}

/** Counts the matches that name one of these records, and locks them until the end of the transaction. */
async function lockMatchesNaming(tx: DbHandle, tenantId: string, recordIds: readonly string[]): Promise<number> {
  const [held] = await tx.query<{ count: number }>(
    `select count(*)::int as count from (
       select from matches where tenant_id = $1::uuid and id = any(array(${naming})) for update) held`,
    [tenantId, recordIds],
  );
  return held?.count ?? 0;
}

async function deleteMatchesNaming(tx: DbHandle, tenantId: string, recordIds: readonly string[]): Promise<void> {
  const deleted = await tx.query<{ jobId: string; ruleSetId: string; decision: string; count: number }>(
    // Rows stored by a batch since, and locked by another transaction, are left to their job.
    `with held as materialized (
       select id from matches where tenant_id = $1::uuid and id = any(array(${naming})) for update skip locked
     ), gone as (
       delete from matches where tenant_id = $1::uuid and id = any(array(select id from held))
       returning job_id, rule_set_id, decision
     )
     select job_id::text as "jobId", rule_set_id::text as "ruleSetId", decision, count(*)::int as count
       from gone group by 1, 2, 3`,
    [tenantId, recordIds],
  );
  await subtractResultCounts(
    tx,
    tenantId,
    deleted.map((counted) => ({ ...counted, kind: 'match', status: '' })),
  );
}
