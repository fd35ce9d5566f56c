import type { Detected } from '@tieout/formats';
import type { TenantScope } from '../../kernel/scope';
import type { FileOptions, FileStatus } from './file';

/** The part of a file that reading needs. */
export interface OpenFile {
  id: string;
  datasetId: string;
  filePath: string;
  originalName: string;
  sizeBytes: number;
  options: FileOptions;
  detected: Detected | null;
  nextLine: number;
  nextOffset: number | null;
}

interface Candidate extends OpenFile {
  status: FileStatus;
}

/** Error code of a file whose queue job used all attempts. Running the job again reads the file from the beginning. */
export const workerFailed = 'worker_failed';

/**
 * Claims a file for reading; undefined if it has ended, or while another file of its dataset is being read, whose end
 * wakes it. Files of a dataset are read one at a time: only then is it known which rows the dataset already has.
 */
export function claimFile(scope: TenantScope, fileId: string): Promise<OpenFile | undefined> {
  return scope.transaction(async (tx) => {
    await lockDatasetOf(tx, fileId);
    const file = await lockFile(tx, fileId);
    if (!file) return undefined;
    const isBlocked = file.status !== 'processing' && (await isAnotherProcessing(tx, file));
    await tx.db.execute(
      `update data_source_files
          set status = $3, owner = true, error_code = null, error_message = null, processed_at = null,
              updated_at = now(), started_at = case when next_line = 0 then clock_timestamp() else started_at end
        where tenant_id = $1::uuid and id = $2::uuid`,
      [tx.tenantId, fileId, isBlocked ? 'uploaded' : 'processing'],
    );
    return isBlocked ? undefined : file;
  });
}

/** Locks the claims and ends of all files of this file's dataset until the transaction ends. */
export async function lockDatasetOf(tx: TenantScope, fileId: string): Promise<void> {
  await tx.db.query(
    `select pg_advisory_xact_lock(hashtextextended('files of ' || dataset_id, 0))::text
     from data_source_files where tenant_id = $1::uuid and id = $2::uuid`,
    [tx.tenantId, fileId],
  );
}

async function lockFile(tx: TenantScope, fileId: string): Promise<Candidate | undefined> {
  const [file] = await tx.db.query<Candidate>(
    `select id, dataset_id as "datasetId", file_path as "filePath", original_name as "originalName",
            size_bytes::float8 as "sizeBytes", options, detected, status,
            next_line as "nextLine", next_offset::float8 as "nextOffset"
     from data_source_files
     where tenant_id = $1::uuid and id = $2::uuid
       and (status in ('uploaded', 'processing') or (status = 'failed' and error_code = $3))
     for update`,
    [tx.tenantId, fileId, workerFailed],
  );
  return file;
}

async function isAnotherProcessing(tx: TenantScope, { id, datasetId }: Candidate): Promise<boolean> {
  const rows = await tx.db.query(
    `select 1 from data_source_files
      where tenant_id = $1::uuid and dataset_id = $2::uuid and id <> $3::uuid and status = 'processing' limit 1`,
    [tx.tenantId, datasetId, id],
  );
  return rows.length > 0;
}

/** Queue job ids are unique per position of a file, so that a repeated enqueue changes nothing. */
export const queueJobId = ({ id, nextLine }: { id: string; nextLine: number }): string => `file-${id}-${nextLine}`;

export function enqueueFile(
  scope: Pick<TenantScope, 'tenantId' | 'queue'>,
  file: { id: string; nextLine: number },
  jobId: string = queueJobId(file),
): Promise<void> {
  return scope.queue.enqueue('file.ingest', { tenantId: scope.tenantId, fileId: file.id }, { jobId });
}
