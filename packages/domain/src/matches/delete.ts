import type { DbHandle } from '@tieout/infra';
import { deleteCompositesOfRecords, lockCompositesNaming } from '../composite-matches';
import { changingMatched, leftRecordsBeside, subtractResults } from '../figures';

/**
 * Removes the matches and composites that name one of these records, reviewed ones too, and takes them off the live figures.
 * The last thing of the transaction that deletes the records or precedes it.
 */
export async function deleteResultsOfRecords(tx: DbHandle, tenantId: string, recordIds: readonly string[]): Promise<void> {
  // Whoever changes one of these rows takes the lock of the figures after it: so does this.
  const held = await tx.execute(
    `select 1 from matches where (left_record_id = any($2::uuid[]) or right_record_id = any($2::uuid[])) and tenant_id = $1::uuid for update`,
    [tenantId, recordIds],
  );
  const composites = await lockCompositesNaming(tx, tenantId, recordIds);
  if (held + composites.length === 0) return;
  await changingMatched(tx, tenantId, () => leftRecordsBeside(tx, tenantId, recordIds), async () => {
    await deleteCompositesOfRecords(tx, tenantId, recordIds);
    for (const side of ['left_record_id', 'right_record_id']) {
      const deleted = await tx.query<{ jobId: string; ruleSetId: string; decision: string; count: number }>(
        `with gone as (delete from matches where ${side} = any($2::uuid[]) and tenant_id = $1::uuid returning job_id, rule_set_id, decision)
         select job_id::text as "jobId", rule_set_id::text as "ruleSetId", decision, count(*)::int as count from gone group by 1, 2, 3`,
        [tenantId, recordIds],
      );
      await subtractResults(tx, tenantId, deleted.map((of) => ({ ...of, kind: 'match', status: '' })));
    }
  });
}
