import type { FileNotation } from '@tieout/formats';
import { groupBy, groupsByWeight } from '../../kernel/grouping';
import { domainMetrics } from '../../kernel/metrics';
import type { FieldDefinition, JsonObject } from '../../kernel/ports';
import type { TenantScope } from '../../kernel/scope';
import { loadNotations } from '../datasets';
import { enqueueChunks } from './enqueue';
import { loadFields, withNotation } from './fields';
import { maxNormalisedCharacters, type NormalisedRecord, type NormaliseRecords } from './normalise';
import { dataWeight } from './record';

/** The part of a tenant's scope that jobs on records need. */
export type RecordJobScope = Pick<TenantScope, 'tenantId' | 'db' | 'queue'>;

/** Time after which the rest of a chunk is enqueued behind other chunks: an expression may take seconds per record. */
const sliceMs = 2_000;

/**
 * Normalises the records that are still `received`, for a slice of time, and enqueues the rest again. Results are
 * written only over the revision that was read: a record that is sent again during the work keeps its new state, and
 * running twice changes nothing.
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
  const slice: Slice = { scope, declared: { fields, notations }, normalise, endMs: performance.now() + sliceMs };
  const left: ReceivedRecord[] = [];
  for (const group of groupsByWeight(received)) left.push(...(await processGroup(slice, group)));
  const sinceMs = Math.min(...left.map((record) => record.sinceMs));
  await enqueueChunks(
    scope.queue,
    scope.tenantId,
    left.map((record) => record.id),
    { sinceMs },
  );
}

interface Slice {
  scope: RecordJobScope;
  declared: DeclaredFields;
  normalise: NormaliseRecords;
  endMs: number;
}

interface DeclaredFields {
  /** Fields by dataset id. */
  fields: ReadonlyMap<string, FieldDefinition[]>;
  /** Notations by file id. */
  notations: ReadonlyMap<string, FileNotation>;
}

/** Returns the records of the group that are left when the slice ends. */
async function processGroup(slice: Slice, group: readonly ReceivedRecord[]): Promise<readonly ReceivedRecord[]> {
  const { scope, endMs } = slice;
  if (performance.now() >= endMs) return group;
  const loaded = await loadData(
    scope,
    group.map((record) => record.id),
  );
  const open = new Set(loaded.map(({ id }) => id));
  let results: RecordResult[] = [];
  for await (const batch of normaliseAll(slice, loaded)) {
    for (const { record } of batch) open.delete(record.id);
    results.push(...batch);
    if (charactersOf(results) > maxNormalisedCharacters) {
      await write(scope, results);
      results = [];
    }
    if (performance.now() >= endMs) break;
  }
  await write(scope, results);
  return group.filter(({ id }) => open.has(id));
}

/**
 * SQL for open records of a chunk, without those that another transaction has locked. The statistics of a table that
 * works like a queue are always out of date, so the statements leave the planner only the primary key: `status` is
 * compared in a form that the partial index on received records does not match, and the ids arrive as one array instead
 * of a join.
 */
const openIds = (ids: string): string => `r.tenant_id = $1::uuid and r.id = any(array(
  select id from records
  where tenant_id = $1::uuid and id = any(${ids}) and status not in ('ready', 'failed')
  for update skip locked))`;

/** Makes records of datasets without fields ready in one statement: they need no normalisation. */
function settleFieldless(scope: RecordJobScope, recordIds: readonly string[]): Promise<number> {
  return scope.db.execute(
    `update records r set status = 'ready', fields = '{}', error = null, updated_at = now()
     where ${openIds('$2::uuid[]')} and not exists (select 1 from dataset_fields f where f.dataset_id = r.dataset_id)`,
    [scope.tenantId, recordIds],
  );
}

interface ReceivedRecord {
  id: string;
  datasetId: string;
  fileId: string | null;
  weight: number;
  /** Time at which it was received or touched last. */
  sinceMs: number;
}

function loadReceived(scope: RecordJobScope, recordIds: readonly string[]): Promise<ReceivedRecord[]> {
  return scope.db.query<ReceivedRecord>(
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

interface RecordResult {
  record: LoadedRecord;
  status: NormalisedRecord['status'];
  /** The text that is written. */
  json: string;
}

const charactersOf = (results: readonly RecordResult[]): number =>
  results.reduce((sum, { json }) => sum + json.length, 0);

function resultOf(record: LoadedRecord, normalised: NormalisedRecord): RecordResult {
  const { status } = normalised;
  const written = normalised.status === 'ready' ? { fields: normalised.fields } : { error: normalised.error };
  return { record, status, json: JSON.stringify({ revision: record.revision, status, ...written }) };
}

/** Yields the results of the records of one dataset and file at a time. */
async function* normaliseAll(
  { declared, normalise, endMs }: Slice,
  records: readonly LoadedRecord[],
): AsyncGenerator<RecordResult[]> {
  for (const group of groupBy(records, (record) => `${record.datasetId} ${record.fileId}`).values()) {
    const normalised = await normalise(
      fieldsOf(group[0] as LoadedRecord, declared),
      group.map((record) => record.data),
      endMs - performance.now(),
    );
    yield normalised.map((result, i) => resultOf(group[i] as LoadedRecord, result));
  }
}

function fieldsOf(
  { datasetId, fileId }: LoadedRecord,
  { fields, notations }: DeclaredFields,
): readonly FieldDefinition[] {
  const ofDataset = fields.get(datasetId) ?? [];
  const notation = fileId === null ? undefined : notations.get(fileId);
  return notation === undefined ? ofDataset : withNotation(ofDataset, notation);
}

/**
 * Writes results without waiting for a lock while holding one, so that writers with another order cannot deadlock with
 * it. A locked record is being replaced, and its writer enqueues it again; after a rollback of that writer, the sweep
 * finds it.
 */
async function write(scope: RecordJobScope, results: readonly RecordResult[]): Promise<void> {
  if (results.length === 0) return;
  const byId = `{${results.map(({ record, json }) => `"${record.id}":${json}`).join()}}`;
  await scope.db.execute(
    `update records r
     set status = $3::jsonb -> r.id::text ->> 'status', fields = $3::jsonb -> r.id::text -> 'fields',
         error = $3::jsonb -> r.id::text -> 'error', updated_at = now()
     where ${openIds('$2::uuid[]')} and r.revision = ($3::jsonb -> r.id::text ->> 'revision')::int`,
    [scope.tenantId, results.map(({ record }) => record.id), byId],
  );
  for (const status of ['ready', 'failed'] as const) {
    const count = results.filter((result) => result.status === status).length;
    domainMetrics.add('tieout_records_normalised_total', { status }, count);
  }
}
