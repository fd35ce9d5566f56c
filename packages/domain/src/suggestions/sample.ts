import type { Side } from '@tieout/engine';
import { readId, streamRows } from '@tieout/infra';
import type { JsonObject } from '../kernel/ports';
import type { TenantScope } from '../kernel/scope';
import { firstId, indexFriendlyEquals, sampledSql } from '../kernel/sql';

/** Records that one statement reads: a page of long ones stays below some megabytes. */
const pageSize = 1_000;
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

const valuesIn = (rows: readonly RecordRow[]): JsonObject[] =>
  rows.flatMap(({ value }) => (value === null ? [] : [value]));

/**
 * Reads the records of a dataset in the order of their ids, page by page.
 * @param share the part of the records that is read, chosen by their ids
 */
export async function* recordPages(
  { db, tenantId }: TenantScope,
  datasetId: string,
  share = 1,
): AsyncGenerator<JsonObject[], void, void> {
  let after = firstId;
  for (;;) {
    const rows = await db.query<RecordRow>(
      `select id::text as id, ${valueSql} as value
         from records
        where tenant_id = $1::uuid and ${indexFriendlyEquals('dataset_id', '$2::uuid')} and status = 'ready'
          and id > $3::uuid and ${share < 1 ? sampledSql('id', '$4') : '$4::float8 >= 1'}
        order by dataset_id, records.id limit ${pageSize}`,
      [tenantId, datasetId, after, share],
    );
    yield valuesIn(rows);
    const last = rows.at(-1);
    if (rows.length < pageSize || last === undefined) return;
    after = last.id;
  }
}

/** Reads records by their ids, page by page, in the order of these. */
export async function* recordsOf(
  { db, tenantId }: TenantScope,
  ids: readonly string[],
): AsyncGenerator<JsonObject[], void, void> {
  for (let at = 0; at < ids.length; at += pageSize)
    yield valuesIn(
      await db.query<RecordRow>(
        `select id::text as id, ${valueSql} as value from records
          where tenant_id = $1::uuid and id = any($2::uuid[]) and status = 'ready' order by records.id`,
        [tenantId, ids.slice(at, at + pageSize)],
      ),
    );
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
