import type { Readable } from 'node:stream';
import { findOptionFaults } from '@tieout/formats';
import { AppError, invalid, messageOf, newId, type StoredObject } from '@tieout/infra';
import { getDataSource } from '../data-sources';
import { ensureDataset } from '../datasets';
import type { TenantScope } from '../../kernel/scope';
import { enqueueFile } from './enqueue';
import { readOptions, type FileOptions, type FileView } from './file';
import { getFile } from './read';

export const MAX_FILE_BYTES = 256 << 20;

/** How often an upload says that it goes on. What has not said so for ten times as long belongs to nobody any more. */
export const uploadTouchMs = 60_000;

/** A file whose bytes are coming in: its row is there, and nobody sees it. */
export interface Upload {
  /** Takes the bytes, once, and at most so many. @throws AppError body_too_large, service_unavailable when the disk is full or takes none */
  store(source: Readable, maxBytes?: number): Promise<StoredObject>;
  /** Makes a file of what was stored: the caller's transaction decides. @throws AppError validation_error for what cannot be followed, conflict when it took so long that the bytes were thrown away */
  finish(scope: TenantScope, file: UploadedFile): Promise<FileView>;
  /** Leaves nothing of it. */
  discard(): Promise<void>;
}

export interface UploadedFile {
  stored: StoredObject;
  originalName: string;
  /** Name of the dataset that the rows go into; it is created on first use. */
  dataset: string;
  options: FileOptions;
  /** The file of this dataset whose rows it replaces, once it is read. */
  replaces?: string;
}

/**
 * The row comes first, so that the sweep finds what a process that was killed has left in the storage.
 * @throws AppError data_source_not_found
 */
export async function beginUpload(scope: TenantScope, dataSourceId: string, touchMs = uploadTouchMs): Promise<Upload> {
  await getDataSource(scope, dataSourceId);
  const id = newId();
  const filePath = `${scope.tenantId}/${id}`;
  await scope.db.orm.dataSourceFile.create({ data: { id, tenantId: scope.tenantId, dataSourceId, filePath } });
  const touching = setInterval(() => void touch(scope, id), touchMs).unref();
  return {
    store: async (source, maxBytes = MAX_FILE_BYTES) => {
      try {
        return await scope.storage.put(filePath, source, { maxBytes });
      } catch (error) {
        throw refusedByDisk(scope, error) ?? error;
      }
    },
    finish: (own, file) => {
      clearInterval(touching);
      return finishUpload(own, { id, dataSourceId }, file);
    },
    discard: async () => {
      clearInterval(touching);
      try {
        // A commit whose answer was lost has taken place nevertheless.
        if ((await scope.db.orm.dataSourceFile.count({ where: { id, status: 'receiving' } })) === 0) return;
        await scope.storage.delete(filePath);
        await scope.db.orm.dataSourceFile.deleteMany({ where: { id, status: 'receiving' } });
      } catch (error) {
        scope.logger.warn(
          { fileId: id, reason: messageOf(error) },
          'an upload could not be cleared away; a sweep does it',
        );
      }
    },
  };
}

async function touch({ db, tenantId, logger }: TenantScope, id: string): Promise<void> {
  try {
    await db.execute(
      `update data_source_files set updated_at = now() where tenant_id = $1::uuid and id = $2::uuid and status = 'receiving'`,
      [tenantId, id],
    );
  } catch (error) {
    logger.warn({ fileId: id, reason: messageOf(error) }, 'could not note that an upload goes on');
  }
}

const fullDisk = new Set(['ENOSPC', 'EDQUOT']);
/** Read-only, not ours to write, broken, or not where it was. */
const closedDisk = new Set(['EROFS', 'EACCES', 'EPERM', 'EIO', 'ESTALE', 'ENOTDIR', 'ENODEV', 'ENXIO']);

/** What the caller is told when it is the disk that takes no bytes; undefined for any other error. */
function refusedByDisk({ logger }: TenantScope, error: unknown): AppError | undefined {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  if (!fullDisk.has(code) && !closedDisk.has(code)) return undefined;
  logger.error(
    { err: error },
    fullDisk.has(code) ? 'no space left for uploaded files' : 'uploaded files cannot be stored',
  );
  const why = fullDisk.has(code)
    ? 'There is no space left for files at the moment'
    : 'Files cannot be stored at the moment';
  return new AppError('service_unavailable', `${why}: send it again later`, { cause: error, retryAfterSeconds: 60 });
}

function finishUpload(
  scope: TenantScope,
  { id, dataSourceId }: { id: string; dataSourceId: string },
  file: UploadedFile,
): Promise<FileView> {
  refuseFaultyOptions(file.options);
  return scope.transaction(async (tx) => {
    const dataset = await ensureDataset(tx, file.dataset, dataSourceId);
    if (file.replaces !== undefined) await refuseUnknownFile(tx, dataset, file.replaces);
    // The dataset stays until the file names it: no foreign key sees to that.
    const taken = await tx.db.execute(
      `with dataset as (select id from datasets where tenant_id = $1::uuid and id = $3::uuid for key share)
       update data_source_files f
          set status = 'uploaded', dataset_id = dataset.id, original_name = $4, size_bytes = $5::bigint, content_hash = $6::bytea,
              options = $7::jsonb, replaces = $8::uuid, uploaded_at = now(), updated_at = now()
         from dataset
        where f.tenant_id = $1::uuid and f.id = $2::uuid and f.status = 'receiving'`,
      [
        tx.tenantId,
        id,
        dataset.id,
        file.originalName,
        file.stored.sizeBytes,
        file.stored.sha256,
        JSON.stringify(file.options),
        file.replaces ?? null,
      ],
    );
    if (taken === 0)
      throw new AppError(
        'conflict',
        'The upload took too long, or its dataset was deleted meanwhile: send the file again',
      );
    await tx.db.afterCommit(() => enqueueFile(tx, { id, nextLine: 0 }));
    return getFile(tx, dataSourceId, id);
  });
}

/** What a format cannot follow is known before it is read. */
function refuseFaultyOptions(options: FileOptions): void {
  const faults = findOptionFaults(readOptions(options));
  if (faults.length === 0) return;
  throw invalid(faults.map(({ option, message }) => ({ path: `/${option}`, code: 'option_invalid', message })));
}

async function refuseUnknownFile(tx: TenantScope, dataset: { id: string; name: string }, id: string): Promise<void> {
  const found = await tx.db.orm.dataSourceFile.count({
    where: { id, datasetId: dataset.id, status: { in: ['uploaded', 'processing', 'ready'] } },
  });
  if (found > 0) return;
  throw invalid([
    {
      path: '/replaces',
      code: 'unknown_file',
      message: `names no file of the dataset ${dataset.name} that could be replaced: give the id of one that is ready`,
    },
  ]);
}
