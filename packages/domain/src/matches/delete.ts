import type { DbHandle } from '@tieout/infra';
import { deleteCompositesOfRecords, lockCompositesNaming } from '../composite-matches';
import { changingMatched, leftRecordsBeside, subtractResults } from '../figures';
import { noteRemoved } from './removed';

/**
 * Removes the matches and composites that name one of these records of a dataset, reviewed ones too, and takes them off the live figures. Jobs that
 * have them in their snapshot take out what they find of them later.
 * The last thing of the transaction that deletes the records or precedes it, which `beginRemoval` began.
 */
export async function deleteResultsOfRecords(tx: DbHandle, tenantId: string, datasetId: string, recordIds: readonly string[]): Promise<void> {
  await noteRemoved(tx, tenantId, datasetId, recordIds);
  // Whoever changes one of these rows takes the lock of the figures after it: so does this.
  const held = await lockMatchesNaming(tx, tenantId, recordIds);
  const composites = await lockCompositesNaming(tx, tenantId, recordIds);
  if (held.length + composites.length === 0) return;
  await changingMatched(tx, tenantId, () => leftRecordsBeside(tx, tenantId, recordIds), async () => {
    await deleteCompositesOfRecords(tx, tenantId, recordIds);
    const deleted = await tx.query<{ jobId: string; ruleSetId: string; decision: string; count: number }>(
      `with gone as (delete from matches where tenant_id = $1::uuid and id = any($2::uuid[]) returning job_id, rule_set_id, decision)
       select job_id::text as "jobId", rule_set_id::text as "ruleSetId", decision, count(*)::int as count from gone group by 1, 2, 3`,
      [tenantId, held],
    );
    await subtractResults(tx, tenantId, deleted.map((of) => ({ ...of, kind: 'match', status: '' })));
  });
}

/** The ids of the matches that name one of these records, whose rows nobody else changes until the end of the transaction. */
async function lockMatchesNaming(tx: DbHandle, tenantId: string, recordIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    // The fences keep each search on the index of the record: statistics may know nothing of the tenant yet.
    `select id::text as id from matches where tenant_id = $1::uuid and id = any(array(
       select m.id from unnest($2::uuid[]) r(id), lateral (select id from matches where left_record_id = r.id offset 0) m
       union all
       select m.id from unnest($2::uuid[]) r(id), lateral (select id from matches where right_record_id = r.id offset 0) m)) for update`,
    [tenantId, recordIds],
  );
  return rows.map(({ id }) => id);
}
