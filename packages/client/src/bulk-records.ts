import { TieoutError } from './error';
import type { components } from './generated/api';
import type { Operations } from './generated/operations';

export interface NewRecord {
  externalId?: string;
  body: Record<string, unknown>;
}

export type RejectedLine = components['schemas']['RejectedLine'];

export interface SendOptions {
  /** Name of the dataset; it is created on first use. */
  dataset?: string | undefined;
  /** Records in one request, at most. Default: 5,000. */
  chunkRows?: number | undefined;
  /** Called after each chunk. */
  onProgress?: ((soFar: { accepted: number; rejected: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface SentRecords {
  accepted: number;
  rejected: number;
  /** The rejected records, by their number in the source, counted from 1; the first 1,000 of each chunk. */
  errors: RejectedLine[];
}

/** A body is at most 32 MiB. */
const maxChunkChars = 8 * 1024 * 1024;

/** A record as a line; one that JSON cannot hold is refused by its number. */
function lineOf(record: NewRecord, line: number): string {
  try {
    return JSON.stringify(record);
  } catch (cause) {
    const message = `Record ${line} cannot be sent as JSON: ${(cause as Error).message}`;
    throw new TieoutError(message, { status: 0, code: 'not_json' }, { cause });
  }
}

async function* chunks(records: Iterable<NewRecord> | AsyncIterable<NewRecord>, chunkRows: number) {
  let lines: string[] = [];
  let chars = 0;
  let read = 0;
  for await (const record of records) {
    read++;
    const line = lineOf(record, read);
    if (lines.length > 0 && (lines.length >= chunkRows || chars + line.length > maxChunkChars)) {
      yield { lines, firstLine: read - lines.length };
      lines = [];
      chars = 0;
    }
    lines.push(line);
    chars += line.length;
  }
  if (lines.length > 0) yield { lines, firstLine: read - lines.length + 1 };
}

/**
 * Sends records in chunks, one after the other, so that of two records with one identity the later one stays. The
 * source is read no faster than the service takes its records. A chunk that could not be sent ends the call with an
 * error; the earlier ones are stored, and sending records with external ids again changes nothing.
 */
export async function bulkRecords(
  client: Pick<Operations, 'createRecords'>,
  records: Iterable<NewRecord> | AsyncIterable<NewRecord>,
  { dataset, chunkRows = 5_000, onProgress, signal }: SendOptions = {},
): Promise<SentRecords> {
  const result: SentRecords = { accepted: 0, rejected: 0, errors: [] };
  for await (const { lines, firstLine } of chunks(records, chunkRows)) {
    const answer = await client.createRecords({
      query: dataset === undefined ? {} : { dataset },
      body: lines.join('\n'),
      ...(signal && { signal }),
    });
    result.accepted += answer.accepted;
    result.rejected += answer.rejected;
    for (const error of answer.errors) result.errors.push({ ...error, line: firstLine + error.line - 1 });
    onProgress?.({ accepted: result.accepted, rejected: result.rejected });
  }
  return result;
}
