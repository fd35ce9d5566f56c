import type { DbHandle, Queries } from '@tieout/infra';
import { deleteCompositesOfRecords, lockCompositesNaming } from '../composites';
import { changingMatched, leftRecordsBeside, subtractResults } from '../counters';
import { removeUnmatched } from '../unmatched';
import { noteRemoved } from './removed';

/** Of matches and composites. So many are gone in less than a second, for which reviews of the tenant wait. */
const resultsOfStep = 20_000;

/** The first of these records, at least one, with as many results as one transaction should remove. Records may have any number of them. */
export async function recordsOfStep(
  db: Queries,
  tenantId: string,
  recordIds: readonly string[],
): Promise<readonly string[]> {
  const [reached] = await db.query<{ results: number; last: number }>(
    `select count(*)::int as results, coalesce(max(place), 0)::int as last from (
       select r.place from unnest($2::uuid[]) with ordinality r(id, place), lateral (
         select from (select tenant_id from matches where left_record_id = r.id offset 0) m where m.tenant_id = $1::uuid
         union all select from (select tenant_id from matches where right_record_id = r.id offset 0) m where m.tenant_id = $1::uuid
         union all select from (select tenant_id from composite_matches where target_record_id = r.id offset 0) c where c.tenant_id = $1::uuid
         union all select from composite_members m where m.record_id = r.id and m.tenant_id = $1::uuid) named
       limit ${resultsOfStep + 1}) found`,
    [tenantId, recordIds],
  );
  if (!reached || reached.results <= resultsOfStep) return recordIds;
  return recordIds.slice(0, Math.max(1, reached.last - 1));
}

/** Ids of matches that name one of the records `$2`. The fences keep each search on the index of the record: statistics may know nothing of the tenant yet. */
const naming = `select m.id from unnest($2::uuid[]) r(id), lateral (select id from matches where left_record_id = r.id offset 0) m
  union all select m.id from unnest($2::uuid[]) r(id), lateral (select id from matches where right_record_id = r.id offset 0) m`;

/**
 * Removes the matches and composites that name one of these records of a dataset, reviewed ones too, and takes them off the live figures and the
 * records off the lists of the unmatched. Jobs that have them in their snapshot take out what they find of them later.
 * The last thing of the transaction that deletes the records or precedes it, which `beginRemoval` began. The ids of matches stay in the
 * database: a record may have millions.
 */
export async function deleteResultsOfRecords(
  tx: DbHandle,
  tenantId: string,
  datasetId: string,
  recordIds: readonly string[],
): Promise<void> {
  await removeUnmatched(tx, tenantId, recordIds);
  // Whoever changes one of these rows takes the lock of the figures after it: so does this.
  const held = await lockMatchesNaming(tx, tenantId, recordIds);
  const composites = await lockCompositesNaming(tx, tenantId, recordIds);
  if (held + composites.length > 0) {
    await changingMatched(
      tx,
      tenantId,
      () => leftRecordsBeside(tx, tenantId, recordIds),
      async () => {
        await deleteCompositesOfRecords(tx, tenantId, recordIds);
        await deleteMatchesNaming(tx, tenantId, recordIds);
      },
    );
  }
  await noteRemoved(tx, tenantId, datasetId, recordIds);
}

/** How many matches name one of these records; nobody else changes them until the end of the transaction. */
async function lockMatchesNaming(tx: DbHandle, tenantId: string, recordIds: readonly string[]): Promise<number> {
  const [held] = await tx.query<{ count: number }>(
    `select count(*)::int as count from (select from matches where tenant_id = $1::uuid and id = any(array(${naming})) for update) held`,
    [tenantId, recordIds],
  );
  return held?.count ?? 0;
}

async function deleteMatchesNaming(tx: DbHandle, tenantId: string, recordIds: readonly string[]): Promise<void> {
  const deleted = await tx.query<{ jobId: string; ruleSetId: string; decision: string; count: number }>(
    // What a batch has stored since, and somebody holds, is left to its job.
    `with held as materialized (select id from matches where tenant_id = $1::uuid and id = any(array(${naming})) for update skip locked),
       gone as (delete from matches where tenant_id = $1::uuid and id = any(array(select id from held)) returning job_id, rule_set_id, decision)
     select job_id::text as "jobId", rule_set_id::text as "ruleSetId", decision, count(*)::int as count from gone group by 1, 2, 3`,
    [tenantId, recordIds],
  );
  await subtractResults(
    tx,
    tenantId,
    deleted.map((of) => ({ ...of, kind: 'match', status: '' })),
  );
}
