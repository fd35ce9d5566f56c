import type { FieldDefinition, JsonObject } from './field';
import { loadFields } from './field-store';
import { groupBy } from './group-by';
import type { NormalisedRecord, NormaliseRecords } from './normalise';
import { dataWeight, groupsByWeight } from './weigh';
import type { RecordJobScope } from './job-scope';

/**
 * Normalises those of the records that are still `received`. What it computes is written only over the revision
 * that it read, so a record that was sent again meanwhile keeps its new state, and running twice changes nothing.
 */
export async function processRecords(scope: RecordJobScope, recordIds: readonly string[], normalise: NormaliseRecords): Promise<void> {
  const settled = await settleFieldless(scope, recordIds);
  if (settled === recordIds.length) return;
  const received = await loadReceived(scope, recordIds);
  if (received.length === 0) return;
  const fields = await loadFields(scope, [...new Set(received.map((record) => record.datasetId))]);
  for (const group of groupsByWeight(received)) {
    const loaded = await loadData(scope, group.map((record) => record.id));
    await write(scope, await normaliseAll(loaded, fields, normalise));
  }
}

/** Records of datasets without fields have nothing to be normalised: one statement makes them ready. */
function settleFieldless(scope: RecordJobScope, recordIds: readonly string[]): Promise<number> {
  return scope.db.execute(
    `update records r set status = 'ready', fields = '{}', error = null, updated_at = now()
     from (
       select id from records
       where tenant_id = $1::uuid and id = any($2::uuid[]) and status = 'received'
         and not exists (select 1 from dataset_fields f where f.dataset_id = records.dataset_id)
       for update skip locked
     ) open
     where r.tenant_id = $1::uuid and r.id = open.id`,
    [scope.tenantId, recordIds],
  );
}

interface WeighedRecord {
  id: string;
  datasetId: string;
  weight: number;
}

function loadReceived(scope: RecordJobScope, recordIds: readonly string[]): Promise<WeighedRecord[]> {
  return scope.db.query<WeighedRecord>(
    `select r.id, r.dataset_id as "datasetId", ${dataWeight} as weight from records r
     where r.tenant_id = $1::uuid and r.id = any($2::uuid[]) and r.status = 'received'`,
    [scope.tenantId, recordIds],
  );
}

interface LoadedRecord {
  id: string;
  datasetId: string;
  revision: number;
  data: JsonObject;
}

function loadData(scope: RecordJobScope, recordIds: readonly string[]): Promise<LoadedRecord[]> {
  return scope.db.query<LoadedRecord>(
    `select id, dataset_id as "datasetId", revision, data from records
     where tenant_id = $1::uuid and id = any($2::uuid[]) and status = 'received'`,
    [scope.tenantId, recordIds],
  );
}

type Outcome = { record: LoadedRecord; result: NormalisedRecord };

async function normaliseAll(
  records: readonly LoadedRecord[],
  fields: ReadonlyMap<string, FieldDefinition[]>,
  normalise: NormaliseRecords,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [datasetId, own] of groupBy(records, (record) => record.datasetId)) {
    const results = await normalise(fields.get(datasetId) ?? [], own.map((record) => record.data));
    own.forEach((record, i) => {
      const result = results[i];
      if (result) outcomes.push({ record, result });
    });
  }
  return outcomes;
}

/**
 * Never waits for a lock while it holds one, so it is in no deadlock with writers that take records in another
 * order. A record that is locked now is being replaced, and whoever replaces it enqueues it again; should that
 * be rolled back, the sweep finds the record.
 */
async function write(scope: RecordJobScope, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  await scope.db.execute(
    `with outcome as (
       select * from unnest($2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[]) as o (id, revision, status, fields, error)
     ), open as (
       select o.* from outcome o join records r on r.tenant_id = $1::uuid and r.id = o.id
       where r.revision = o.revision and r.status = 'received'
       for update of r skip locked
     )
     update records r
     set status = open.status, fields = open.fields::jsonb, error = open.error::jsonb, updated_at = now()
     from open where r.tenant_id = $1::uuid and r.id = open.id`,
    [
      scope.tenantId,
      outcomes.map(({ record }) => record.id),
      outcomes.map(({ record }) => record.revision),
      outcomes.map(({ result }) => result.status),
      outcomes.map(({ result }) => (result.status === 'ready' ? JSON.stringify(result.fields) : null)),
      outcomes.map(({ result }) => (result.status === 'failed' ? JSON.stringify(result.error) : null)),
    ],
  );
}
