import { detectCsv } from '../csv/detect';
import { limits } from '../limits';
import { readStart } from '../source';
import { encodingNamed, supportedEncodings, TextReader, type TextEncoding } from '../text/decoder';
import { detectEncoding } from '../text/detect-encoding';
import { FileUnreadableError, type Detected, type FileSource, type ReadOptions } from '../types';
import { detectXlsx } from '../xlsx/read';
import { contentOf } from './signature';

/**
 * Finds out what a file is and how its rows are read, from its content; the name of a file says nothing. Throws
 * `FileUnreadableError` where that cannot be.
 */
export async function detectFile(source: FileSource, options: ReadOptions): Promise<Detected> {
  const encoding = givenEncoding(options);
  const sample = await readStart(source, limits.sampleBytes);
  if (sample.length === 0) throw new FileUnreadableError('file_empty', 'The file is empty. Upload a file with a header and rows.');
  const reading = await detectEncoding(source, sample, encoding);
  const isWhole = sample.length >= source.sizeBytes;
  const text = new TextReader(reading.encoding).push(sample.subarray(reading.markBytes), isWhole);
  const content = contentOf(sample, text);
  if (content === 'zip') return detectXlsx(source, options);
  if (content !== 'text') throw new FileUnreadableError('format_unsupported', `The content is ${content}, which is not read.`);
  return detectCsv(text, isWhole, reading, options);
}

function givenEncoding({ encoding }: ReadOptions): TextEncoding | undefined {
  if (encoding === undefined) return undefined;
  const named = encodingNamed(encoding);
  if (named === undefined) throw new FileUnreadableError('option_invalid', `encoding: "${encoding}" is not known. Use one of ${supportedEncodings.join(', ')}.`);
  return named;
}
