import type { Side } from '@tieout/engine';
import { readId, streamRows, type SqlParameter } from '@tieout/infra';
import type { JsonObject } from '../kernel/ports';
import type { TenantScope } from '../kernel/scope';
import { firstId, indexFriendlyEquals, sampledSql } from '../kernel/sql';

/** Max records that one statement reads, and bytes after which it returns no more. */
const pageSize = 1_000;
const maxPageBytes = 4 << 20;
/** Records of the first page: the next ones have twice as many as fit into the last one. */
const firstPageSize = 125;
/** Longer records are read with their texts cut, and without what is nested in them. */
const maxRecordBytes = 32_768;
const maxTextLength = 1_024;

export interface RecordSample {
  records: Record<Side, JsonObject[]>;
  totals: Record<Side, number>;
}

interface RecordRow {
  id: string;
  value: JsonObject | null;
}

/** A record as expressions see it. */
const valueSql = `case when octet_length(data::text) <= ${maxRecordBytes} then data || coalesce(fields, '{}')
              else (select jsonb_object_agg(key, to_jsonb(left(value #>> '{}', ${maxTextLength})))
                      from jsonb_each(data || coalesce(fields, '{}'))
                     where jsonb_typeof(value) in ('string', 'number')) end`;

/** Reads a page: at least one record, and the next ones as long as all are short enough together. */
async function readPage(
  { db }: TenantScope,
  {
    condition,
    values,
    order,
    size,
  }: { condition: string; values: readonly SqlParameter[]; order: string; size: number },
): Promise<RecordRow[]> {
  return db.query<RecordRow>(
    `select id, value from (
       select id, value, sum(octet_length(value::text)) over (order by at) as bytes, at
         from (select id::text as id, ${valueSql} as value, row_number() over (order by records.id) as at
                 from (select * from records where ${condition} order by ${order} limit ${size}) records offset 0) read
     ) page where at = 1 or coalesce(bytes, 0) <= ${maxPageBytes} order by at`,
    values,
  );
}

const nextSize = (read: number): number => Math.min(pageSize, Math.max(1, 2 * read));

const valuesIn = (rows: readonly RecordRow[]): JsonObject[] =>
  rows.flatMap(({ value }) => (value === null ? [] : [value]));

/**
 * Reads the records of a dataset in the order of their ids, page by page.
 * @param share the part of the records that is read, chosen by their ids
 */
export async function* recordPages(
  scope: TenantScope,
  datasetId: string,
  share = 1,
): AsyncGenerator<JsonObject[], void, void> {
  let [after, size] = [firstId, firstPageSize];
  for (;;) {
    const rows = await readPage(scope, {
      condition: `tenant_id = $1::uuid and ${indexFriendlyEquals('dataset_id', '$2::uuid')} and status = 'ready'
        and id > $3::uuid and ${share < 1 ? sampledSql('id', '$4') : '$4::float8 >= 1'}`,
      values: [scope.tenantId, datasetId, after, share],
      order: 'dataset_id, records.id',
      size,
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield valuesIn(rows);
    [after, size] = [last.id, nextSize(rows.length)];
  }
}

/** Reads records by their ids, page by page, in the order of these. */
export async function* recordsOf(scope: TenantScope, ids: readonly string[]): AsyncGenerator<JsonObject[], void, void> {
  const sorted = ids.map((id) => id.toLowerCase()).sort();
  for (let at = 0, size = firstPageSize; at < sorted.length;) {
    const page = sorted.slice(at, at + size);
    const rows = await readPage(scope, {
      condition: `tenant_id = $1::uuid and id = any($2::uuid[]) and status = 'ready'`,
      values: [scope.tenantId, page],
      order: 'records.id',
      size,
    });
    yield valuesIn(rows);
    const last = rows.at(-1);
    // Records that are gone since their ids were read are passed over.
    at += last === undefined ? page.length : page.indexOf(last.id) + 1;
    size = nextSize(rows.length);
  }
}

/** Some values of a record, numbers as texts. */
interface PartialRecord {
  id: () => string;
  value: JsonObject;
}

/**
 * Visits all records of a dataset in the order of their ids, with the values at some paths only: of a million records,
 * whole ones take a minute to read.
 */
export async function eachPartialRecord(
  { db, tenantId }: TenantScope,
  { datasetId, paths }: { datasetId: string; paths: readonly string[] },
  visit: (record: PartialRecord) => void,
  onGroup: () => Promise<void> | void,
): Promise<void> {
  await db.session(async (client) => {
    const [tenant, dataset] = [client.escapeLiteral(tenantId), client.escapeLiteral(datasetId)];
    const values = paths.map(
      (path) => `left(value_at(data, fields, ${client.escapeLiteral(path)}) #>> '{}', ${maxTextLength})`,
    );
    const query = `select ${['id', ...values].join(', ')} from records
      where tenant_id = ${tenant} and ${indexFriendlyEquals('dataset_id', `${dataset}::uuid`)} and status = 'ready'
      order by dataset_id, records.id`;
    for await (const rows of streamRows(client, query, 1 + paths.length)) {
      for (let row = 0; row < rows.count; row++) {
        const value: JsonObject = {};
        for (const [at, path] of paths.entries()) {
          const [start, length] = [rows.start(row, at + 1), rows.length(row, at + 1)];
          if (length >= 0) value[path] = rows.bytes.toString('utf8', start, start + length);
        }
        visit({ id: () => readId(rows.bytes, rows.start(row, 0)), value });
      }
      await onGroup();
    }
  });
}

/** Counts the records of a dataset that are ready, and those that could not be normalised. */
export async function countRecords(
  { db, tenantId }: TenantScope,
  datasetId: string,
): Promise<{ ready: number; failed: number }> {
  const [row] = await db.query<{ ready: number; failed: number }>(
    `select count(*) filter (where status = 'ready')::float8 as ready,
            count(*) filter (where status = 'failed')::float8 as failed
       from records where tenant_id = $1::uuid and dataset_id = $2::uuid`,
    [tenantId, datasetId],
  );
  return row ?? { ready: 0, failed: 0 };
}
