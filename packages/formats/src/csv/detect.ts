import { columnFormats } from '../columns/analyse';
import { totalsWarning, withoutFooter } from '../columns/footer';
import { headerNames, numberedNames } from '../columns/headers';
import { findHeader, titlesWarning, usedColumns } from '../columns/table';
import { limits } from '../limits';
import { mimeTypes } from '../recognised';
import type { EncodingReading } from '../text/detect-encoding';
import { FileUnreadableError, type Detected, type ReadOptions } from '../types';
import type { Dialect } from './dialect';
import { declaredDelimiter, findDelimiter, findQuote, isApart, newlineOf, sampleRecords } from './sniff';

/**
 * Detects the dialect, the columns and their formats from the beginning of a delimited text without byte order mark.
 */
export function detectCsv(text: string, isWhole: boolean, reading: EncodingReading, options: ReadOptions): Detected {
  const declared = declaredDelimiter(text);
  const body = text.slice(declared?.length ?? 0);
  const dialect = dialectOf(body, isWhole, declared?.delimiter, options);
  const records = sampleRecords(body, dialect, {
    line: declared === null ? 1 : 2,
    isWhole,
    max: limits.sampleRows + 1,
  });
  if (records.length === 0) throw noRecord(isWhole);
  const rows = records.map(({ cells }) => cells);
  const header = findHeader(rows, options.header, (row) => isApart(records, row));
  const headers = header === null ? numberedNames(Math.max(...rows.map(usedColumns))) : headerNames(rows[header] ?? []);
  const headerLine = header === null ? null : (records[header]?.line ?? null);
  const table = records.slice((header ?? -1) + 1);
  const data = table.map(({ cells }) => cells);
  const endsHere = isWhole && records.length <= limits.sampleRows;
  const formats = columnFormats(headers, endsHere ? withoutFooter(data) : data, options);
  const isTsv = dialect.delimiter === '\t';
  return {
    format: isTsv ? 'tsv' : 'csv',
    mimeType: isTsv ? mimeTypes.tsv : mimeTypes.csv,
    encoding: reading.encoding,
    encodingIsExact: reading.isExact,
    ...dialect,
    ...formats,
    warnings: [
      ...titlesWarning(headerLine, records[0]?.line),
      ...formats.warnings,
      ...(endsHere ? totalsWarning(table) : []),
    ],
    headers,
    headerLine,
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
