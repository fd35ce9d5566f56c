import type { Detected } from '@tieout/formats';
import type { TenantScope } from '../../kernel/scope';
import type { FileOptions, FileStatus } from './file';

/** What reading a file needs. */
export interface OpenFile {
  id: string;
  datasetId: string;
  filePath: string;
  sizeBytes: number;
  options: FileOptions;
  detected: Detected | null;
  nextLine: number;
  nextOffset: number | null;
}

interface Candidate extends OpenFile {
  status: FileStatus;
}

/** Marks a file that a worker gave up: whoever has the queue job run again gets it read from its beginning. */
export const WORKER_FAILED = 'worker_failed';

/**
 * Takes a file up. Undefined: there is nothing to do, because it is done with, or another file of its dataset is being read,
 * whose end wakes it. One at a time: which of its rows a dataset has had before is known once the files before are read.
 */
export function claimFile(scope: TenantScope, fileId: string): Promise<OpenFile | undefined> {
  return scope.transaction(async (tx) => {
    await lockDatasetOf(tx, fileId);
    const file = await lockFile(tx, fileId);
    if (!file) return undefined;
    const waits = file.status !== 'processing' && (await anotherIsRead(tx, file));
    await tx.db.execute(
      `update data_source_files
          set status = $3, owner = true, error_code = null, error_message = null, processed_at = null, updated_at = now(),
              started_at = case when next_line = 0 then clock_timestamp() else started_at end
        where tenant_id = $1::uuid and id = $2::uuid`,
      [tx.tenantId, fileId, waits ? 'uploaded' : 'processing'],
    );
    return waits ? undefined : file;
  });
}

/** Until the transaction ends, nobody else decides what the files of this one's dataset mean for each other. */
export async function lockDatasetOf(tx: TenantScope, fileId: string): Promise<void> {
  await tx.db.query(
    `select pg_advisory_xact_lock(hashtextextended('files of ' || dataset_id, 0))::text
     from data_source_files where tenant_id = $1::uuid and id = $2::uuid`,
    [tx.tenantId, fileId],
  );
}

async function lockFile(tx: TenantScope, fileId: string): Promise<Candidate | undefined> {
  const [file] = await tx.db.query<Candidate>(
    `select id, dataset_id as "datasetId", file_path as "filePath", size_bytes::float8 as "sizeBytes", options, detected, status,
            next_line as "nextLine", next_offset::float8 as "nextOffset"
     from data_source_files
     where tenant_id = $1::uuid and id = $2::uuid and (status in ('uploaded', 'processing') or (status = 'failed' and error_code = $3))
     for update`,
    [tx.tenantId, fileId, WORKER_FAILED],
  );
  return file;
}

async function anotherIsRead(tx: TenantScope, { id, datasetId }: Candidate): Promise<boolean> {
  const rows = await tx.db.query(
    `select 1 from data_source_files where tenant_id = $1::uuid and dataset_id = $2::uuid and id <> $3::uuid and status = 'processing' limit 1`,
    [tx.tenantId, datasetId, id],
  );
  return rows.length > 0;
}
