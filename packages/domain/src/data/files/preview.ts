import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readPath } from '@tieout/engine';
import {
  columnsOfFile,
  type Detected,
  detectFile,
  fieldsForColumns,
  type FileRow,
  type FileSource,
  FileUnreadableError,
  type ReadingWarning,
  readRows,
  reasonOf,
} from '@tieout/formats';
import { invalid, Measured, newId } from '@tieout/infra';
import type { FieldDefinition, JsonObject } from '../../kernel/ports';
import type { TenantScope } from '../../kernel/scope';
import { coerce, loadFields, withNotation } from '../records';
import { allRejected, noRowsOf } from './finish';
import { warnOfFailedRows, warnOfUnreadColumns } from './nothing-kept';
import { readOptions, shownRow, type FileOptions, type Rejection } from './file';
import { refuseFaultyOptions, refusedByDisk, refuseUnknownFile, maxFileBytes, type ReceivedUpload } from './upload';

/** The rows that a preview shows, and max rejected rows among them. */
const previewRows = 50;

/** A file of which the reading is shown and nothing is stored. */
export interface FilePreview {
  detected: Detected;
  fields: readonly FieldDefinition[];
  rows: PreviewRow[];
  rejected: Rejection[];
}

/** A row as its record would be. */
export interface PreviewRow {
  line: number;
  data: JsonObject;
  /** Values by field key; those that do not fit are left out. */
  fields: JsonObject;
  errors: PreviewError[];
}

export interface PreviewError {
  column: string;
  field: string;
  code: string;
  message: string;
}

interface StoredDataset {
  id: string;
  name: string;
}

export interface PreviewedFile {
  /** The name that the sender gave to the file. */
  name: string;
  /** Name of a dataset whose fields read the rows, if it exists. */
  dataset?: string;
  /** See NewFile. */
  replaces?: string;
  options: FileOptions;
}

export interface PreviewUpload extends ReceivedUpload {
  /** @throws AppError validation_error for faulty options, and for a file that cannot be read */
  preview(scope: TenantScope, file: PreviewedFile): Promise<FilePreview>;
}

/** Begins a preview. The bytes are in a file without a name, which ends with this process at the latest. */
export async function beginPreview(scope: TenantScope): Promise<PreviewUpload> {
  const name = path.join(tmpdir(), `tieout-preview-${newId()}`);
  const file = await open(name, 'wx+', 0o600).catch((error: unknown) => {
    throw refusedByDisk(scope, error) ?? error;
  });
  await unlink(name);
  let sizeBytes = 0;
  return {
    store: async (source, maxBytes = maxFileBytes) => {
      const measured = new Measured(maxBytes);
      try {
        await pipeline(source, measured, writer(file));
      } catch (error) {
        throw refusedByDisk(scope, error) ?? error;
      }
      const stored = measured.result();
      sizeBytes = stored.sizeBytes;
      return stored;
    },
    preview: async (own, previewed) => {
      try {
        return await previewFile(own, sourceOf(file, sizeBytes), previewed);
      } finally {
        await file.close();
      }
    },
    discard: () => file.close(),
  };
}

/**
 * Writes to an open file and never closes it. A stream of node:fs that is destroyed closes its file, and the number of
 * a closed file may soon be that of another request's.
 */
const writer = (file: FileHandle): Writable =>
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      file.appendFile(chunk).then(() => done(), done);
    },
  });

const bytesPerRead = 64 * 1024;

