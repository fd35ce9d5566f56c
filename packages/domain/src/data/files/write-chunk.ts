import { asOwner, copyIn, idBytes, shareTable, writeId, type PoolClient } from '@tieout/infra';
import { domainMetrics } from '../../kernel/metrics';
import { isActiveSql } from '../../kernel/sql';
import type { PreparedChunk, PreparedRow } from './chunk';
import { isOfFile, type RowKeys } from './row-keys';

/** `stale`: the fields of the dataset have changed. `lost`: another run reads the file, or its reading has ended. */
export type WriteOutcome = 'written' | 'stale' | 'lost';

interface WriteTarget {
  tenantId: string;
  fileId: string;
  datasetId: string;
}

/** Temporary table that COPY fills; one statement moves the rows from there. */
const stage = 'file_rows';

export async function openStage(client: PoolClient): Promise<void> {
  const ddl = `create temp table if not exists ${stage}
    (id uuid, external_id text, row_key uuid, line int, data jsonb, fields jsonb, error jsonb) on commit delete rows`;
  await client.query(asOwner(client, `${ddl}; ${shareTable(stage)}`));
}

/**
 * Stores a chunk and moves the file's position in one transaction, so that a crash leaves both or neither. It stores
 * nothing if the position is not at the beginning of the chunk.
 */
export async function writeChunk(
  client: PoolClient,
  target: WriteTarget,
  prepared: PreparedChunk,
  keys: RowKeys,
): Promise<WriteOutcome> {
  // The commit does not wait for the disk: a crash of the database reverts rows and position together. The end of the
  // file is flushed.
  await client.query('begin; set local synchronous_commit to off');
  const outcome = await checkState(client, target, prepared);
  if (outcome !== 'written') {
    await client.query('rollback');
    return outcome;
  }
  await stageRecords(client, prepared.records, keys);
  await insertIdentified(client, target, prepared.records);
  const repeated = await insertByContent(client, target, prepared.records, keys);
  await insertRejections(client, target, prepared);
  const { chunk, ready, failed, rejections, warnings } = prepared;
  await client.query(
    `update data_source_files
        set next_line = $3, next_offset = $4, ready_rows = ready_rows + $5, failed_rows = failed_rows + $6,
            rejected_rows = rejected_rows + $7, repeated_rows = repeated_rows + $8,
            detected = case when coalesce(detected -> 'warnings', '[]') @> $9::jsonb then detected
              else jsonb_set(detected, '{warnings}', coalesce(detected -> 'warnings', '[]') || $9::jsonb) end,
            updated_at = now()
      where tenant_id = $1 and id = $2`,
    [
      target.tenantId,
      target.fileId,
      chunk.next.line,
      chunk.next.offset,
      ready,
      failed,
      rejections.length,
      repeated,
      JSON.stringify(warnings),
    ],
  );
  await client.query('commit');
  keys.endChunk();
  for (const [status, rows] of Object.entries({ ready, failed, rejected: rejections.length }))
    domainMetrics.add('tieout_file_rows_total', { status }, rows);
  return 'written';
}

/**
 * Locks the dataset and its fields until the commit, which excludes reprocessing. The reading of a file stops when its
 * tenant is no longer active; a sweep resumes it when the tenant is active again.
 */
async function checkState(
  client: PoolClient,
  { tenantId, fileId, datasetId }: WriteTarget,
  { chunk, version }: PreparedChunk,
): Promise<WriteOutcome> {
  const file = await client.query<{ nextLine: number }>(
    `select next_line as "nextLine" from data_source_files
      where tenant_id = $1 and id = $2 and status = 'processing' and ${isActiveSql('tenant_id')} for update`,
    [tenantId, fileId],
  );
  if (file.rows[0]?.nextLine !== chunk.from.line) return 'lost';
  const dataset = await client.query<{ version: number }>(
    'select fields_version as version from datasets where tenant_id = $1 and id = $2 for share',
    [tenantId, datasetId],
  );
  const current = dataset.rows[0]?.version;
  if (current === undefined) return 'lost';
  return current === version ? 'written' : 'stale';
}

async function stageRecords(client: PoolClient, records: readonly PreparedRow[], keys: RowKeys): Promise<void> {
  if (records.length === 0) return;
  const copy = copyIn(client, stage);
  const id = Buffer.alloc(idBytes);
  for (const record of records) {
    copy.beginRow(7);
    writeId(id, 0, record.id);
    copy.bytes(id);
    if (record.externalId === null) copy.null();
    else copy.text(record.externalId);
    if (record.content === null) copy.null();
    else copy.bytes(Buffer.from(keys.next(record.content), 'hex'));
    copy.int4(record.line);
    copy.jsonb(record.data);
    for (const json of [record.fields, record.error]) {
      if (json === null) copy.null();
      else copy.jsonb(json);
    }
    const full = copy.endRow();
    if (full) await full;
  }
  await copy.end();
}

