import { columnFormats } from '../columns/analyse';
import { headerNames, holdsValues, numberedNames } from '../columns/headers';
import { limits } from '../limits';
import type { EncodingReading } from '../text/detect-encoding';
import { FileUnreadableError, type Detected, type ReadOptions } from '../types';
import { usedColumns } from './columns';
import type { Dialect } from './dialect';
import { declaredDelimiter, findDelimiter, findQuote, newlineOf, sampleRecords } from './sniff';

/** Finds the dialect, the columns and their formats from the beginning of a delimited text, given without mark. */
export function detectCsv(text: string, isWhole: boolean, reading: EncodingReading, options: ReadOptions): Detected {
  const declared = declaredDelimiter(text);
  const body = text.slice(declared?.length ?? 0);
  const dialect = dialectOf(body, isWhole, declared?.delimiter, options);
  const records = sampleRecords(body, dialect, isWhole, limits.sampleRows + 1);
  const first = records[0];
  if (first === undefined) throw noRecord(isWhole);
  if (options.header === undefined && holdsValues(first)) throw noHeader(first, dialect);
  const hasHeader = options.header ?? true;
  const rows = hasHeader ? records.slice(1) : records;
  const headers = hasHeader ? headerNames(first) : numberedNames(Math.max(...records.map(usedColumns)));
  const isTsv = dialect.delimiter === '\t';
  return {
    format: isTsv ? 'tsv' : 'csv',
    mimeType: isTsv ? 'text/tab-separated-values' : 'text/csv',
    encoding: reading.encoding,
    encodingIsExact: reading.isExact,
    ...dialect,
    ...columnFormats(headers, rows, options),
    headers,
    hasHeader,
    sheetNames: null,
    sheet: null,
  };
}

function dialectOf(body: string, isWhole: boolean, declared: string | undefined, options: ReadOptions): Dialect {
  const newline = newlineOf(body);
  const quote = options.quote ?? findQuote(body);
  const given = options.delimiter ?? (options.format === 'tsv' ? '\t' : declared);
  return { delimiter: given ?? findDelimiter(body, quote, newline, isWhole) ?? ',', quote, newline };
}

function noRecord(isWhole: boolean): FileUnreadableError {
  return isWhole
    ? new FileUnreadableError('file_empty', 'The file has no line with anything in it. Upload a file with a header and rows.')
    : new FileUnreadableError('header_too_long', `No line ends within the first ${limits.sampleBytes} bytes of the file. Upload a table with a row on each line.`);
}

function noHeader(cells: readonly string[], { delimiter }: Dialect): FileUnreadableError {
  const shown = cells.join(delimiter).slice(0, 80);
  return new FileUnreadableError('header_missing', `The first line holds values, not names of columns: ${shown}. Put names into the first line, or upload with header=false.`);
}
