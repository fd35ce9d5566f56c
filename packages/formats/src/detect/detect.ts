import { detectCsv } from '../csv/detect';
import { detectJson } from '../json/json';
import { detectNdjson } from '../json/ndjson';
import { limits } from '../limits';
import { recognisedFormat, recognisedType, withRecognised } from '../recognised';
import { readStart } from '../source';
import { detectStatementFile } from '../statements';
import { encodingNamed, TextReader } from '../text/decoder';
import { detectEncoding, type EncodingReading } from '../text/detect-encoding';
import {
  FileUnreadableError,
  isStatementFormat,
  type Detected,
  type FileSource,
  type ReadOptions,
  type StatementFormat,
} from '../types';
import { detectXlsx } from '../xlsx/read';
import { agreedFormat, checkOptions } from './options';
import { declaredEncoding, isZip } from './signature';
import { textFormat, type TextFormat } from './text-format';

/**
 * Detects a file's format and how its rows are read, from its content; the file name is ignored. Throws
 * `FileUnreadableError` where the file cannot be read.
 */
export async function detectFile(source: FileSource, options: ReadOptions = {}): Promise<Detected> {
  checkOptions(options);
  const sample = await readStart(source, limits.sampleBytes);
  if (sample.length === 0)
    throw new FileUnreadableError('file_empty', 'The file is empty. Upload a file with a header and rows.');
  if (isZip(sample)) {
    return withRecognised(recognisedType('application/zip'), () => {
      agreedFormat(options.format, 'xlsx');
      return detectXlsx(source, options);
    });
  }
  const given = options.encoding === undefined ? undefined : encodingNamed(options.encoding);
  const reading = await detectEncoding(source, sample, given, declaredEncoding(sample));
  const isWhole = sample.length >= source.sizeBytes;
  const text = new TextReader(reading.encoding).push(sample.subarray(reading.markBytes), isWhole);
  const found = textFormat(text, isWhole);
  const format = await withRecognised(recognisedFormat(found), () => agreedFormat(options.format, found));
  return withRecognised(recognisedFormat(format), () =>
    isStatementFormat(format)
      ? detectStatementFile(source, format, reading, options)
      : detectors[format](text, isWhole, reading, options),
  );
}

type TextDetector = (text: string, isWhole: boolean, reading: EncodingReading, options: ReadOptions) => Detected;

const detectors: Record<Exclude<TextFormat, StatementFormat>, TextDetector> = {
  csv: detectCsv,
  tsv: detectCsv,
  json: detectJson,
  ndjson: detectNdjson,
};
