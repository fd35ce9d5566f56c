import { enqueueReprocessing } from '../datasets';
import { firstId, indexFriendlyEquals, isActiveSql } from '../../kernel/sql';
import { enqueueChunks } from './enqueue';
import type { RecordJobScope } from './process';
import type { SweepDeps } from './sweep';

/** Max records of one statement, which must not delay writers. */
const defaultStepSize = 5000;

/**
 * Has all records of a dataset normalised again, step by step. Their values stay readable during this. A raised
 * revision voids results that a worker is computing under the old fields. Safe to repeat: the dataset stores the
 * version of its fields for which this is done, so that the sweep resumes after a crash.
 */
export async function reprocessDataset(
  scope: RecordJobScope,
  datasetId: string,
  stepSize = defaultStepSize,
): Promise<void> {
  const [dataset] = await scope.db.query<{ version: number }>(
    'select fields_version as version from datasets where tenant_id = $1::uuid and id = $2::uuid',
    [scope.tenantId, datasetId],
  );
  if (!dataset) return;
  await scope.db.execute(
    `update datasets set reprocessing_version = $3::int, reprocess_taken = 0
      where tenant_id = $1::uuid and id = $2::uuid`,
    [scope.tenantId, datasetId, dataset.version],
  );
  const last = await lastRecord(scope, datasetId);
  let after: string | undefined = last === undefined ? undefined : firstId;
  while (after !== undefined) {
    const ids: string[] = await takeBack(scope, datasetId, { after, last: last as string, stepSize });
    await enqueueChunks(scope.queue, scope.tenantId, ids);
    after = ids.length < stepSize ? undefined : ids.at(-1);
  }
  await scope.db.execute(
    `update datasets set reprocessed_version = greatest(reprocessed_version, $3::int)
      where tenant_id = $1::uuid and id = $2::uuid`,
    [scope.tenantId, datasetId, dataset.version],
  );
}

/** Enqueues unfinished reprocessing of all tenants again. */
export async function sweepReprocessing(deps: SweepDeps): Promise<void> {
  const open = await deps.db.system.query<{ tenantId: string; datasetId: string; version: number }>(
    `select tenant_id as "tenantId", id as "datasetId", fields_version as version from datasets
      where fields_version > reprocessed_version and ${isActiveSql('tenant_id')}`,
  );
  for (const dataset of open) await enqueueReprocessing(deps.queue, dataset);
}

/**
 * Finds the last record to take back: later ones are stored after the change of fields, or processed under the new
 * fields.
 */
async function lastRecord(scope: RecordJobScope, datasetId: string): Promise<string | undefined> {
  const [row] = await scope.db.query<{ id: string }>(
    `select id::text as id from records
      where tenant_id = $1::uuid and ${indexFriendlyEquals('dataset_id', '$2::uuid')}
      order by dataset_id desc, records.id desc limit 1`,
    [scope.tenantId, datasetId],
  );
  return row?.id;
}

/**
 * Takes back the records of one step. Its lock on the dataset excludes bulk writers, which lock records in another
 * order.
 */
async function takeBack(
  scope: RecordJobScope,
  datasetId: string,
  step: { after: string; last: string; stepSize: number },
): Promise<string[]> {
  const [answer] = await scope.db.query<{ ids: string[] | null }>(
    `with dataset as (
       select id from datasets where tenant_id = $1::uuid and id = $2::uuid for no key update
     ), step as materialized (
       select id from records
        where tenant_id = $1::uuid and ${indexFriendlyEquals('dataset_id', '(select id from dataset)')}
          and id > $3::uuid and id <= $4::uuid
        order by dataset_id, id limit $5
     ), counted as (
       update datasets set reprocess_taken = reprocess_taken + (select count(*)::int from step)
       where tenant_id = $1::uuid and id = (select id from dataset)
     ), taken as (
       update records r set status = 'received', error = null, revision = r.revision + 1, updated_at = now()
       where r.tenant_id = $1::uuid and r.id = any(array(select id from step))
     )
     select array_agg(id::text order by id) as ids from step`,
    [scope.tenantId, datasetId, step.after, step.last, step.stepSize],
  );
  return answer?.ids ?? [];
}
