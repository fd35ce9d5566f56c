import type { Side } from '@tieout/engine';
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

/**
 * Reads the records of a dataset in the order of their ids, as expressions see them, page by page.
 * @param share the part of the records that is read, chosen by their ids
 */
export async function* recordPages(
  { db, tenantId }: TenantScope,
  datasetId: string,
  share = 1,
): AsyncGenerator<JsonObject[], void, void> {
  let after = firstId;
  for (;;) {
    const rows = await db.query<{ id: string; value: JsonObject | null }>(
      `select id::text as id,
              case when octet_length(data::text) <= ${maxRecordBytes} then data || coalesce(fields, '{}')
              else (select jsonb_object_agg(key, to_jsonb(left(value #>> '{}', ${maxTextLength})))
                      from jsonb_each(data || coalesce(fields, '{}'))
                     where jsonb_typeof(value) in ('string', 'number')) end as value
         from records
        where tenant_id = $1::uuid and ${indexFriendlyEquals('dataset_id', '$2::uuid')} and status = 'ready'
          and id > $3::uuid and ${share < 1 ? sampledSql('id', '$4') : '$4::float8 >= 1'}
        order by dataset_id, records.id limit ${pageSize}`,
      [tenantId, datasetId, after, share],
    );
    yield rows.flatMap(({ value }) => (value === null ? [] : [value]));
    const last = rows.at(-1);
    if (rows.length < pageSize || last === undefined) return;
    after = last.id;
  }
}

export async function countReady({ db, tenantId }: TenantScope, datasetId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::float8 as count from records
      where tenant_id = $1::uuid and dataset_id = $2::uuid and status = 'ready'`,
    [tenantId, datasetId],
  );
  return row?.count ?? 0;
}
