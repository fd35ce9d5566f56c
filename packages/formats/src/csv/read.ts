import { repeatsHeader, withoutRemarkSign } from '../columns/description';
import { isBlank, usedColumns } from '../columns/table';
import { limits } from '../limits';
import { RowCollector } from '../rows/collector';
import { comparedRows, fileCut, isCutCell } from '../rows/cut-file';
import type { TextEncoding } from '../text/decoder';
import { mayBeMarked, plainCell } from '../text/plain-cell';
import type { Detected, FileSource, Position, RowBatch, RowFault } from '../types';
import { joinAmounts, type CutAmounts } from './cut-amounts';
import { readRecords, type RecordFile, type RecordSink } from './read-records';
import { noDelimiter } from './delimiter';

/** Reads the rows of a delimited text. */
export function readCsv(source: FileSource, detected: Detected, from: Position | null): AsyncGenerator<RowBatch> {
  const { encoding, encodingIsExact, headers, headerLine, firstLine = 1, delimiter, quote, newline } = detected;
  const file: CsvFile = {
    encoding: encoding as TextEncoding,
    encodingIsExact,
    delimiter: delimiter ?? noDelimiter,
    quote: quote ?? '',
    newline: newline ?? '\n',
    ...(detected.comment === undefined ? {} : { comment: detected.comment }),
    ...(detected.rowCells === undefined ? {} : { rowCells: detected.rowCells }),
    ...(detected.skipLines === undefined ? {} : { skipLines: detected.skipLines }),
    headers: headers ?? [],
    width: headers?.length ?? 0,
    hasHeader: headerLine !== null,
    cutAmounts: detected.cutAmounts ?? null,
    isLocal: detected.isLocal,
  };
  return readRecords(
    source,
    file,
    from,
    new CsvRows(file, Math.max(from?.line ?? 1, firstLine, (headerLine ?? 0) + 1)),
  );
}

interface CsvFile extends RecordFile {
  headers: readonly string[];
  hasHeader: boolean;
  cutAmounts: CutAmounts | null;
  isLocal: boolean | undefined;
}

/** The character code of `#`, which marks remarks. */
const markCode = 35;
/** Matches a first cell that may hold a value. Rows without values begin with an empty cell or drawn lines. */
const mayHaveValue = /[^-=_+:*~]/;
const nulCharacter = /\0/u;
const brokenUnicode = /[\0\ufffd\ud800-\udfff]/u;
/** Matches the characters that undefined bytes of a code page are decoded to. */
const brokenCodePage = /[\0\ufffd\u0080-\u009f]/u;

/** Turns records into rows of data, and reports the records that are not rows. */
class CsvRows implements RecordSink {
  private readonly collector: RowCollector;
  private isSuspect = false;
  private isMarked = false;
  private shortRows = 0;
  /** The last line that is shorter than the header, or has a quote without end. */
  private brokenLine = 0;
  private readonly forbidden: RegExp;
  /** The first name in the header, with which a repeated header begins; null without a header. */
  private readonly firstName: string | null;

  constructor(
    private readonly file: CsvFile,
    private readonly firstLine: number,
  ) {
    this.collector = new RowCollector(firstLine, false);
    this.firstName = file.hasHeader ? (file.headers[0] ?? null) : null;
    this.forbidden = file.encodingIsExact
      ? nulCharacter
      : file.encoding.startsWith('utf')
        ? brokenUnicode
        : brokenCodePage;
  }

  /** Notes whether a text gives reason to check its cells, or to remove the marks of spreadsheets. */
  watch(text: string): void {
    this.isSuspect ||= this.forbidden.test(text);
    this.isMarked ||= mayBeMarked(text);
  }

  take(next: Position): RowBatch[] {
    return this.collector.takeUntil(next);
  }

  isFull(): boolean {
    return this.collector.size * this.file.width >= limits.batchValues;
  }

  record(line: number, written: string[]): void {
    const { cutAmounts } = this.file;
    const cells = cutAmounts === null ? written : joinAmounts(written, cutAmounts);
    if (cells === null) {
      this.rejectCut(line, written);
      return;
    }
    const first = cells[0]?.trim() ?? '';
    if (!mayHaveValue.test(first) && isBlank(cells)) return;
    if (this.isFirstName(first) && repeatsHeader(this.file.headers, cells)) return;
    const missing = this.file.width - cells.length;
    if ((missing < 0 || this.isSuspect) && !this.isReadable(line, cells)) return;
    if (missing > 0) {
      this.collector.fill(missing);
      this.shortRows++;
      this.brokenLine = line;
    }
    this.collector.text(line, this.dataOf(this.isMarked ? cells.map(plainCell) : cells));
  }

  private isFirstName(cell: string): boolean {
    const name = this.firstName;
    if (name === null) return false;
    const isAlike = cell.length === name.length || cell.charCodeAt(0) === markCode;
    return isAlike && (cell === name || withoutRemarkSign(cell).toLowerCase() === name.toLowerCase());
  }

  fault(line: number, code: RowFault, message: string, raw: string): void {
    if (code === 'quote_not_closed') this.brokenLine = line;
    this.collector.reject({ line, column: null, code, message, raw });
  }

  /** Warns of a cut file where the last row has no line break and is shorter than all others. */
  endOpen(lastLine: number): void {
    const rows = this.collector.recent(comparedRows);
    const isBroken = this.brokenLine === lastLine && (rows.at(-1)?.line !== lastLine || this.shortRows === 1);
    if ((isBroken && lastLine > this.firstLine) || isCutCell(rows, this.file.headers.at(-1) ?? ''))
      this.collector.warn(fileCut(lastLine, this.file.isLocal));
  }

  /** Rejects a row whose amounts cannot be joined in exactly one way. Blank lines are not rows. */
  private rejectCut(line: number, cells: readonly string[]): void {
    if (isBlank(cells)) return;
    const message =
      `The row has ${cells.length} cells, and no one way to put its amounts together so that it has the ` +
      `${this.file.width} columns of the header. Put amounts into quotes.`;
    this.fault(line, 'too_many_columns', message, cells.join(this.file.delimiter));
  }

  private isReadable(line: number, cells: readonly string[]): boolean {
    const { headers, delimiter } = this.file;
    if (cells.length > headers.length && usedColumns(cells) > headers.length) {
      const message =
        `The row has ${usedColumns(cells)} columns, the header has ${headers.length}. Put a value that holds the ` +
        'delimiter into quotes.';
      this.fault(line, 'too_many_columns', message, cells.join(delimiter));
      return false;
    }
    const broken = this.isSuspect ? cells.findIndex((cell) => this.forbidden.test(cell)) : -1;
    if (broken < 0) return true;
    const column = headers[broken] ?? null;
    const [code, message] = (cells[broken] as string).includes('\0')
      ? (['unstorable_character', `"${column ?? ''}" holds a NUL character. Remove it.`] as const)
      : ([
          'invalid_encoding',
          `"${column ?? ''}" holds bytes that are not ${this.file.encoding}. Save the file as UTF-8, or name ` +
            'its encoding.',
        ] as const);
    this.collector.reject({ line, column, code, message, raw: cells.join(delimiter) });
    return false;
  }

  private dataOf(cells: readonly string[]): Record<string, string> {
    const data: Record<string, string> = {};
    const { headers } = this.file;
    const { length } = headers;
    for (let index = 0; index < length; index++) data[headers[index] as string] = cells[index] ?? '';
    return data;
  }
}
