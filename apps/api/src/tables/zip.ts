import { pipeline, Readable } from 'node:stream';
import { createDeflateRaw, crc32 } from 'node:zlib';

export interface ZipEntry {
  name: string;
  content: AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** An entry that was written, for the directory at the end of the archive. */
interface WrittenEntry {
  name: Buffer;
  crc: number;
  packedBytes: number;
  bytes: number;
  offset: number;
}

/** Sizes and offsets of an archive without ZIP64 have 32 bits. */
const maxBytes = 0xffff_ffff;
const versionNeeded = 20;
const deflated = 8;
/** Size and checksum follow the content, because a stream does not know them before; names are UTF-8. */
const flags = 0x0808;

/**
 * Packs entries into a ZIP archive, at the pace of its reader: it holds neither an entry nor the archive. Equal entries
 * give equal bytes.
 */
export async function* zipOf(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  modified: Date,
): AsyncGenerator<Buffer, void, void> {
  const written: WrittenEntry[] = [];
  let offset = 0;
  const out = (bytes: Buffer): Buffer => {
    offset += bytes.length;
    if (offset > maxBytes) throw new Error('the archive exceeds 4 GiB');
    return bytes;
  };
  for await (const { name, content } of entries) {
    const entry: WrittenEntry = { name: Buffer.from(name), crc: 0, packedBytes: 0, bytes: 0, offset };
    yield out(localHeader(entry, modified));
    for await (const chunk of packed(content, entry)) yield out(chunk);
    if (entry.bytes > maxBytes) throw new Error(`${name} exceeds 4 GiB`);
    yield out(descriptor(entry));
    written.push(entry);
  }
  const directory = written.map((entry) => directoryHeader(entry, modified));
  const end = endOfDirectory(written.length, Buffer.concat(directory).length, offset);
  for (const bytes of [...directory, end]) yield out(bytes);
}

async function* packed(content: ZipEntry['content'], entry: WrittenEntry): AsyncGenerator<Buffer, void, void> {
  const counted = async function* (): AsyncGenerator<Buffer, void, void> {
    for await (const chunk of content) {
      entry.crc = crc32(chunk, entry.crc);
      entry.bytes += chunk.length;
      yield chunk;
    }
  };
  const deflate = createDeflateRaw();
  // A failure of the content also fails the reading below.
  pipeline(Readable.from(counted(), { objectMode: false }), deflate, () => undefined);
  for await (const chunk of deflate as AsyncIterable<Buffer>) {
    entry.packedBytes += chunk.length;
    yield chunk;
  }
}

/** MS-DOS time: steps of two seconds since 1980. */
function dosTime(at: Date): { time: number; day: number } {
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    day: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  };
}

/** Writes numbers of two or four bytes, one after the other. */
function bytesOf(...fields: readonly (readonly [size: 2 | 4, value: number])[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of fields) at = bytes.writeUIntLE(value, at, size);
  return bytes;
}

function localHeader({ name }: WrittenEntry, modified: Date): Buffer {
  const { time, day } = dosTime(modified);
  const header = bytesOf([4, 0x04034b50], [2, versionNeeded], [2, flags], [2, deflated], [2, time], [2, day]);
  return Buffer.concat([header, bytesOf([4, 0], [4, 0], [4, 0], [2, name.length], [2, 0]), name]);
}

const descriptor = ({ crc, packedBytes, bytes }: WrittenEntry): Buffer =>
  bytesOf([4, 0x08074b50], [4, crc], [4, packedBytes], [4, bytes]);

function directoryHeader({ name, crc, packedBytes, bytes, offset }: WrittenEntry, modified: Date): Buffer {
  const { time, day } = dosTime(modified);
  return Buffer.concat([
    bytesOf([4, 0x02014b50], [2, versionNeeded], [2, versionNeeded], [2, flags], [2, deflated], [2, time], [2, day]),
    bytesOf([4, crc], [4, packedBytes], [4, bytes], [2, name.length], [2, 0], [2, 0], [2, 0], [2, 0], [4, 0]),
    bytesOf([4, offset]),
    name,
  ]);
}

const endOfDirectory = (entries: number, size: number, offset: number): Buffer =>
  bytesOf([4, 0x06054b50], [2, 0], [2, 0], [2, entries], [2, entries], [4, size], [4, offset], [2, 0]);
