import type { Readable } from 'node:stream';
import { findForeignOption, findOptionFaults, type OptionFault } from '@tieout/formats';
import { AppError, invalid, messageOf, newId, type StoredObject } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { holdQuota, quotaExceeded, requireRoom } from '../../access/quotas';
import { getDataSource } from '../data-sources';
import { ensureDataset } from '../datasets';
import { enqueueFile } from './claim';
import { readOptions, type FileOptions, type FileView } from './file';
import { getFile } from './read';

export const maxFileBytes = 256 << 20;

/** Interval of an upload's heartbeat. After ten intervals without one, a sweep removes the upload. */
export const uploadTouchMs = 60_000;

/** A file whose bytes a request sends. */
export interface ReceivedUpload {
  /**
   * Stores the bytes, once.
   * @throws AppError body_too_large, quota_exceeded, service_unavailable when the disk is full or refuses them
   */
  store(source: Readable, maxBytes?: number): Promise<StoredObject>;
  /** Removes what is not taken over. */
  discard(): Promise<void>;
}

/** A file being uploaded: its row exists, but no list shows it. */
export interface Upload extends ReceivedUpload {
  /**
   * Makes a file of the stored bytes, in the caller's transaction if there is one.
   * @throws AppError validation_error for faulty options, quota_exceeded, conflict when the sweep has removed it
   */
  finish(scope: TenantScope, file: UploadedFile): Promise<FileView>;
}

export interface UploadedFile {
  stored: StoredObject;
  originalName: string;
  /** Name of the dataset, which is created on first use. */
  dataset: string;
  options: FileOptions;
  /** Id of a file of this dataset whose rows this one replaces once it is read. */
  replaces?: string;
}

/**
 * Begins an upload. The row is created first, so that the sweep finds the bytes of a killed process in the storage.
 * @throws AppError data_source_not_found, quota_exceeded
 */
export async function beginUpload(scope: TenantScope, dataSourceId: string, touchMs = uploadTouchMs): Promise<Upload> {
  await getDataSource(scope, dataSourceId);
  const id = newId();
  const filePath = `${scope.tenantId}/${id}`;
  const bytes = await scope.transaction(async (tx) => {
    await requireRoom(tx, 'files');
    const usage = await holdQuota(tx, 'bytes');
    if (usage.used >= usage.limit) throw quotaExceeded('bytes', usage);
    await tx.db.orm.dataSourceFile.create({ data: { id, tenantId: tx.tenantId, dataSourceId, filePath } });
    return usage;
  });
  const touching = setInterval(() => void noteProgress(scope, id), touchMs).unref();
  return {
    store: async (source, maxBytes = maxFileBytes) => {
      const room = bytes.limit - bytes.used;
      try {
        return await scope.storage.put(filePath, source, { maxBytes: Math.min(maxBytes, room) });
      } catch (error) {
        if (room < maxBytes && error instanceof AppError && error.code === 'body_too_large')
          throw quotaExceeded('bytes', bytes);
        throw refusedByDisk(scope, error) ?? error;
      }
    },
    finish: async (own, file) => {
      clearInterval(touching);
      refuseFaultyOptions(file.options);
      const { sizeBytes } = file.stored;
      const source = { sizeBytes, open: (start?: number, end?: number) => scope.storage.open(filePath, start, end) };
      const fault = await findForeignOption(source, readOptions(file.options));
      if (fault !== null) throw refusedOptions([fault]);
      return finishUpload(own, { id, dataSourceId }, file);
    },
    discard: async () => {
      clearInterval(touching);
      try {
        const found = await scope.db.orm.dataSourceFile.findFirst({ where: { id }, select: { status: true } });
        // The upload may be finished: the answer of a commit can be lost. Without a row its tenant or its dataset is
        // deleted, and no sweep would find the bytes.
        if (found && found.status !== 'receiving') return;
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

async function noteProgress({ db, tenantId, logger }: TenantScope, id: string): Promise<void> {
  try {
    await db.execute(
      `update data_source_files set updated_at = now()
        where tenant_id = $1::uuid and id = $2::uuid and status = 'receiving'`,
      [tenantId, id],
    );
  } catch (error) {
    logger.warn({ fileId: id, reason: messageOf(error) }, 'could not note that an upload is still in progress');
  }
}

const fullDisk = new Set(['ENOSPC', 'EDQUOT']);
/** Read-only, not writable, broken or unmounted. */
const closedDisk = new Set(['EROFS', 'EACCES', 'EPERM', 'EIO', 'ESTALE', 'ENOTDIR', 'ENODEV', 'ENXIO']);

/** Returns the answer to an error of the disk; undefined for any other error. */
export function refusedByDisk({ logger }: TenantScope, error: unknown): AppError | undefined {
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
  return scope.transaction(async (tx) => {
    await requireRoom(tx, 'bytes', file.stored.sizeBytes);
    const dataset = await ensureDataset(tx, file.dataset, dataSourceId);
    if (file.replaces !== undefined) await refuseUnknownFile(tx, dataset, file.replaces);
    // `key share` keeps the dataset until the commit: there is no foreign key.
    const taken = await tx.db.execute(
      `with dataset as (select id from datasets where tenant_id = $1::uuid and id = $3::uuid for key share)
       update data_source_files f
          set status = 'uploaded', dataset_id = dataset.id, original_name = $4, size_bytes = $5::bigint,
              content_hash = $6::bytea, options = $7::jsonb, replaces = $8::uuid, uploaded_at = now(),
              updated_at = now()
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
        'The upload took too long, or its dataset was deleted during it: send the file again',
      );
    await tx.db.afterCommit(() => enqueueFile(tx, { id, nextLine: 0 }));
    return getFile(tx, dataSourceId, id);
  });
}

/** Refuses options that the format does not support before the file is read. */
export function refuseFaultyOptions(options: FileOptions): void {
  const faults = findOptionFaults(readOptions(options));
  if (faults.length > 0) throw refusedOptions(faults);
}

const refusedOptions = (faults: readonly OptionFault[]): AppError =>
  invalid(faults.map(({ option, message }) => ({ path: `/${option}`, code: 'option_invalid', message })));

/** Refuses the id of a file that the dataset does not have, or without a dataset, that the tenant does not have. */
export async function refuseUnknownFile(
  tx: TenantScope,
  dataset: { id: string; name: string } | null,
  id: string,
): Promise<void> {
  const found = await tx.db.orm.dataSourceFile.count({
    where: { id, ...(dataset ? { datasetId: dataset.id } : {}), status: { in: ['uploaded', 'processing', 'ready'] } },
  });
  if (found > 0) return;
  throw invalid([
    {
      path: '/replaces',
      code: 'unknown_file',
      message:
        `names no file${dataset ? ` of the dataset ${dataset.name}` : ''} that could be replaced: ` +
        'give the id of one that is ready',
    },
  ]);
}
