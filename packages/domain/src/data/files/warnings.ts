import type { ReadingWarning } from '@tieout/formats';
import type { TenantScope } from '../../kernel/scope';

/** What the dataset makes of a file otherwise than its sender may expect, before its first row. */
export async function datasetWarnings(scope: TenantScope, fileId: string): Promise<ReadingWarning[]> {
  // In the order of the index, which has them last: without it the planner may look for one among all records.
  const rows = await scope.db.query(
    `select 1 from data_source_files f
      cross join lateral (
        select 1 from records r
         where r.dataset_id = f.dataset_id and r.tenant_id = f.tenant_id and r.external_id is null
           and (f.replaces is null or r.file_id is distinct from f.replaces)
         order by r.external_id limit 1
      ) unidentified
      where f.tenant_id = $1::uuid and f.id = $2::uuid
        and exists (select 1 from dataset_fields d where d.tenant_id = f.tenant_id and d.dataset_id = f.dataset_id and d.is_identity)`,
    [scope.tenantId, fileId],
  );
  return rows.length === 0 ? [] : [withoutIdentity];
}

const withoutIdentity: ReadingWarning = {
  code: 'records_without_identity',
  column: null,
  message:
    'The dataset has identity fields, and records without an external id, which no row is taken for: rows of this file that are among them are there twice. Where files were read before the identity fields were declared, upload each of them again, with its id in "replaces"',
};
