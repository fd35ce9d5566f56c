import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { recordState, type FieldSelection, type JsonObject } from '@tieout/engine';
import {
  coerceValue,
  columnsOfFile,
  detectFile,
  fieldsForColumns,
  FileUnreadableError,
  notationOf,
  readRows,
  reasonOf,
  type Detected,
  type FileRow,
  type FileSource,
  type GivenOptions,
  type NewField,
  type ReadingWarning,
} from '@tieout/formats';
import { CommandError, unreadable } from '../failure';
import { PackedRecords, type PackedKeys } from './packed-records';
import { SideTable } from './side-table';

/** Problems of rows that are kept in detail. */
const keptProblems = 20;
const blockBytes = 1 << 20;
const pieceBytes = 1 << 15;

/** A file, and how it is read. */
export interface FileInput {
  path: string;
  /** File name as the user gave it. */
  name: string;
  options: GivenOptions;
}

interface ReadFile extends FileInput {
  /** The fields that the rule set reads; null while it is not known: then all are kept. */
  selection: FieldSelection | null;
  /** Places a record; null where records are placed later. */
  onRecord: ((table: SideTable, seq: number, value: JsonObject) => Promise<void> | void) | null;
  onProgress: (share: number) => void;
}

export interface ReadSide {
  table: SideTable;
  detected: Detected;
  warnings: ReadingWarning[];
  /** True if `onRecord` has seen the records. */
  isPlaced: boolean;
}

async function sourceOf(path: string): Promise<FileSource> {
  const { size } = await stat(path);
  return {
    sizeBytes: size,
    open: (start = 0, end = size) => Promise.resolve(Readable.from(piecesOf(path, start, end))),
  };
}

/** Reads large blocks, which cost few calls, and yields small pieces: a large text is slow to allocate and to cut. */
async function* piecesOf(path: string, start: number, end: number): AsyncGenerator<Buffer, void, void> {
  const file = await open(path);
  try {
    for (let at = start; at < end;) {
      const block = Buffer.allocUnsafeSlow(Math.min(blockBytes, end - at));
      const { bytesRead } = await file.read(block, 0, block.length, at);
      if (bytesRead === 0) return;
      for (let from = 0; from < bytesRead; from += pieceBytes)
        yield block.subarray(from, Math.min(from + pieceBytes, bytesRead));
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/** Reads a file as an upload is read: columns become fields with the types of their values. */
export async function readSide(file: ReadFile): Promise<ReadSide> {
  try {
    return await readWhole(file);
  } catch (error) {
    if (error instanceof FileUnreadableError) throw new CommandError(`${file.name}: ${reasonOf(error, file.name)}`);
    const { syscall } = error as NodeJS.ErrnoException;
    if (syscall === 'open' || syscall === 'read') throw unreadable(file.name, error);
    throw error;
  }
}

async function readWhole(file: ReadFile): Promise<ReadSide> {
  const { path, name, options, selection, onRecord, onProgress } = file;
  const source = await sourceOf(path);
  const detected = await detectFile(source, options);
  const fields = fieldsForColumns([], await columnsOfFile(source, detected));
  const table = new SideTable(name, fields, new PackedRecords(keptKeys(fields, selection)));
  const normalise = normaliserOf(table, detected);
  const warnings = [...(detected.warnings ?? [])];
  const placeOf = new Map<string, number>();
  // The last of the rows with one identity counts, so that none is placed before all are read.
  const place = detected.identifies === true ? null : onRecord;
  for await (const batch of readRows(source, detected)) {
    for (const row of batch.rows) {
      const { value, problem } = normalise(row);
      const seq = table.add(value, row.line, problem === null ? recordState.candidate : recordState.failed);
      if (detected.identifies === true && row.identity !== undefined) replaceEarlier(table, placeOf, row, seq);
      if (problem !== null) {
        table.failedRows++;
        if (table.failed.length < keptProblems) table.failed.push({ line: row.line, message: problem });
        continue;
      }
      const pending = place?.(table, seq, value);
      if (pending) await pending;
    }
    for (const { line, message } of batch.rejected) {
      table.rejectedRows++;
      if (table.rejected.length < keptProblems) table.rejected.push({ line, message });
    }
    warnings.push(...(batch.warnings ?? []));
    onProgress(batch.next.offset === null ? NaN : batch.next.offset / Math.max(1, source.sizeBytes));
  }
  if (table.length === 0 && table.rejectedRows > 0)
    throw new CommandError(
      `${name}: no row of it can be read. The first, line ${table.rejected[0]?.line}: ${table.rejected[0]?.message}`,
    );
  return { table, detected, warnings, isPlaced: place !== null };
}

interface NormalisedRow {
  value: JsonObject;
  problem: string | null;
}

/** Returns a function that overlays the data of a row with its fields. */
function normaliserOf({ fields }: SideTable, detected: Detected): (row: FileRow) => NormalisedRow {
  const readers = fields.map(({ key, type, sourcePath }) => ({
    key,
    type,
    column: sourcePath ?? key,
    notation: notationOf(sourcePath ?? key, detected),
  }));
  return ({ data }) => {
    const value: JsonObject = { ...data };
    for (const { key, type, column, notation } of readers) {
      if (type === 'string' && key === column && typeof data[column] === 'string') continue;
      const coerced = coerceValue(type, data[column], notation);
      if (coerced.kind === 'value') value[key] = coerced.value;
      else if (coerced.kind === 'error')
        return { value: { ...data }, problem: `"${column}": ${JSON.stringify(data[column])} ${coerced.message}` };
    }
    return { value, problem: null };
  };
}

/** The keys that are kept of records; null: all. */
function keptKeys(fields: readonly NewField[], selection: FieldSelection | null): PackedKeys | null {
  if (selection === null || selection.all) return null;
  return { read: selection.keys, shown: [...new Set([...fields.map(({ key }) => key), ...selection.keys])] };
}

/** Takes out the earlier row of the same transaction: the last one counts. */
function replaceEarlier(table: SideTable, placeOf: Map<string, number>, { identity }: FileRow, seq: number): void {
  const earlier = placeOf.get(identity as string);
  if (earlier !== undefined) table.state[earlier] = replaced;
  placeOf.set(identity as string, seq);
}

/** The state of a row that a later one of the same identity replaces. */
export const replaced = 255;
