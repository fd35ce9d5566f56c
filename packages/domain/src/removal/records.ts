import type { Queries, TenantDb } from '@tieout/infra';
import { recordNotFound } from '../data/records';
import type { RecordsOfFile } from '../kernel/ports';
import { assertDeletable } from '../reconciliations';
import type { TenantScope } from '../kernel/scope';
import { firstId, indexFriendlyEquals, withShortLockTimeout } from '../kernel/sql';
import {
  waitToRemove,
  deleteResultsOfRecords,
  deleteNotesOfExisting,
  noteRemovedRecords,
  recordsOfStep,
} from '../results/matches';

/** Max records that one step removes: a step takes well under a second and holds few locks. */
const stepSize = 5_000;

/**
 * Removes a record, its matches, the composites that name it and its place among the unmatched records of jobs.
 * @throws AppError record_not_found, conflict while a job of its dataset completes; period_closed, period_locked: a
 *   group of such a month holds it
 */
export async function deleteRecord({ tenantId, db }: TenantScope, id: string): Promise<void> {
  const completing = "A matching job of the record's dataset is completing: delete it again when it has";
  await db.transaction((tx) =>
    withShortLockTimeout(tx, completing, async () => {
      const [record] = await tx.query<{ datasetId: string }>(
        `select dataset_id::text as "datasetId" from records where tenant_id = $1::uuid and id = $2::uuid`,
        [tenantId, id],
      );
      if (!record) throw recordNotFound();
      await waitToRemove(tx, record.datasetId);
      await assertDeletable(tx, tenantId, id);
      const removed = await tx.execute(`delete from records where tenant_id = $1::uuid and id = $2::uuid`, [
        tenantId,
        id,
      ]);
      if (removed !== 1) throw recordNotFound();
      await deleteResultsOfRecords(tx, tenantId, record.datasetId, [id]);
    }),
  );
}

/** Implements `RemoveRecordsOfFile`. */
export async function removeRecordsOfFile(
  db: TenantDb,
  records: RecordsOfFile,
  beforeStep: () => Promise<unknown>,
): Promise<void> {
  const { tenantId } = db;
  const { datasetId } = records;
  let after = firstId;
  for (;;) {
    await beforeStep();
    // The records are deleted last, so that a repetition finds the remaining ones, and in a separate transaction, so
    // that a writer of one of them does not wait for a job that completes.
    const ids = await db.transaction(async (tx) => {
      await waitToRemove(tx, datasetId);
      const step = await nextRecords(tx, { tenantId, datasetId, after, ofFile: records });
      if (step.ids.length > 0) await deleteResultsOfRecords(tx, tenantId, datasetId, step.ids);
      return step.ids;
    });
    const lastId = ids.at(-1);
    if (lastId === undefined) return;
    await db.transaction(async (tx) => {
      // A record that another sender has since written belongs to that sender.
      const { condition, values } = ofFileSql(records);
      await tx.execute(
        `delete from records
          where tenant_id = $1::uuid and dataset_id = $2::uuid and id = any($3::uuid[]) ${condition}`,
        [tenantId, datasetId, ids, ...values],
      );
      await noteRemovedRecords(tx, tenantId, datasetId, ids);
      await deleteNotesOfExisting(tx, tenantId, ids);
    });
    after = lastId;
  }
}

/** The records that one step removes. */
export interface RemovalStep {
  ids: readonly string[];
  hasMore: boolean;
}

interface StepPosition {
  tenantId: string;
  datasetId: string;
  /** The last id of the step before. */
  after: string;
  ofFile?: RecordsOfFile;
}

/**
 * Reads ids first: a step that starts after the last id of the one before skips the dead rows of earlier steps. Passes
 * lists of ids instead of joins: without fresh statistics, which a table that has just been filled lacks, a join to
 * records becomes quadratic.
 */
export async function nextRecords(
  db: Queries,
  { tenantId, datasetId, after, ofFile }: StepPosition,
): Promise<RemovalStep> {
  const { condition, values } = ofFileSql(ofFile);
  const rows = await db.query<{ id: string }>(
    `select id::text as id from records
      where tenant_id = $1::uuid and ${indexFriendlyEquals('dataset_id', '$2::uuid')} and id > $3::uuid ${condition}
      order by dataset_id, records.id limit ${stepSize}`,
    [tenantId, datasetId, after, ...values],
  );
  const found = rows.map(({ id }) => id);
  const ids = await recordsOfStep(db, tenantId, found);
  return { ids, hasMore: found.length === stepSize || ids.length < found.length };
}

/** The condition of `RecordsOfFile`, whose parameters follow three others. */
function ofFileSql(ofFile?: RecordsOfFile): { condition: string; values: (string | readonly string[])[] } {
  if (ofFile === undefined) return { condition: '', values: [] };
  return {
    condition: `and file_id = $4::uuid and exists (
      select 1 from data_source_files f where f.tenant_id = $1::uuid and f.id = any($5::uuid[])
         and records.created_at between f.started_at and coalesce(f.processed_at, 'infinity'))`,
    values: [ofFile.fileId, ofFile.madeBy],
  };
}
