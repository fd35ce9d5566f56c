import { Readable } from 'node:stream';
import { archivedSource, findArchived } from '../archive/archive';
import { limits } from '../limits';
import { readStart } from '../source';
import { encodingNamed, TextReader } from '../text/decoder';
import { detectEncoding } from '../text/detect-encoding';
import { FileUnreadableError, type FileFormat, type FileSource, type ReadOptions } from '../types';
import { agreedFormat, foreignOption, type OptionFault } from './options';
import { declaredEncoding, isZip } from './signature';
import { textFormat } from './text-format';

/**
 * Finds an option that says nothing about a file of this format, by the first bytes of the file. Null for a file whose
 * format they do not show: reading it tells why.
 */
export async function findForeignOption(source: FileSource, options: ReadOptions): Promise<OptionFault | null> {
  if (options.sheet === undefined && options.path === undefined) return null;
  try {
    const format = await formatOf(source, options, true);
    return format === null ? null : foreignOption(format, options);
  } catch (error) {
    if (error instanceof FileUnreadableError) return null;
    throw error;
  }
}

async function formatOf(source: FileSource, options: ReadOptions, mayUnpack: boolean): Promise<FileFormat | null> {
  const sample = await readStart(source, limits.sampleBytes);
  if (sample.length === 0) return null;
  if (isZip(sample)) {
    const archived = await findArchived(source);
    if (archived === null) return agreedFormat(options.format, 'xlsx');
    return mayUnpack ? formatOf(await archivedSource(source, archived.name), options, false) : null;
  }
  const given = options.encoding === undefined ? undefined : encodingNamed(options.encoding);
  const start: FileSource = {
    sizeBytes: sample.length,
    open: () => Promise.resolve(Readable.from([sample], { objectMode: false })),
  };
  const { encoding, markBytes } = await detectEncoding(start, sample, given, declaredEncoding(sample));
  const isWhole = sample.length >= source.sizeBytes;
  const text = new TextReader(encoding).push(sample.subarray(markBytes), isWhole);
  return agreedFormat(options.format, textFormat(text, isWhole, options.format));
}
