import { columnFormats } from '../columns/analyse';
import { describeTable, evidenceOf, givenHeader, uncertainReading, type Candidate } from '../columns/description';
import { knownNames } from '../columns/header-evidence';
import { totalsAmong, totalsWarning, withoutFooter } from '../columns/footer';
import { headerNames } from '../columns/headers';
import { findTable, usedColumns, type TableReading } from '../columns/table';
import { limits } from '../limits';
import { mimeTypes } from '../recognised';
import type { EncodingReading } from '../text/detect-encoding';
import { plainCell } from '../text/plain-cell';
import { FileUnreadableError, type Detected, type ReadingWarning, type GivenOptions } from '../types';
import {
  cutWarning,
  findCents,
  findCutAmounts,
  findThousands,
  joinAmounts,
  joinedWarning,
  type CutAmounts,
} from './cut-amounts';
import type { SampleRecord } from './dialect';
import { refuseOtherText, refuseProse } from './other-text';
import { remarkSign, remarkWarnings, splitRemarks } from './remarks';
import {
  declaredDelimiter,
  findQuote,
  newlineOf,
  noDelimiter,
  sampleRecords,
  tableCandidates,
  type SampleText,
} from './delimiter';

/**
 * Detects the dialect, the columns and their formats from the beginning of a delimited text without byte order mark:
 * the reading by which the sample is most consistent.
 */
export function detectCsv(text: string, isWhole: boolean, reading: EncodingReading, options: GivenOptions): Detected {
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
  const delimiter = options.delimiter ?? (options.format === 'tsv' ? '\t' : declared?.delimiter);
  if (delimiter === undefined) refuseOtherText(body, options);
  const candidates = tableCandidates(sample, delimiter, (records) => givenHeader(records, options));
  const [best, ...others] = candidates as [Candidate, ...Candidate[]];
  const { records: written, remarks, isCut, ...marks } = firstRecords(sample, best, isWhole);
  const given = givenHeader(written, options);
  const cellsOf = (all: readonly SampleRecord[]): string[][] => all.map(({ cells }) => cells);
  const found = findTable(cellsOf(written), given);
  const amounts = withWholeAmounts(written, best, found);
  const { records } = amounts;
  const rows = cellsOf(records);
  const isExact = amounts.isExact || options.headerRow !== undefined;
  const table = describeTable(records, amounts.cut === null ? found : findTable(rows, given), options, isExact);
  // A row with values beyond the header is rejected, so that it proves nothing.
  const readable = table.data.filter(({ cells }) => usedColumns(cells) <= table.headers.length);
  const data = readable.map(({ cells }) => cells);
  const formats = columnFormats(table.headers, isCut ? data : withoutFooter(data), options);
  const isName = (name: string): boolean => table.headers.length > 1 || !/\d/.test(name);
  const isNamed = table.reading.headerLine !== null && knownNames(table.headers.filter(isName)) > 0;
  const types = Object.values(formats.types);
  if (delimiter === undefined) refuseProse(body, best, { rows, types, isNamed, options });
  const isBare = best.delimiter === null && !isNamed && types.every((type) => type === 'string');
  const evidence = evidenceOf(
    [{ ...best, isDoubtful: isBare || best.isDoubtful === true || amounts.isDoubtful }, ...others],
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
    ...marks,
    ...(amounts.cut === null ? {} : { cutAmounts: amounts.cut }),
    ...(sample.skipLines === 0 ? {} : { skipLines: sample.skipLines }),
    ...(options.footer === undefined ? {} : { footer: options.footer }),
    evidence,
    warnings: [
      ...uncertainReading(evidence, { delimiter: best.delimiter, headerLine: table.reading.headerLine }),
      ...amounts.warnings,
      ...table.warnings,
      ...remarkWarnings(remarks, sample.comment === undefined ? table.data : []),
      ...formats.warnings,
      ...totalsWarning(totalsAmong(readable)),
    ],
    sheetNames: null,
    sheet: null,
  };
}

/** The records of a sample with whole amounts, and the columns whose amounts commas cut. */
interface WholeAmounts {
  records: readonly SampleRecord[];
  cut: CutAmounts | null;
  isDoubtful: boolean;
  /** Rows with more cells than names are faulty. */
  isExact: boolean;
  warnings: ReadingWarning[];
}

/** Puts the amounts together that commas between cells cut, where the rows prove which. */
function withWholeAmounts(
  records: readonly SampleRecord[],
  { delimiter }: Candidate,
  { header, first }: TableReading,
): WholeAmounts {
  const asWritten = { records, cut: null, isDoubtful: false, isExact: false, warnings: [] };
  if (delimiter !== ',') return asWritten;
  const headerCells = header === null ? [] : (records[header]?.cells ?? []);
  const names = headerNames(headerCells);
  const data = records.slice(first).map(({ cells }) => cells);
  if (!data.some(({ length }) => length > names.length)) return asWritten;
  const rows = withoutFooter(data);
  const cut = header === null ? null : findCutAmounts([...new Set([headerCells.length, names.length])], rows);
  if (cut === 'doubtful') return { ...asWritten, isDoubtful: true, isExact: true, warnings: [cutWarning(null)] };
  if (cut === null) {
    const place = header === null ? findCents(rows) : findThousands(names.length, rows);
    return place === null ? asWritten : { ...asWritten, isDoubtful: true, warnings: [cutWarning(place)] };
  }
  const whole = records.map((record, index) =>
    index < first ? record : { ...record, cells: joinAmounts(record.cells, cut) ?? record.cells },
  );
  const warnings = [joinedWarning(cut.columns.map((column) => names[column] ?? ''))];
  return { ...asWritten, records: whole, cut, warnings };
}

/** Parses the sample in the chosen dialect, without remarks. */
function firstRecords(sample: SampleText, { delimiter }: Candidate, isWhole: boolean) {
  const dialect = { ...sample, comment: sample.comment ?? '', delimiter: delimiter ?? noDelimiter };
  const asWritten = sampleRecords(sample.text, dialect, { line: sample.line, isWhole, max: limits.sampleRows + 1 });
  const parsed = asWritten.map(({ line, cells }) => ({ line, cells: cells.map(plainCell) }));
  if (parsed.length === 0) throw noRecord(isWhole);
  const isCut = !isWhole || parsed.length > limits.sampleRows;
  if (sample.comment !== undefined)
    return { ...(sample.comment === '' ? {} : { comment: sample.comment }), records: parsed, remarks: [], isCut };
  const { rowCells, ...split } = splitRemarks(parsed, sample.headerRow);
  return { ...split, ...(split.remarks.length === 0 ? {} : { comment: remarkSign, rowCells }), isCut };
}

function noRecord(isWhole: boolean): FileUnreadableError {
  return isWhole
    ? new FileUnreadableError(
        'file_empty',
        'The file has no line with anything in it. Use a file with a header and rows.',
      )
    : new FileUnreadableError(
        'header_too_long',
        `No line ends within the first ${limits.sampleBytes} bytes of the file. Use a table with a row on ` +
          'each line.',
      );
}
