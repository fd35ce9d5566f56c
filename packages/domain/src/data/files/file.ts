import { rawText, type Detected, type ReadOptions, type Recognised } from '@tieout/formats';
import { AppError } from '@tieout/infra';
import type { JsonObject } from '../../kernel/ports';

export const fileStatuses = ['uploaded', 'processing', 'ready', 'failed'] as const;
export type FileStatus = (typeof fileStatuses)[number];

/** Options for reading a file; absent ones are detected from its content. */
export interface FileOptions extends ReadOptions {
  /** Declares a field for each column that no field reads yet, with the type of its values. */
  fromColumns?: boolean;
  /**
   * Treatment of a row without identity that equals one of another file read with `same`. `same`: the row is that
   * record. Default: a new record.
   */
  equalRows?: 'same' | 'new';
  /** `none`: the identity that a format gives its transactions is not used. Default: it identifies records. */
  identity?: 'format' | 'none';
}

/** Picks the options that concern the format. */
export function readOptions(options: FileOptions): ReadOptions {
  const { fromColumns: _, equalRows: __, identity: ___, ...rest } = options;
  return rest;
}

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
  /** Properties detected from the content; null before detection. */
  detected: Detected | null;
  /** Properties recognised in a file that could not be read. */
  recognised: Recognised | null;
  duplicateOf: string | null;
  /** The file whose rows this one replaces, and the one that replaced the rows of this one. */
  replaces: string | null;
  replacedBy: string | null;
  /** Rows so far that were stored and normalised, stored but not normalised, or not stored. */
  readyRows: number;
  failedRows: number;
  rejectedRows: number;
  /** Stored rows that the dataset already had. */
  repeatedRows: number;
  /** Byte offset at which reading continues; null where the format has no such position. */
  nextOffset: number | null;
  errorCode: string | null;
  errorMessage: string | null;
  uploadedAt: Date;
  processedAt: Date | null;
  /** Time at which retention removed its bytes and rejected rows. */
  expiredAt: Date | null;
}

/** The columns of a FileView; the statement names files `f` and datasets `d`. */
export const fileColumns = `f.id, f.tenant_id as "tenantId", f.data_source_id as "dataSourceId",
  f.dataset_id as "datasetId", d.name as "datasetName", f.status, f.original_name as "originalName",
  f.file_path as "filePath", f.size_bytes::float8 as "sizeBytes", f.options, f.detected, f.recognised,
  f.duplicate_of as "duplicateOf", f.replaces, f.replaced_by as "replacedBy", f.repeated_rows as "repeatedRows",
  f.ready_rows as "readyRows", f.failed_rows as "failedRows", f.rejected_rows as "rejectedRows",
  f.next_offset::float8 as "nextOffset", f.error_code as "errorCode", f.error_message as "errorMessage",
  f.uploaded_at as "uploadedAt", f.processed_at as "processedAt", f.expired_at as "expiredAt"`;

export const fileNotFound = (): AppError => new AppError('data_source_file_not_found', 'File not found');

/** A row of a file that was not stored as a record. */
export interface Rejection {
  line: number;
  column: string | null;
  code: string;
  message: string;
  /** The row as read; a long one is cut. */
  raw: string;
}

/** A row of a file that was rejected or whose record failed. */
export interface FileRowError extends Rejection {
  /** Id of the failed record; null for a rejected row. */
  recordId: string | null;
}

/** Formats a row for people: the cells of a table in a line, else JSON; a long row is cut. */
export function shownRow(
  data: JsonObject,
  { format, delimiter, headers }: Pick<Detected, 'format' | 'delimiter' | 'headers'>,
): string {
  const isTable = format === 'csv' || format === 'tsv' || format === 'xlsx';
  if (!isTable || headers === null) return rawText(JSON.stringify(data));
  return rawText(headers.map((name) => cellText(data[name])).join(delimiter ?? '\t'));
}

const cellText = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