const insertInto = `insert into records as r
    (id, tenant_id, dataset_id, external_id, file_id, row_key, line, data, fields, error, status)
  select id, $1::uuid, $2::uuid, external_id, $3::uuid, row_key, line, data, fields, error,
         case when error is null then 'ready' else 'failed' end
  from ${stage}`;

const replaceRecord = `update set data = excluded.data, file_id = excluded.file_id, line = excluded.line,
  fields = excluded.fields,
  error = excluded.error, status = excluded.status, revision = r.revision + 1, updated_at = now()`;

/** Stores rows with an external id, and rows that are always new records. */
async function insertIdentified(
  client: PoolClient,
  { tenantId, datasetId, fileId }: WriteTarget,
  records: readonly PreparedRow[],
): Promise<void> {
  if (records.every(({ content }) => content !== null)) return;
  await client.query(`${insertInto} where row_key is null on conflict (dataset_id, external_id) do ${replaceRecord}`, [
    tenantId,
    datasetId,
    fileId,
  ]);
}

/**
 * Stores rows that their content identifies. A row that another file also has updates the record of that file; returns
 * the number of such rows. Rows equal to rows of earlier chunks of this file get keys after those.
 */
async function insertByContent(
  client: PoolClient,
  target: WriteTarget,
  records: readonly PreparedRow[],
  keys: RowKeys,
): Promise<number> {
  if (records.every(({ content }) => content === null)) return 0;
  let { repeated, usedKeys } = await insertUnlessUsed(client, target, null);
  while (usedKeys !== null) {
    const newKeys = await keys.renumber(client, target, usedKeys);
    await client.query(
      `update ${stage} s set row_key = n.key
         from unnest($1::uuid[], $2::uuid[]) as n (old, key) where s.row_key = n.old`,
      [[...newKeys.keys()], [...newKeys.values()]],
    );
    const next = await insertUnlessUsed(client, target, [...newKeys.values()]);
    repeated += next.repeated;
    usedKeys = next.usedKeys;
  }
  return repeated;
}

interface ByContent {
  /** Number of rows that are already records of other files. */
  repeated: number;
  /** Keys that this file has used before. */
  usedKeys: string[] | null;
}

async function insertUnlessUsed(
  client: PoolClient,
  { tenantId, datasetId, fileId }: WriteTarget,
  keys: readonly string[] | null,
): Promise<ByContent> {
  const { rows } = await client.query<ByContent>(
    `with written as (
       ${insertInto} where row_key is not null and ($4::uuid[] is null or row_key = any($4::uuid[]))
       on conflict (dataset_id, row_key) where row_key is not null do ${replaceRecord}
         where not exists (select 1 from data_source_files f where f.id = excluded.file_id and ${isOfFile})
       returning r.row_key, r.revision
     )
     select (select count(*) from written where revision > 1)::int as repeated,
            (select array_agg(replace(row_key::text, '-', '')) from ${stage} s
              where row_key is not null and ($4::uuid[] is null or row_key = any($4::uuid[]))
                and not exists (select 1 from written w where w.row_key = s.row_key)) as "usedKeys"`,
    [tenantId, datasetId, fileId, keys],
  );
  return rows[0] ?? { repeated: 0, usedKeys: null };
}

/** Stores rejected rows; their positions continue after the stored ones. */
async function insertRejections(
  client: PoolClient,
  { tenantId, fileId }: WriteTarget,
  { rejections }: PreparedChunk,
): Promise<void> {
  if (rejections.length === 0) return;
  const column = <K extends keyof (typeof rejections)[number]>(key: K) => rejections.map((rejection) => rejection[key]);
  await client.query(
    `insert into file_rejections (file_id, position, tenant_id, line, "column", code, message, raw)
     select f.id, f.rejected_rows + (r.ordinal - 1)::int, f.tenant_id, r.line, r.col, r.code, r.message, r.raw
     from data_source_files f,
          unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::text[]) with ordinality
            as r (line, col, code, message, raw, ordinal)
     where f.tenant_id = $1 and f.id = $2`,
    [tenantId, fileId, column('line'), column('column'), column('code'), column('message'), column('raw')],
  );
}
