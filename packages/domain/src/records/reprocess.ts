import { enqueueChunks } from './enqueue';
import type { RecordJobScope } from './job-scope';

/** Records taken back by one statement: short enough not to hold up writers. */
const STEP_SIZE = 5000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Has all records of a dataset normalised anew, step by step. Their values stay readable meanwhile. The raised
 * revision voids what a worker may be computing under the fields of before. Safe to repeat.
 */
export async function reprocessDataset(scope: RecordJobScope, datasetId: string, stepSize = STEP_SIZE): Promise<void> {
  let after = FIRST_ID;
  for (;;) {
    const ids = await takeBack(scope, datasetId, after, stepSize);
    await enqueueChunks(scope.queue, scope.tenantId, ids);
    const last = ids.at(-1);
    if (last === undefined || ids.length < stepSize) return;
    after = last;
  }
}

/** The lock on the dataset excludes bulk writers, which take the same records in another order. */
async function takeBack(scope: RecordJobScope, datasetId: string, after: string, stepSize: number): Promise<string[]> {
  const [answer] = await scope.db.query<{ ids: string[] | null }>(
    `with dataset as (
       select id from datasets where tenant_id = $1::uuid and id = $2::uuid for no key update
     ), step as materialized (
       select id from records
       where tenant_id = $1::uuid and dataset_id = (select id from dataset) and id > $3::uuid order by id limit $4
     ), taken as (
       update records r set status = 'received', error = null, revision = r.revision + 1, updated_at = now()
       from step where r.tenant_id = $1::uuid and r.id = step.id
     )
     select array_agg(id::text order by id) as ids from step`,
    [scope.tenantId, datasetId, after, stepSize],
  );
  return answer?.ids ?? [];
}
