import { purgeRecords } from '../datasets';
import type { TenantScope } from '../scope';
import { lockContent, WORKER_FAILED } from './claim';
import { enqueueFile } from './enqueue';

/** Ends a file whose rows are all stored or rejected. One of which nothing was stored has failed. */
export function finishFile(scope: TenantScope, fileId: string): Promise<void> {
  return endFile(scope, fileId, async (tx) => {
    await tx.db.execute(
      `update data_source_files
          set status = case when ready_rows + failed_rows > 0 then 'ready' else 'failed' end,
              error_code = case when ready_rows + failed_rows > 0 then null else 'no_readable_rows' end,
              error_message = case when ready_rows + failed_rows > 0 then null
                else 'None of the ' || rejected_rows || ' rows could be read: the errors of this file say why. Correct them, or say how the file is written, and upload it again' end,
              processed_at = now(), updated_at = now()
        where tenant_id = $1::uuid and id = $2::uuid and status = 'processing'`,
      [tx.tenantId, fileId],
    );
  });
}

export interface FileFailure {
  code: string;
  /** For its sender: what is wrong, and what to do. */
  message: string;
}

/**
 * Ends a file that cannot be read to its end. Rows that it has brought are removed, since the file will be sent again: all
 * but those with an identity, which the next file replaces.
 */
export async function failFile(scope: TenantScope, file: { id: string; datasetId: string }, { code, message }: FileFailure): Promise<void> {
  await purgeRecords(scope, file.datasetId, { broughtBy: file.id });
  await endFile(scope, file.id, async (tx) => {
    await tx.db.execute('delete from file_rejections where tenant_id = $1::uuid and file_id = $2::uuid', [tx.tenantId, file.id]);
    await tx.db.execute(
      `update data_source_files
          set status = 'failed', error_code = $3, error_message = $4, next_line = 0, next_offset = null, ready_rows = 0, failed_rows = 0,
              rejected_rows = 0, processed_at = now(), updated_at = now()
        where tenant_id = $1::uuid and id = $2::uuid and status in ('uploaded', 'processing')`,
      [tx.tenantId, file.id, code, message],
    );
  });
}

/** For a queue job that has used up its attempts. */
export function failFileOfWorker(scope: TenantScope, fileId: string): Promise<void> {
  const message = 'The file could not be processed because of a failure on our side: upload it again later';
  return failFileById(scope, fileId, { code: WORKER_FAILED, message });
}

/** For a file that has filled the memory of a worker more than once. */
export function failFileOutOfMemory(scope: TenantScope, fileId: string): Promise<void> {
  const message = 'The file takes too much memory to be read: save the sheet as CSV, or split the file, and upload that';
  return failFileById(scope, fileId, { code: 'file_too_large', message });
}

async function failFileById(scope: TenantScope, fileId: string, failure: FileFailure): Promise<void> {
  const file = await scope.db.orm.dataSourceFile.findUnique({ where: { id: fileId }, select: { datasetId: true } });
  if (file?.datasetId) await failFile(scope, { id: fileId, datasetId: file.datasetId }, failure);
}

/** Files with the same content have waited for this one. */
function endFile(scope: TenantScope, fileId: string, change: (tx: TenantScope) => Promise<void>): Promise<void> {
  return scope.transaction(async (tx) => {
    await lockContent(tx, fileId);
    await change(tx);
    const waiting = await tx.db.query<{ id: string }>(
      `select o.id::text as id from data_source_files f
         join data_source_files o on o.dataset_id = f.dataset_id and o.content_hash = f.content_hash and o.id <> f.id
       where f.tenant_id = $1::uuid and f.id = $2::uuid and o.tenant_id = $1::uuid and o.status = 'uploaded' order by o.id`,
      [tx.tenantId, fileId],
    );
    await tx.db.afterCommit(async () => {
      // Ids of their own: the first job of such a file may be running, and end without having seen this.
      for (const { id } of waiting) await enqueueFile(tx, { id, nextLine: 0 }, `file-${id}-after-${fileId}`);
    });
  });
}
