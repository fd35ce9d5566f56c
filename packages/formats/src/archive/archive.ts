import path from 'node:path';
import { Readable } from 'node:stream';
import { isZip } from '../detect/signature';
import { limits } from '../limits';
import { recognisedType } from '../recognised';
import { FileUnreadableError, type FileSource, type ReadingWarning } from '../types';
import { openZip, type ZipParts } from '../xlsx/zip';

/** Parts by which an archive is an office document, which is read or refused as such. */
const officeParts = /^(?:\[Content_Types\]\.xml|mimetype|content\.xml|META-INF\/|Index\/|_rels\/|xl\/|word\/|ppt\/)/;
/** Folders and files that systems add to archives. */
const systemFiles = /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i;
const maxFiles = 20;
const headBytes = 2_048;

export interface ArchivedFile {
  name: string;
  warnings: ReadingWarning[];
}

/** Finds the one file of an archive that may hold rows; null for an office document. */
export async function findArchived(source: FileSource): Promise<ArchivedFile | null> {
  const zip = await openZip(source);
  try {
    if (zip.names.some((name) => officeParts.test(name))) return null;
    const names = zip.names.filter((name) => !name.endsWith('/') && !systemFiles.test(name));
    const readable = names.length > maxFiles ? names : await readableNames(zip, names);
    if (readable.length !== 1) throw notOne(names, readable);
    return { name: readable[0] as string, warnings: skipped(names.filter((name) => name !== readable[0])) };
  } finally {
    zip.close();
  }
}

/** Leaves out pictures, documents and the like, unless the archive has nothing else. */
async function readableNames(zip: ZipParts, names: readonly string[]): Promise<readonly string[]> {
  if (names.length < 2) return names;
  const readable: string[] = [];
  for (const name of names) if (await mayHoldRows(zip, name)) readable.push(name);
  return readable;
}

async function mayHoldRows(zip: ZipParts, name: string): Promise<boolean> {
  try {
    isZip(await firstBytes(zip.open(name)));
    return true;
  } catch (error) {
    // A damaged or protected file is one that may hold rows, and is refused when it is read.
    if (error instanceof FileUnreadableError) return error.code !== 'format_unsupported';
    throw error;
  }
}

async function firstBytes(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    length += piece.length;
    if (length >= headBytes) break;
  }
  return Buffer.concat(pieces);
}

function notOne(names: readonly string[], readable: readonly string[]): FileUnreadableError {
  const shown = (readable.length > 0 ? readable : names)
    .slice(0, maxFiles)
    .map((name) => path.posix.basename(name))
    .join(', ')
    .slice(0, 1_000);
  const recognised = recognisedType('application/zip');
  if (names.length === 0)
    return new FileUnreadableError('file_empty', 'The archive is empty. Use a file with rows.', { recognised });
  const message =
    readable.length === 0
      ? `No file of the archive is a table or a statement: ${shown}. Export the rows as CSV or XLSX and use that.`
      : `The archive has ${readable.length} files: ${shown}. Unpack it and use them one by one.`;
  return new FileUnreadableError('format_unsupported', message, { recognised });
}

function skipped(names: readonly string[]): ReadingWarning[] {
  if (names.length === 0) return [];
  const shown = names
    .map((name) => path.posix.basename(name))
    .join(', ')
    .slice(0, 200);
  const message = `Of the archive, these files are no tables or statements and are not read: ${shown}`;
  return [{ code: 'archive_files_skipped', column: null, message }];
}

/** Returns a file of an archive as a source. Reading from its middle unpacks what precedes. */
export async function archivedSource(source: FileSource, name: string): Promise<FileSource> {
  const zip = await openZip(source);
  const sizeBytes = zip.sizeOf(name);
  zip.close();
  if (sizeBytes > limits.archivedBytes)
    throw new FileUnreadableError(
      'file_too_large',
      `The file in the archive has more than ${limits.archivedBytes >> 20} MiB. Split it, and use its parts.`,
      { recognised: recognisedType('application/zip') },
    );
  return {
    sizeBytes,
    open: (start = 0, end = sizeBytes) =>
      Promise.resolve(Readable.from(range(source, name, { start, end }), { objectMode: false })),
  };
}

async function* range(
  source: FileSource,
  name: string,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer> {
  if (start >= end) return;
  const zip = await openZip(source);
  try {
    let at = 0;
    for await (const bytes of zip.open(name)) {
      const piece = bytes.subarray(Math.max(0, start - at), Math.max(0, end - at));
      at += bytes.length;
      if (piece.length > 0) yield piece;
      // The end of the file is read to its checksum.
      if (at >= end && end < zip.sizeOf(name)) return;
    }
  } finally {
    zip.close();
  }
}
