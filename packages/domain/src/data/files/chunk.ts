import type { FileRow, Position, ReadingWarning, RejectedRow } from '@tieout/formats';
import { newId } from '@tieout/infra';
import type { FieldDefinition, JsonObject } from '../../kernel/ports';
import type { TenantScope } from '../../kernel/scope';
import {
  compareExternalIds,
  identityNeedsExpressions,
  identityOf,
  maxExternalIdLength,
  type NormaliseRecords,
} from '../records';
import type { Rejection } from './file';
import { warnOfUnreadColumns } from './nothing-kept';
import { contentOf } from './row-keys';

/** Consecutive rows of a file as read. */
export interface FileChunk {
  from: Position;
  next: Position;
  rows: FileRow[];
  rejected: RejectedRow[];
  /** Warnings that only the end of the file shows. */
  warnings: ReadingWarning[];
}

/** The fields of the dataset, with the notation of the file. */
export interface FieldsOfFile {
  version: number;
  fields: readonly FieldDefinition[];
}

/** A record as it is stored. */
export interface PreparedRow {
  id: string;
  externalId: string | null;
  /** Hash of the data for a row that its content identifies; else null. */
  content: string | null;
  line: number;
  /** JSON texts. */
  data: string;
  fields: string | null;
  error: string | null;
}

/** The parts of preparing rows that are the same for all chunks of a file. */
export interface RowPreparation {
  normalise: NormaliseRecords;
  /** A row without identity is the same record as an equal one of another file. */
  isIdentifiedByContent: boolean;
  /** The identity that the format gives a transaction counts if the dataset has no identity fields. */
  isIdentifiedByFormat: boolean;
  /** Formats a row as in its file; max 1 KiB. */
  shown: (data: JsonObject) => string;
}

/** A chunk under the fields of one version. */
export interface PreparedChunk {
  chunk: FileChunk;
  version: number;
  /** Sorted by external id, so that two writers cannot deadlock. */
  records: PreparedRow[];
  rejections: Rejection[];
  /** The warnings of the chunk, and of what the fields make of the first rows. */
  warnings: ReadingWarning[];
  ready: number;
  failed: number;
}

/** Normalises and identifies the rows of a chunk. The last of several rows with one external id wins. */
export async function prepareChunk(
  scope: TenantScope,
  chunk: FileChunk,
  { version, fields }: FieldsOfFile,
  { normalise, isIdentifiedByContent, isIdentifiedByFormat, shown }: RowPreparation,
): Promise<PreparedChunk> {
  const bodies = chunk.rows.map((row) => row.data as JsonObject);
  const results = await normalise(fields, bodies);
  const usesFormat = isIdentifiedByFormat && !fields.some((field) => field.isIdentity);
  const externalIds = usesFormat
    ? chunk.rows.map(({ identity }) => identity ?? null)
    : await identify(scope, fields, bodies);
  const byExternalId = new Map<string, PreparedRow>();
  const records: PreparedRow[] = [];
  const tooLong: Rejection[] = [];
  let failed = 0;
  chunk.rows.forEach(({ line, data }, i) => {
    const externalId = externalIds[i] ?? null;
    const text = JSON.stringify(data);
    if (externalId !== null && externalId.length > maxExternalIdLength) {
      tooLong.push(identityTooLong(line, shown(data)));
      return;
    }
    const result = results[i];
    if (result === undefined) throw new Error('a row was not normalised');
    if (result.status === 'failed') failed++;
    const row: PreparedRow = {
      id: '',
      externalId,
      content: externalId === null && isIdentifiedByContent ? contentOf(text) : null,
      line,
      data: text,
      fields: result.status === 'ready' ? JSON.stringify(result.fields) : null,
      error: result.status === 'failed' ? JSON.stringify(result.error) : null,
    };
    const earlier = externalId === null ? undefined : byExternalId.get(externalId);
    if (earlier) Object.assign(earlier, row, { id: earlier.id });
    else {
      row.id = newId();
      records.push(row);
      if (externalId !== null) byExternalId.set(externalId, row);
    }
  });
  const rejections =
    tooLong.length === 0 ? chunk.rejected : [...chunk.rejected, ...tooLong].sort((a, b) => a.line - b.line);
  if (byExternalId.size > 0) records.sort((a, b) => compareExternalIds(a.externalId, b.externalId));
  const readyRows = results.flatMap((result, i) =>
    result.status === 'ready' ? [{ data: bodies[i] as JsonObject, fields: result.fields }] : [],
  );
  const unread = chunk.from.line === 0 ? warnOfUnreadColumns(fields, readyRows) : [];
  return {
    chunk,
    version,
    records,
    rejections,
    warnings: [...chunk.warnings, ...unread],
    failed,
    ready: chunk.rows.length - tooLong.length - failed,
  };
}

async function identify(
  scope: TenantScope,
  fields: readonly FieldDefinition[],
  bodies: JsonObject[],
): Promise<readonly (string | null)[]> {
  const identity = fields.filter((field) => field.isIdentity);
  if (identity.length === 0) return [];
  if (identityNeedsExpressions(identity)) return scope.evaluator.identify({ fields: identity, bodies });
  return bodies.map((body) => identityOf(identity, body));
}

const identityTooLong = (line: number, raw: string): Rejection => ({
  line,
  column: null,
  code: 'identity_too_long',
  message:
    `The identity fields give an external id of more than ${maxExternalIdLength} characters: ` + 'choose shorter ones',
  raw,
});
