import { getDataSource } from '../data-sources';
import { pageOf, type Page, type PageRequest } from '../paging';
import type { TenantScope } from '../scope';
import { fileColumns, fileNotFound, type FileView, type Rejection } from './file';

/** Files that are there for their owner: complete, and of a dataset that still is. */
const visible = `data_source_files f join datasets d on d.id = f.dataset_id
  where f.tenant_id = $1::uuid and f.data_source_id = $2::uuid and f.status not in ('receiving', 'deleted')`;

/**
 * The files of a data source, newest first.
 * @throws AppError data_source_not_found
 */
export async function listFiles(scope: TenantScope, dataSourceId: string, { page, limit }: { page: number; limit: number }): Promise<FileView[]> {
  await getDataSource(scope, dataSourceId);
  return scope.db.query<FileView>(
    `select ${fileColumns} from ${visible} order by f.id desc offset $3::int8 limit $4::int`,
    [scope.tenantId, dataSourceId, (page - 1) * limit, limit],
  );
}

/** @throws AppError data_source_not_found, data_source_file_not_found */
export async function getFile(scope: TenantScope, dataSourceId: string, id: string): Promise<FileView> {
  await getDataSource(scope, dataSourceId);
  const [file] = await scope.db.query<FileView>(`select ${fileColumns} from ${visible} and f.id = $3::uuid`, [scope.tenantId, dataSourceId, id]);
  if (!file) throw fileNotFound();
  return file;
}

/**
 * The rejected rows of a file in the order of their lines; those of a duplicate are the ones of the file that it repeats.
 * @throws AppError data_source_not_found, data_source_file_not_found
 */
export async function listRejections(scope: TenantScope, dataSourceId: string, id: string, request: PageRequest): Promise<Page<Rejection>> {
  const file = await getFile(scope, dataSourceId, id);
  const from = (request.page - 1) * request.limit;
  // Positions have no gaps, so that the last page costs what the first one costs.
  const items = await scope.db.query<Rejection>(
    `select line, "column", code, message, raw from file_rejections
     where tenant_id = $1::uuid and file_id = $2::uuid and position >= $3::int8 order by position limit $4::int`,
    [scope.tenantId, file.duplicateOf ?? id, from, request.limit],
  );
  return pageOf(items, file.rejectedRows, request);
}
