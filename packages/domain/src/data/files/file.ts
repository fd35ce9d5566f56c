import type { Detected, ReadOptions, Recognised } from '@tieout/formats';
import { AppError } from '@tieout/infra';

export const fileStatuses = ['uploaded', 'processing', 'ready', 'failed'] as const;
export type FileStatus = (typeof fileStatuses)[number];

/** How a file is to be read; what is absent is found out from its content. */
export interface FileOptions extends ReadOptions {
  /** The dataset gets a field for each column that no field reads yet, of the type that its values have. */
  fromColumns?: boolean;
  /** What a row that nothing identifies is, where the dataset has an equal one of another file that was read so: that record. Default: a new one. */
  equalRows?: 'same' | 'new';
}

/** The part of the options that is about the bytes. */
export const readOptions = ({ fromColumns: _, equalRows: __, ...options }: FileOptions): ReadOptions => options;

export interface FileView {
  id: string;
  tenantId: string;
  dataSourceId: string;
  datasetId: string;
  datasetName: string;
  status: FileStatus;
  originalName: string;
  filePath: string;
  sizeBytes: number;
  options: FileOptions;
  /** What its content says; null before it has been looked at. */
  detected: Detected | null;
  /** Of one that could not be read, as far as its content says it. */
  recognised: Recognised | null;
  duplicateOf: string | null;
  /** The file whose rows this one replaces, and the one that has replaced its own. */
  replaces: string | null;
  replacedBy: string | null;
  /** Rows so far: stored and normalised, stored but not normalised, not stored. */
  readyRows: number;
  failedRows: number;
  rejectedRows: number;
  /** Of the stored rows those that were there before. */
  repeatedRows: number;
  /** The byte at which reading goes on; null where the format has no such place. */
  nextOffset: number | null;
  errorCode: string | null;
  errorMessage: string | null;
  uploadedAt: Date;
  processedAt: Date | null;
  /** When its bytes and its rejected rows were removed. */
  expiredAt: Date | null;
}

/** The columns of a FileView; the statement names files `f` and datasets `d`. */
export const fileColumns = `f.id, f.tenant_id as "tenantId", f.data_source_id as "dataSourceId", f.dataset_id as "datasetId",
  d.name as "datasetName", f.status, f.original_name as "originalName", f.file_path as "filePath", f.size_bytes::float8 as "sizeBytes",
  f.options, f.detected, f.recognised, f.duplicate_of as "duplicateOf", f.replaces, f.replaced_by as "replacedBy",
  f.repeated_rows as "repeatedRows", f.ready_rows as "readyRows", f.failed_rows as "failedRows",
  f.rejected_rows as "rejectedRows", f.next_offset::float8 as "nextOffset", f.error_code as "errorCode", f.error_message as "errorMessage",
  f.uploaded_at as "uploadedAt", f.processed_at as "processedAt", f.expired_at as "expiredAt"`;

export const fileNotFound = (): AppError => new AppError('data_source_file_not_found', 'File not found');

/** A row of a file that is no record. */
export interface Rejection {
  line: number;
  column: string | null;
  code: string;
  message: string;
  /** The row as it was read; a long one is cut. */
  raw: string;
}

/** A row of a file that is not ready. */
export interface FileRowError extends Rejection {
  /** The record of status failed that it is; null where it is none. */
  recordId: string | null;
}
