import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  name: string;
  content: AsyncIterable<Buffer> | Iterable<Buffer>;
}

/**
 * Packs entries into a ZIP archive, at the pace of its reader: it holds neither an entry nor the archive. Equal entries
 * give equal bytes. A reader that stops, or an entry that fails, ends the reading of entries.
 */
export async function* zipOf(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  modified: Date,
): AsyncGenerator<Buffer, void, void> {
  const archive = new ZipFile();
  const ended = new AbortController();
  const output = archive.outputStream as Readable;
  const adding = addEntries();
  adding.catch((error: unknown) => output.destroy(error as Error));
  try {
    for await (const chunk of output as AsyncIterable<Buffer>) yield chunk;
  } finally {
    ended.abort();
    // A failure has destroyed the output with its error, which the loop above throws.
    await adding.catch(() => undefined);
  }

  /** Adds an entry once the one before it is packed: only then does its content exist. */
  async function addEntries(): Promise<void> {
    for await (const { name, content } of entries) {
      const packed = new PassThrough();
      archive.addReadStream(packed, name, { mtime: modified });
      await pipeline(Readable.from(content, { objectMode: false }), packed, { signal: ended.signal });
    }
    archive.end();
  }
}
