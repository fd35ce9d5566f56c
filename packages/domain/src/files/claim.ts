import type { Detected } from '@tieout/formats';
import type { TenantScope } from '../scope';
import type { FileOptions } from './file';

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
  owner: boolean;
}

/** Marks a file that a worker gave up: whoever has the queue job run again gets it read from its beginning. */
export const WORKER_FAILED = 'worker_failed';

/**
 * Takes a file up. Undefined: there is nothing to do, because it is done with, or its content is another file's. Of files
 * with one content in one dataset the first to get here owns it; the others are duplicates, unless the owner fails.
 */
export function claimFile(scope: TenantScope, fileId: string): Promise<OpenFile | undefined> {
  return scope.transaction(async (tx) => {
    const file = await lockFile(tx, fileId);
    if (!file) return undefined;
    if (!file.owner) {
      const other = await otherOwner(tx, file.id);
      if (other?.status === 'ready') return repeat(tx, file.id, other.id);
      // It may still fail: then the content is this file's. Its end wakes those that wait.
      if (other) return undefined;
    }
    await tx.db.execute(
      `update data_source_files set status = 'processing', owner = true, error_code = null, error_message = null, updated_at = now()
       where tenant_id = $1::uuid and id = $2::uuid`,
      [tx.tenantId, fileId],
    );
    return file;
  });
}

/** Until the transaction ends, nobody else decides whose this content is. */
export async function lockContent(tx: TenantScope, fileId: string): Promise<void> {
  await tx.db.query(
    `select pg_advisory_xact_lock(hashtextextended(dataset_id::text || encode(content_hash, 'hex'), 0))::text
     from data_source_files where tenant_id = $1::uuid and id = $2::uuid`,
    [tx.tenantId, fileId],
  );
}

/** Locks the content before the row, so that two files of one content are looked at one after the other. */
async function lockFile(tx: TenantScope, fileId: string): Promise<Candidate | undefined> {
  await lockContent(tx, fileId);
  const [file] = await tx.db.query<Candidate>(
    `select id, dataset_id as "datasetId", file_path as "filePath", size_bytes::float8 as "sizeBytes", options, detected,
            next_line as "nextLine", next_offset::float8 as "nextOffset", owner
     from data_source_files
     where tenant_id = $1::uuid and id = $2::uuid and (status in ('uploaded', 'processing') or (status = 'failed' and error_code = $3))
     for update`,
    [tx.tenantId, fileId, WORKER_FAILED],
  );
  return file;
}

/** Another sheet of a workbook is another content. */
async function otherOwner(tx: TenantScope, fileId: string): Promise<{ id: string; status: string } | undefined> {
  const [other] = await tx.db.query<{ id: string; status: string }>(
    `select o.id, o.status from data_source_files f
       join data_source_files o on o.dataset_id = f.dataset_id and o.content_hash = f.content_hash and o.id <> f.id
     where f.tenant_id = $1::uuid and f.id = $2::uuid and o.tenant_id = $1::uuid and o.owner and o.status <> 'failed'
       and o.options -> 'sheet' is not distinct from f.options -> 'sheet'
     order by o.id limit 1`,
    [tx.tenantId, fileId],
  );
  return other;
}

async function repeat(tx: TenantScope, fileId: string, ownerId: string): Promise<undefined> {
  await tx.db.execute(
    `update data_source_files f
        set status = 'ready', duplicate_of = o.id, detected = o.detected, ready_rows = o.ready_rows, failed_rows = o.failed_rows,
            rejected_rows = o.rejected_rows, next_line = o.next_line, next_offset = o.next_offset, processed_at = now(), updated_at = now()
       from data_source_files o
      where f.tenant_id = $1::uuid and f.id = $2::uuid and o.tenant_id = $1::uuid and o.id = $3::uuid`,
    [tx.tenantId, fileId, ownerId],
  );
}
