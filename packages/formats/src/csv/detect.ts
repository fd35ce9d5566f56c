import { columnFormats } from '../columns/analyse';
import { describeTable, evidenceOf, givenHeader, uncertainReading, type Candidate } from '../columns/description';
import { knownNames } from '../columns/header-evidence';
import { totalsAmong, totalsWarning, withoutFooter } from '../columns/footer';
import { findTable, usedColumns } from '../columns/table';
import { limits } from '../limits';
import { mimeTypes } from '../recognised';
import type { EncodingReading } from '../text/detect-encoding';
import { plainCell } from '../text/plain-cell';
import { FileUnreadableError, type Detected, type ReadOptions } from '../types';
import { refuseOtherText, refuseProse } from './other-text';
import {
  declaredDelimiter,
  findQuote,
  newlineOf,
  noDelimiter,
  remarkSign,
  sampleRecords,
  tableCandidates,
  withoutRemarks,
  type SampleText,
} from './sniff';

/**
 * Detects the dialect, the columns and their formats from the beginning of a delimited text without byte order mark:
 * the reading by which the sample is most consistent.
 */
export function detectCsv(text: string, isWhole: boolean, reading: EncodingReading, options: ReadOptions): Detected {
  const declared = declaredDelimiter(text);
  const body = text.slice(declared?.length ?? 0);
  const sample: SampleText = {
    text: body,
    quote: options.quote ?? findQuote(body),
    newline: newlineOf(body),
    isWhole,
    line: declared === null ? 1 : 2,
    comment: options.comment,
    headerRow: options.headerRow,
    skipLines: options.skipLines ?? 0,
  };
  const given = options.delimiter ?? (options.format === 'tsv' ? '\t' : declared?.delimiter);
  if (given === undefined) refuseOtherText(body);
  const candidates = tableCandidates(sample, given, (records) => givenHeader(records, options));
  const [best, ...others] = candidates as [Candidate, ...Candidate[]];
  const { comment, records, isCut } = firstRecords(sample, best, isWhole);
  const rows = records.map(({ cells }) => cells);
  const table = describeTable(records, findTable(rows, givenHeader(records, options)), options);
  // A row with values beyond the header is rejected, so that it proves nothing.
  const readable = table.data.filter(({ cells }) => usedColumns(cells) <= table.headers.length);
  const data = readable.map(({ cells }) => cells);
  const formats = columnFormats(table.headers, isCut ? data : withoutFooter(data), options);
  if (given === undefined) refuseProse(body, best, { rows, types: Object.values(formats.types), options });
  const isNamed = table.reading.headerLine !== null && knownNames(table.headers) > 0;
  const isBare = best.delimiter === null && !isNamed && Object.values(formats.types).every((type) => type === 'string');
  const evidence = evidenceOf(
    [{ ...best, isDoubtful: isBare || best.isDoubtful === true }, ...others],
    records,
    options,
  );
  const isTsv = best.delimiter === '\t';
  return {
    format: isTsv ? 'tsv' : 'csv',
    mimeType: isTsv ? mimeTypes.tsv : mimeTypes.csv,
    encoding: reading.encoding,
    encodingIsExact: reading.isExact,
    delimiter: best.delimiter,
    quote: sample.quote,
    newline: sample.newline,
    ...table.reading,
    ...formats,
    ...(comment === '' ? {} : { comment }),
    ...(sample.skipLines === 0 ? {} : { skipLines: sample.skipLines }),
    ...(options.footer === undefined ? {} : { footer: options.footer }),
    evidence,
    warnings: [
      ...uncertainReading(evidence, best.delimiter, table.reading.headerLine),
      ...table.warnings,
      ...formats.warnings,
      ...totalsWarning(totalsAmong(readable)),
    ],
    sheetNames: null,
    sheet: null,
  };
}

/** Parses the sample in the chosen dialect, without remarks. */
function firstRecords(sample: SampleText, { delimiter }: Candidate, isWhole: boolean) {
  const dialect = { ...sample, comment: sample.comment ?? '', delimiter: delimiter ?? noDelimiter };
  const asWritten = sampleRecords(sample.text, dialect, { line: sample.line, isWhole, max: limits.sampleRows + 1 });
  const parsed = asWritten.map(({ line, cells }) => ({ line, cells: cells.map(plainCell) }));
  if (parsed.length === 0) throw noRecord(isWhole);
  const records = sample.comment === undefined ? withoutRemarks(parsed, sample.headerRow) : parsed;
  const comment = sample.comment ?? (records.length < parsed.length ? remarkSign : '');
  return { comment, records, isCut: !isWhole || parsed.length > limits.sampleRows };
}

function noRecord(isWhole: boolean): FileUnreadableError {
  return isWhole
    ? new FileUnreadableError(
        'file_empty',
        'The file has no line with anything in it. Upload a file with a header and rows.',
      )
    : new FileUnreadableError(
        'header_too_long',
        `No line ends within the first ${limits.sampleBytes} bytes of the file. Upload a table with a row on ` +
          'each line.',
      );
}