async function* chunksOf(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end;) {
    const length = Math.min(bytesPerRead, end - at);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const sourceOf = (file: FileHandle, sizeBytes: number): FileSource => ({
  sizeBytes,
  open: (start = 0, end = sizeBytes) =>
    Promise.resolve(Readable.from(chunksOf(file, start, end), { objectMode: false })),
});

async function previewFile(
  scope: TenantScope,
  source: FileSource,
  { name, dataset, replaces, options }: PreviewedFile,
): Promise<FilePreview> {
  refuseFaultyOptions(options);
  const stored = await datasetNamed(scope, dataset);
  if (replaces !== undefined) await refuseUnknownFile(scope, stored, replaces);
  try {
    const detected = await detectFile(source, readOptions(options));
    const fields = await fieldsOf(scope, { dataset: stored, source, detected, options });
    const rows: PreviewRow[] = [];
    const rejected: Rejection[] = [];
    const warnings = [...(detected.warnings ?? [])];
    for await (const batch of readRows(source, detected)) {
      for (const row of batch.rows) if (rows.length < previewRows) rows.push(previewRow(row, fields, detected));
      for (const row of batch.rejected) if (rejected.length < previewRows) rejected.push(row);
      warnings.push(...(batch.warnings ?? []));
      if (rows.length >= previewRows) break;
    }
    refuseWithoutRows({ detected, rows, rejected }, name);
    warnings.push(...warnOfNothingKept(rows, fields));
    const last = rows.length < previewRows ? Infinity : (rows.at(-1)?.line ?? Infinity);
    return { detected: { ...detected, warnings }, fields, rows, rejected: rejected.filter(({ line }) => line < last) };
  } catch (error) {
    if (error instanceof FileUnreadableError) throw unreadable(error, name);
    throw error;
  }
}

function warnOfNothingKept(rows: readonly PreviewRow[], fields: readonly FieldDefinition[]): ReadingWarning[] {
  const ready = rows.filter(({ errors }) => errors.length === 0);
  const why = rows[0]?.errors[0]?.message;
  return ready.length === 0 && why !== undefined
    ? [warnOfFailedRows(rows.length, why)]
    : warnOfUnreadColumns(fields, ready);
}

async function datasetNamed(scope: TenantScope, name: string | undefined): Promise<StoredDataset | null> {
  if (name === undefined) return null;
  return scope.db.orm.dataset.findFirst({ where: { name }, select: { id: true, name: true } });
}

/** Refuses what an upload of the file would end with. */
function refuseWithoutRows(
  { detected, rows, rejected }: Pick<FilePreview, 'detected' | 'rows' | 'rejected'>,
  name: string,
): void {
  if (rows.length > 0) return;
  const [first] = rejected;
  const allOf = allRejected.replace(': its errors (GET …/errors) say why for each', '');
  const error =
    first !== undefined
      ? { code: 'no_readable_rows', message: `${allOf}. The first: ${first.message}` }
      : (detected.statements ?? null) === null
        ? { code: 'file_empty', message: noRowsOf(detected, name) }
        : null;
  if (error !== null) throw invalid([{ path: '/file', ...error }]);
}

/** The fields of the dataset, and those that its columns would add. Expressions run while a file is read only. */
async function fieldsOf(
  scope: TenantScope,
  {
    dataset,
    source,
    detected,
    options,
  }: { dataset: StoredDataset | null; source: FileSource; detected: Detected; options: FileOptions },
): Promise<FieldDefinition[]> {
  const declared = dataset === null ? [] : ((await loadFields(scope, [dataset.id])).get(dataset.id) ?? []);
  const isDerived = options.fromColumns === true || declared.length === 0;
  const derived = isDerived ? fieldsForColumns(declared, await columnsOfFile(source, detected)) : [];
  const added = derived.map((field) => ({ ...field, transformExpr: null, isIdentity: false }));
  return withNotation([...declared.filter(({ transformExpr }) => transformExpr === null), ...added], detected);
}

function previewRow({ line, data }: FileRow, fields: readonly FieldDefinition[], detected: Detected): PreviewRow {
  const values: JsonObject = {};
  const errors: PreviewError[] = [];
  for (const { key, type, sourcePath, notation } of fields) {
    const column = sourcePath ?? key;
    const raw = readPath(data, column);
    const coerced = coerce(type, raw, notation);
    if (coerced.kind === 'value') values[key] = coerced.value;
    if (coerced.kind !== 'error') continue;
    const shown = shownRow({ value: raw }, { ...detected, headers: ['value'] });
    errors.push({ column, field: key, code: coerced.code, message: `"${column}": "${shown}" ${coerced.message}` });
  }
  return { line, data, fields: values, errors };
}

/** The error of an option names it at the beginning of its message. */
function unreadable(error: FileUnreadableError, name: string): Error {
  const { code, message } = error;
  const option = code === 'option_invalid' ? /^(\w+): /.exec(message)?.[1] : undefined;
  return invalid([{ path: `/${option ?? 'file'}`, code, message: reasonOf(error, name) }]);
}
