import {
  detectFile,
  FileUnreadableError,
  reasonOf,
  readRows,
  type Detected,
  type FileSource,
  type Position,
  type RowBatch,
} from '@tieout/formats';
import type { PoolClient } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { recordQuotaError } from '../../access/quotas';
import { loadFieldsSeen, withNotation, type NormaliseRecords } from '../records';
import { prepareChunk, type FileChunk, type FieldsOfFile, type PreparedChunk } from './chunk';
import { claimFile, enqueueFile, type OpenFile } from './claim';
import { deriveFields } from './columns';
import { readOptions, shownRow } from './file';
import { failFile, finishDuplicate, finishFile, type FileFailure } from './finish';
import { datasetWarnings, findReading } from './reading';
import { RowKeys } from './row-keys';
import { openStage, writeChunk, type WriteOutcome } from './write-chunk';

/** Max rows and batches of one transaction; the bytes of a batch are bounded. */
const maxChunkRows = 2_000;
const maxChunkBatches = 16;
const defaultSliceMs = 15_000;

export interface IngestOptions {
  normalise: NormaliseRecords;
  /** Returns whether another tenant waits for the slot of this file. */
  othersWait: () => Promise<boolean>;
  /** Time after which, and after at least one chunk, a file yields to others and is enqueued behind them. */
  sliceMs?: number;
}

/**
 * Reads a file into its dataset, from the position that an earlier run reached. One transaction stores the normalised
 * rows of a chunk and the position after them, while the next chunk is read and normalised. It may be repeated, killed
 * at any point and run twice at a time: every row is stored once.
 */
export async function ingestFile(scope: TenantScope, fileId: string, options: IngestOptions): Promise<void> {
  const file = await claimFile(scope, fileId);
  if (!file) return;
  const source: FileSource = {
    sizeBytes: file.sizeBytes,
    open: (start, end) => scope.storage.open(file.filePath, start, end),
  };
  try {
    const detected = file.detected ?? (await detect(scope, file, source));
    if (file.nextLine === 0) {
      if (file.options.fromColumns) await deriveFields(scope, file.datasetId, source, detected);
      const original = await findReading(scope, file.id);
      if (original !== undefined) return await finishDuplicate(scope, file.id, original);
    }
    const run = new FileRun(scope, { ...file, detected }, options);
    await scope.db.session((client) => run.readAll(client, source));
  } catch (error) {
    const failure = failureOf(error, file);
    if (!failure) throw error;
    await failFile(scope, file, failure);
  }
}

/** Returns why a file has failed, unless it is worth another attempt. */
function failureOf(error: unknown, { originalName }: OpenFile): FileFailure | undefined {
  if (error instanceof FileUnreadableError)
    return { code: error.code, message: reasonOf(error, originalName), recognised: error.recognised };
  const refusal = recordQuotaError(error);
  return (
    refusal && { code: refusal.code, message: `${refusal.message}. Then upload the file again: no row of it stays` }
  );
}

async function detect(scope: TenantScope, file: OpenFile, source: FileSource): Promise<Detected> {
  const read = await detectFile(source, readOptions(file.options));
  const identifies = read.identifies === true && file.options.identity !== 'none';
  const detected = {
    ...read,
    ...(read.identifies === undefined ? {} : { identifies }),
    warnings: [...(read.warnings ?? []), ...(await datasetWarnings(scope, file.id, identifies))],
  };
  await scope.db.execute(
    `update data_source_files set detected = $3::jsonb, updated_at = now()
      where tenant_id = $1::uuid and id = $2::uuid`,
    [scope.tenantId, file.id, JSON.stringify(detected)],
  );
  return detected;
}

class FileRun {
  private fields: FieldsOfFile | undefined;
  /** Time of the first chunk of this run. A format that cannot resume reads up to that chunk again in every run. */
  private sliceStartedMs: number | undefined;
  private readonly keys = new RowKeys();

  constructor(
    private readonly scope: TenantScope,
    private readonly file: OpenFile & { detected: Detected },
    private readonly options: IngestOptions,
  ) {}

  async readAll(client: PoolClient, source: FileSource): Promise<void> {
    const { detected, nextLine, nextOffset } = this.file;
    await openStage(client);
    const begun = nextLine > 0;
    const from: Position = { line: nextLine, offset: nextOffset };
    let writing: Promise<WriteOutcome> = Promise.resolve('written');
    try {
      for await (const chunk of chunksOf(readRows(source, detected, begun ? from : undefined), from)) {
        const prepared = await this.prepare(chunk);
        if ((await writing) !== 'written') return;
        if (await this.yieldsToOthers(chunk.from)) return;
        writing = this.write(client, prepared);
        // A failure is thrown where the promise is awaited next; until then it counts as handled.
        writing.catch(() => undefined);
      }
    } finally {
      // The write uses the connection until it settles.
      await Promise.allSettled([writing]);
    }
    if ((await writing) === 'written') await finishFile(this.scope, this.file);
  }

  private async write(client: PoolClient, prepared: PreparedChunk): Promise<WriteOutcome> {
    const target = { tenantId: this.scope.tenantId, fileId: this.file.id, datasetId: this.file.datasetId };
    let outcome = await writeChunk(client, target, prepared, this.keys);
    while (outcome === 'stale') {
      this.fields = undefined;
      outcome = await writeChunk(client, target, await this.prepare(prepared.chunk), this.keys);
    }
    return outcome;
  }

  private async prepare(chunk: FileChunk): Promise<PreparedChunk> {
    this.fields ??= await this.loadFields();
    return prepareChunk(this.scope, chunk, this.fields, {
      normalise: this.options.normalise,
      isIdentifiedByContent: this.file.options.equalRows === 'same',
      isIdentifiedByFormat: this.file.detected.identifies === true,
      shown: (data) => shownRow(data, this.file.detected),
    });
  }

  private async loadFields(): Promise<FieldsOfFile> {
    const { datasetId, detected } = this.file;
    const { version, fields } = await loadFieldsSeen(this.scope, { id: datasetId });
    return { version, fields: withNotation(fields, detected) };
  }

  private async yieldsToOthers(next: Position): Promise<boolean> {
    if (this.sliceStartedMs === undefined) {
      this.sliceStartedMs = Date.now();
      return false;
    }
    if (
      Date.now() - this.sliceStartedMs < (this.options.sliceMs ?? defaultSliceMs) ||
      !(await this.options.othersWait())
    )
      return false;
    await enqueueFile(this.scope, { id: this.file.id, nextLine: next.line });
    return true;
  }
}

/** Combines batches into chunks that are worth a transaction. */
async function* chunksOf(batches: AsyncIterable<RowBatch>, start: Position): AsyncGenerator<FileChunk, void, void> {
  let chunk: FileChunk = { from: start, next: start, rows: [], rejected: [], warnings: [] };
  let batchCount = 0;
  for await (const batch of batches) {
    for (const row of batch.rows) chunk.rows.push(row);
    for (const row of batch.rejected) chunk.rejected.push(row);
    chunk.warnings.push(...(batch.warnings ?? []));
    chunk.next = batch.next;
    if (chunk.rows.length + chunk.rejected.length < maxChunkRows && ++batchCount < maxChunkBatches) continue;
    yield chunk;
    chunk = { from: chunk.next, next: chunk.next, rows: [], rejected: [], warnings: [] };
    batchCount = 0;
  }
  if (chunk.rows.length + chunk.rejected.length > 0) yield chunk;
}
