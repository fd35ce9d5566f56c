import { archivedSource, findArchived, type ArchivedFile } from '../archive/archive';
import { detectCsv } from '../csv/detect';
import { withValuesBeside } from '../json/beside';
import { detectJson } from '../json/json';
import { detectNdjson } from '../json/ndjson';
import { limits } from '../limits';
import { recognisedFormat, recognisedType, withRecognised } from '../recognised';
import { readStart } from '../source';
import { detectStatementFile } from '../statements';
import { encodingNamed, TextReader } from '../text/decoder';
import { detectEncoding, guessedEncoding, type EncodingReading } from '../text/detect-encoding';
import {
  FileUnreadableError,
  isStatementFormat,
  type Detected,
  type FileSource,
  type GivenOptions,
  type StatementFormat,
} from '../types';
import { detectXlsx } from '../xlsx/read';
import { agreedFormat, checkOptions, refuseForeignOptions } from './options';
import { declaredEncoding, isZip } from './signature';
import { textFormat, type TextFormat } from './text-format';

/**
 * Detects a file's format and how its rows are read, from its content; the file name is ignored. Throws
 * `FileUnreadableError` where the file cannot be read.
 */
export async function detectFile(source: FileSource, options: GivenOptions = {}): Promise<Detected> {
  checkOptions(options);
  return detectContent(source, options, false);
}

/** `isArchived` is true for a file from an archive: one level is opened. */
async function detectContent(source: FileSource, options: GivenOptions, isArchived: boolean): Promise<Detected> {
  const sample = await readStart(source, limits.sampleBytes);
  if (sample.length === 0)
    throw new FileUnreadableError('file_empty', 'The file is empty. Use a file with a header and rows.');
  if (isZip(sample)) {
    const archived = await withRecognised(recognisedType('application/zip'), () => findArchived(source));
    if (archived !== null) return detectArchived(source, archived, { options, isArchived });
    return withRecognised(recognisedType('application/zip'), () => {
      agreedFormat(options.format, 'xlsx');
      refuseForeignOptions('xlsx', options);
      return detectXlsx(source, options);
    });
  }
  const given = options.encoding === undefined ? undefined : encodingNamed(options.encoding);
  const reading = await detectEncoding(source, sample, given, declaredEncoding(sample));
  const isWhole = sample.length >= source.sizeBytes;
  const text = new TextReader(reading.encoding).push(sample.subarray(reading.markBytes), isWhole);
  const shown = textFormat(text, isWhole, options.format);
  const format = await withRecognised(recognisedFormat(shown), () => agreedFormat(options.format, shown));
  const detected = await withRecognised(recognisedFormat(format), () => {
    refuseForeignOptions(format, options);
    return isStatementFormat(format)
      ? detectStatementFile(source, format, reading, options)
      : detectors[format](text, isWhole, reading, options);
  });
  const isLongObject = format === 'json' && !isWhole && options.path === undefined;
  const found = isLongObject ? await withValuesBeside(source, detected, text) : detected;
  const guessed = guessedEncoding(reading);
  return {
    ...found,
    ...(options.isLocal ? { isLocal: true } : {}),
    ...(guessed.length === 0 ? {} : { warnings: [...guessed, ...(found.warnings ?? [])] }),
  };
}

async function detectArchived(
  source: FileSource,
  { name, warnings }: ArchivedFile,
  { options, isArchived }: { options: GivenOptions; isArchived: boolean },
): Promise<Detected> {
  if (isArchived)
    throw new FileUnreadableError(
      'format_unsupported',
      `The archive holds an archive with ${name}. Unpack both and use the file.`,
      { recognised: recognisedType('application/zip') },
    );
  const detected = await detectContent(await archivedSource(source, name), options, true);
  return { ...detected, archived: name, warnings: [...(detected.warnings ?? []), ...warnings] };
}

type TextDetector = (text: string, isWhole: boolean, reading: EncodingReading, options: GivenOptions) => Detected;

const detectors: Record<Exclude<TextFormat, StatementFormat>, TextDetector> = {
  csv: detectCsv,
  tsv: detectCsv,
  json: detectJson,
  ndjson: detectNdjson,
};
