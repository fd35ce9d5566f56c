import type { FileRow, Position, RejectedRow } from '@tieout/formats';
import { newId } from '@tieout/infra';
import {
  identityNeedsExpressions,
  identityOf,
  MAX_EXTERNAL_ID_LENGTH,
  type FieldDefinition,
  type JsonObject,
  type NormaliseRecords,
} from '../records';
import type { TenantScope } from '../../kernel/scope';
import type { Rejection } from './file';
import { contentOf } from './row-keys';

/** Consecutive rows of a file as they were read. */
export interface Chunk {
  from: Position;
  next: Position;
  rows: FileRow[];
  rejected: RejectedRow[];
}

/** The fields of the dataset, as they read this file. */
export interface FieldsOfFile {
  version: number;
  fields: readonly FieldDefinition[];
}

/** A record as it is stored. */
export interface PreparedRow {
  id: string;
  externalId: string | null;
  /** What it holds, where that tells it from others: nothing identifies it. */
  content: string | null;
  line: number;
  /** JSON texts. */
  data: string;
  fields: string | null;
  error: string | null;
}

/** What holds for all rows of a file. */
export interface RowHandling {
  /** Rows without identity are the same records as equal ones of other files. */
  areToldByContent: boolean;
  /** A row as its format shows it, at most 1 KiB. */
  shown: (data: JsonObject) => string;
}

/** What a chunk becomes under the fields of one version. */
export interface PreparedChunk {
  chunk: Chunk;
  version: number;
  /** In the order of external ids: two writers never wait for each other's rows in a circle. */
  records: PreparedRow[];
  rejections: Rejection[];
  ready: number;
  failed: number;
}

/** Normalises and identifies the rows of a chunk. Of rows with one external id the last wins. */
export async function prepareChunk(
  scope: TenantScope,
  chunk: Chunk,
  { version, fields }: FieldsOfFile,
  normalise: NormaliseRecords,
  rows: RowHandling,
): Promise<PreparedChunk> {
  const bodies = chunk.rows.map((row) => row.data as JsonObject);
  const results = await normalise(fields, bodies);
  const externalIds = await identify(scope, fields, bodies);
  const byExternalId = new Map<string, PreparedRow>();
  const records: PreparedRow[] = [];
  const tooLong: Rejection[] = [];
  let failed = 0;
  chunk.rows.forEach(({ line, data }, i) => {
    const externalId = externalIds[i] ?? null;
    const text = JSON.stringify(data);
    if (externalId !== null && externalId.length > MAX_EXTERNAL_ID_LENGTH) {
      tooLong.push(identityTooLong(line, rows.shown(data)));
      return;
    }
    const result = results[i];
    if (result === undefined) throw new Error('a row was not normalised');
    if (result.status === 'failed') failed++;
    const row: PreparedRow = {
      id: '',
      externalId,
      content: externalId === null && rows.areToldByContent ? contentOf(text) : null,
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
  if (byExternalId.size > 0) records.sort((a, b) => compareIds(a.externalId, b.externalId));
  return { chunk, version, records, rejections, failed, ready: chunk.rows.length - tooLong.length - failed };
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
  message: `The identity fields give an external id of more than ${MAX_EXTERNAL_ID_LENGTH} characters: choose shorter ones`,
  raw,
});

function compareIds(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}
