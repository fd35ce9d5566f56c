import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';
import { limits } from '../limits';
import { FileUnreadableError, type FileSource } from '../types';

/** The parts of a ZIP archive by name. A part is unpacked when it is opened. */
export interface ZipParts {
  names: readonly string[];
  has(name: string): boolean;
  /** The unpacked size of a part, which its bytes may not exceed. */
  sizeOf(name: string): number;
  /** Opens the unpacked bytes of a part. Throws `FileUnreadableError` for a part that exceeds the limits. */
  open(name: string): AsyncIterable<Buffer>;
  close(): void;
}

/** A failure of the storage, not of the archive. */
class StorageFailure extends Error {}

const windowBytes = 256 * 1024;

/** Gives yauzl ranges of a file. The small reads of the directory share one range. */
class SourceReader extends RandomAccessReader {
  private window: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };

  constructor(private readonly source: FileSource) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.range(start, end), { objectMode: false });
  }

  override read(...[buffer, offset, length, position, callback]: Parameters<RandomAccessReader['read']>): void {
    this.copy(buffer, offset, length, position).then(() => callback(null), callback);
  }

  private async copy(buffer: Buffer, offset: number, length: number, position: number): Promise<void> {
    const { start, bytes } = this.window;
    if (position < start || position + length > start + bytes.length) await this.moveWindow(position, length);
    const from = position - this.window.start;
    if (this.window.bytes.length < from + length) throw new Error('the archive ends too early');
    this.window.bytes.copy(buffer, offset, from, from + length);
  }

  /** The directory lies at the end of the file and is read forwards. */
  private async moveWindow(position: number, length: number): Promise<void> {
    const end = Math.min(this.source.sizeBytes, position + Math.max(length, windowBytes));
    const start = Math.max(0, Math.min(position, end - windowBytes));
    const pieces: Buffer[] = [];
    for await (const piece of this.range(start, end)) pieces.push(piece);
    this.window = { start, bytes: Buffer.concat(pieces) };
  }

  private async *range(start: number, end: number): AsyncGenerator<Buffer> {
    try {
      yield* (await this.source.open(start, end)) as AsyncIterable<Buffer>;
    } catch (error) {
      throw new StorageFailure('The storage did not give the file', { cause: error });
    }
  }
}

export async function openZip(source: FileSource): Promise<ZipParts> {
  const entries = new Map<string, Entry>();
  const zip = await fromRandomAccessReaderPromise(new SourceReader(source), source.sizeBytes, {
    autoClose: false,
  }).catch(rethrow);
  try {
    if (zip.entryCount > limits.zipEntries)
      throw new FileUnreadableError(
        'file_too_large',
        `The archive has ${zip.entryCount} parts; a workbook has at most ${limits.zipEntries}.`,
      );
    for await (const entry of zip.eachEntry()) if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
  } catch (error) {
    zip.close();
    return rethrow(error);
  }
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    sizeOf: (name) => entries.get(name)?.uncompressedSize ?? 0,
    open: (name) => openEntry(zip, entries.get(name), name),
    close: () => zip.close(),
  };
}

async function* openEntry(zip: ZipFile, entry: Entry | undefined, name: string): AsyncGenerator<Buffer> {
  if (entry === undefined)
    throw new FileUnreadableError(
      'file_damaged',
      `The workbook has no part ${name}. Save it again in a spreadsheet program.`,
    );
  if (entry.isEncrypted())
    throw new FileUnreadableError(
      'password_protected',
      'The archive is protected by a password. Remove it and use the file again.',
    );
  checkSize(entry);
  let sum = 0;
  try {
    for await (const bytes of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      sum = crc32(bytes, sum);
      yield bytes;
    }
  } catch (error) {
    rethrow(error);
  }
  // Some writers leave the checksum out.
  if (entry.crc32 !== 0 && sum !== entry.crc32)
    rethrow(new Error(`the checksum of ${name.slice(0, 100)} is not that of its content`));
}

/** yauzl stops a part that unpacks to more than the directory says, so the stated size can be trusted here. */
function checkSize({ fileName, compressedSize, uncompressedSize }: Entry): void {
  const maxBytes = Math.min(
    limits.unpackedBytes,
    Math.max(limits.unpackedFreeBytes, compressedSize * limits.unpackedRatio),
  );
  if (uncompressedSize > maxBytes) {
    throw new FileUnreadableError(
      'file_too_large',
      `${fileName} would unpack from ${compressedSize} to ${uncompressedSize} bytes, more than a table ` +
        'does. Use it as CSV and unpacked.',
    );
  }
}

function rethrow(error: unknown): never {
  if (error instanceof FileUnreadableError) throw error;
  if (error instanceof StorageFailure) throw error.cause;
  const reason = error instanceof Error ? error.message : String(error);
  throw new FileUnreadableError(
    'file_damaged',
    `The workbook or archive is damaged (${reason}). Save it again, and use it whole.`,
    { cause: error },
  );
}
