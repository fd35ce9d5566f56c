import { groupsByWeight } from '../../kernel/by-weight';
import { loadNotations, type FileNotation } from '../datasets';
import { domainMetrics } from '../../kernel/metrics';
import { enqueueChunks } from './enqueue';
import type { FieldDefinition, JsonObject } from './field';
import { loadFields } from './field-store';
import { groupBy } from './group-by';
import { MAX_MADE_IN_TURN, type NormalisedRecord, type NormaliseRecords } from './normalise';
import { withNotation } from './with-notation';
import { dataWeight } from './weigh';
import type { RecordJobScope } from './job-scope';

/** After so long, what is left of a chunk goes behind the chunks of others: expressions of a tenant may take seconds for each record. */
const turnMs = 2_000;

/**
 * Normalises those of the records that are still `received`, for a turn; what it does not come to is enqueued again. What
 * it computes is written only over the revision that it read, so a record that was sent again meanwhile keeps its new
 * state, and running twice changes nothing.
 */
export async function processRecords(
  scope: RecordJobScope,
  recordIds: readonly string[],
  normalise: NormaliseRecords,
): Promise<void> {
  const settled = await settleFieldless(scope, recordIds);
  if (settled > 0) domainMetrics.add('tieout_records_normalised_total', { status: 'ready' }, settled);
  if (settled === recordIds.length) return;
  const received = await loadReceived(scope, recordIds);
  if (received.length === 0) return;
  const fields = await loadFields(scope, [...new Set(received.map((record) => record.datasetId))]);
  const notations = await loadNotations(scope, [...new Set(received.flatMap((record) => record.fileId ?? []))]);
  const endMs = performance.now() + turnMs;
  const left: WeighedRecord[] = [];
  for (const group of groupsByWeight(received)) {
    if (performance.now() >= endMs) {
      left.push(...group);
      continue;
    }
    const loaded = await loadData(
      scope,
      group.map((record) => record.id),
    );
    const open = new Set(loaded.map(({ id }) => id));
    let outcomes: Outcome[] = [];
    for await (const made of normaliseAll(loaded, { fields, notations }, (of, records) =>
      normalise(of, records, endMs - performance.now()),
    )) {
      for (const { record } of made) open.delete(record.id);
      outcomes.push(...made);
      if (charactersOf(outcomes) > MAX_MADE_IN_TURN) {
        await write(scope, outcomes);
        outcomes = [];
      }
      if (performance.now() >= endMs) break;
    }
    await write(scope, outcomes);
    left.push(...group.filter(({ id }) => open.has(id)));
  }
  const sinceMs = Math.min(...left.map((record) => record.sinceMs));
  await enqueueChunks(
    scope.queue,
    scope.tenantId,
    left.map((record) => record.id),
    { sinceMs },
  );
}

/**
 * Rows of a chunk that are still open and that nobody else holds. Statistics of a table that works like a queue are
 * always out of date, so the statements leave the planner one way only, the primary key: `status` is compared in a
 * form that the partial index on received records does not answer, and the ids arrive as one array, not by a join.
 */
const openIds = (ids: string): string => `r.tenant_id = $1::uuid and r.id = any(array(
  select id from records
  where tenant_id = $1::uuid and id = any(${ids}) and status not in ('ready', 'failed')
  for update skip locked))`;

/** Records of datasets without fields have nothing to be normalised: one statement makes them ready. */
function settleFieldless(scope: RecordJobScope, recordIds: readonly string[]): Promise<number> {
  return scope.db.execute(
    `update records r set status = 'ready', fields = '{}', error = null, updated_at = now()
     where ${openIds('$2::uuid[]')} and not exists (select 1 from dataset_fields f where f.dataset_id = r.dataset_id)`,
    [scope.tenantId, recordIds],
  );
}

interface WeighedRecord {
  id: string;
  datasetId: string;
  fileId: string | null;
  weight: number;
  /** When it was received or touched last. */
  sinceMs: number;
}

function loadReceived(scope: RecordJobScope, recordIds: readonly string[]): Promise<WeighedRecord[]> {
  return scope.db.query<WeighedRecord>(
    `select r.id, r.dataset_id as "datasetId", r.file_id as "fileId", ${dataWeight} as weight,
            extract(epoch from r.updated_at)::float8 * 1000 as "sinceMs"
     from records r
     where r.tenant_id = $1::uuid and r.id = any($2::uuid[]) and r.status not in ('ready', 'failed')`,
    [scope.tenantId, recordIds],
  );
}

interface LoadedRecord {
  id: string;
  datasetId: string;
  fileId: string | null;
  revision: number;
  data: JsonObject;
}

function loadData(scope: RecordJobScope, recordIds: readonly string[]): Promise<LoadedRecord[]> {
  return scope.db.query<LoadedRecord>(
    `select id, dataset_id as "datasetId", file_id as "fileId", revision, data from records
     where tenant_id = $1::uuid and id = any($2::uuid[]) and status not in ('ready', 'failed')`,
    [scope.tenantId, recordIds],
  );
}

interface Outcome {
  record: LoadedRecord;
  status: NormalisedRecord['status'];
  /** As it is written. */
  json: string;
}

const charactersOf = (outcomes: readonly Outcome[]): number => outcomes.reduce((sum, { json }) => sum + json.length, 0);

function outcomeOf(record: LoadedRecord, result: NormalisedRecord): Outcome {
  const { status } = result;
  const made = result.status === 'ready' ? { fields: result.fields } : { error: result.error };
  return { record, status, json: JSON.stringify({ revision: record.revision, status, ...made }) };
}

interface Declared {
  /** By dataset. */
  fields: ReadonlyMap<string, FieldDefinition[]>;
  /** By file. */
  notations: ReadonlyMap<string, FileNotation>;
}

/** Of the records of one dataset and file after the other. */
async function* normaliseAll(
  records: readonly LoadedRecord[],
  declared: Declared,
  normalise: NormaliseRecords,
): AsyncGenerator<Outcome[]> {
  for (const own of groupBy(records, (record) => `${record.datasetId} ${record.fileId}`).values()) {
    const results = await normalise(
      fieldsOf(own[0] as LoadedRecord, declared),
      own.map((record) => record.data),
    );
    yield results.map((result, i) => outcomeOf(own[i] as LoadedRecord, result));
  }
}

function fieldsOf({ datasetId, fileId }: LoadedRecord, { fields, notations }: Declared): readonly FieldDefinition[] {
  const own = fields.get(datasetId) ?? [];
  const notation = fileId === null ? undefined : notations.get(fileId);
  return notation === undefined ? own : withNotation(own, notation);
}

/**
 * Never waits for a lock while it holds one, so it is in no deadlock with writers that take records in another
 * order. A record that is locked now is being replaced, and whoever replaces it enqueues it again; should that
 * be rolled back, the sweep finds the record.
 */
async function write(scope: RecordJobScope, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const byId = `{${outcomes.map(({ record, json }) => `"${record.id}":${json}`).join()}}`;
  await scope.db.execute(
    `update records r
     set status = $3::jsonb -> r.id::text ->> 'status', fields = $3::jsonb -> r.id::text -> 'fields',
         error = $3::jsonb -> r.id::text -> 'error', updated_at = now()
     where ${openIds('$2::uuid[]')} and r.revision = ($3::jsonb -> r.id::text ->> 'revision')::int`,
    [scope.tenantId, outcomes.map(({ record }) => record.id), byId],
  );
  for (const status of ['ready', 'failed'] as const) {
    domainMetrics.add(
      'tieout_records_normalised_total',
      { status },
      outcomes.filter((outcome) => outcome.status === status).length,
    );
  }
}
