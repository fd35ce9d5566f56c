import { pageOf, type Page, type PageRequest } from '../../kernel/paging';
import type { JsonObject } from '../../kernel/ports';
import type { TenantScope } from '../../kernel/scope';
import { getDataSource } from '../data-sources';
import type { RecordError } from '../records';
import { fileColumns, fileNotFound, shownRow, type FileRowError, type FileView } from './file';

/** Files that their owner sees: completely uploaded, into a dataset that exists. */
const visible = `data_source_files f join datasets d on d.id = f.dataset_id
  where f.tenant_id = $1::uuid and f.data_source_id = $2::uuid and f.status not in ('receiving', 'deleted')`;

/**
 * Lists the files of a data source, newest first.
 * @throws AppError data_source_not_found
 */
export async function listFiles(
  scope: TenantScope,
  dataSourceId: string,
  { page, limit }: { page: number; limit: number },
): Promise<FileView[]> {
  await getDataSource(scope, dataSourceId);
  return scope.db.query<FileView>(
    `select ${fileColumns} from ${visible} order by f.id desc offset $3::int8 limit $4::int`,
    [scope.tenantId, dataSourceId, (page - 1) * limit, limit],
  );
}

/** @throws AppError data_source_not_found, data_source_file_not_found */
export async function getFile(scope: TenantScope, dataSourceId: string, id: string): Promise<FileView> {
  await getDataSource(scope, dataSourceId);
  const [file] = await scope.db.query<FileView>(`select ${fileColumns} from ${visible} and f.id = $3::uuid`, [
    scope.tenantId,
    dataSourceId,
    id,
  ]);
  if (!file) throw fileNotFound();
  return file;
}

/**
 * Lists the rows of a file that are not ready, in the order of their lines: rejected rows, and records of which a value
 * does not fit the present fields. A duplicate lists the rows of its original.
 * @throws AppError data_source_not_found, data_source_file_not_found
 */
export async function listFileErrors(
  scope: TenantScope,
  dataSourceId: string,
  id: string,
  request: PageRequest,
): Promise<Page<FileRowError>> {
  const file = await getFile(scope, dataSourceId, id);
  const fileId = file.duplicateOf ?? id;
  // Lateral reads of records by id: without fresh statistics, which a table that has just been filled lacks, a join
  // reads all records.
  const rows = await scope.db.query<ErrorRow>(
    `select e.line, x."column", x.code, x.message, x.raw, e.record_id as "recordId", r.data, r.error, r.source
     from (select line, position, null::uuid as record_id from file_rejections
            where tenant_id = $1::uuid and file_id = $2::uuid
           union all
           select line, null, id from records
            where tenant_id = $1::uuid and file_id = $2::uuid and status = 'failed' and line is not null
           order by line offset $3::int8 limit $4::int) e
     left join file_rejections x on x.file_id = $2::uuid and x.position = e.position
     left join lateral (
       select r.data, r.error, case when f.transform_expr is null then coalesce(f.source_path, f.key) end as source
       from records r left join dataset_fields f on f.dataset_id = r.dataset_id and f.key = r.error ->> 'field'
       where r.tenant_id = $1::uuid and r.id = e.record_id limit 1
     ) r on true
     order by e.line`,
    [scope.tenantId, fileId, (request.page - 1) * request.limit, request.limit],
  );
  const [found] = await scope.db.query<{ count: number }>(
    `select (select count(*) from records
              where tenant_id = $1::uuid and file_id = $2::uuid and status = 'failed' and line is not null)::float8
            + coalesce((select rejected_rows from data_source_files
                         where tenant_id = $1::uuid and id = $2::uuid and expired_at is null), 0) as count`,
    [scope.tenantId, fileId],
  );
  return pageOf(
    rows.map((row) => rowError(row, file)),
    found?.count ?? 0,
    request,
  );
}

type ErrorRow = FileRowError & { data: JsonObject | null; error: RecordError | null; source: string | null };

function rowError({ data, error, source, ...row }: ErrorRow, { detected }: FileView): FileRowError {
  if (data === null || error === null || detected === null) return row;
  const value = error.value === null ? '' : `${JSON.stringify(error.value)} `;
  const message = `"${source ?? error.field}": ${value}${error.message}`;
  return {
    line: row.line,
    column: source,
    code: error.code,
    message,
    raw: shownRow(data, detected),
    recordId: row.recordId,
  };
}
