import { isBlank, usedColumns } from '../columns/table';
import { open } from '../source';
import { rawText } from '../text/characters';
import { encodedLength, TextReader, type TextEncoding } from '../text/decoder';
import type { Detected, FileSource, Position, RejectedRow, Row, RowBatch, RowFault } from '../types';
import type { Dialect } from './dialect';
import { CsvParser, type CsvSink } from './parser';
import { declaredDelimiter } from './sniff';

/** What detection found, in the form that delimited texts need. */
interface CsvFile extends Dialect {
  encoding: TextEncoding;
  headers: readonly string[];
  headerLine: number | null;
  encodingIsExact: boolean;
}

/** Reads the rows of a delimited text, a batch for each piece of the file that holds some. */
export async function* readCsv(source: FileSource, detected: Detected, from: Position | null): AsyncGenerator<RowBatch> {
  const file = detected as CsvFile & Detected;
  const isStart = from === null || from.offset === null;
  const decoder = new TextReader(file.encoding);
  const rows = new CsvRows(file, Math.max(from?.line ?? 1, (file.headerLine ?? 0) + 1));
  let parser: CsvParser | null = isStart ? null : new CsvParser(file, file.headers.length, from.line, rows);
  let readBytes = isStart ? 0 : (from.offset ?? 0);
  for await (const { bytes, isLast } of open(source, readBytes)) {
    readBytes += bytes.length;
    let text = decoder.push(bytes, isLast);
    if (parser === null) {
      const before = leadIn(text);
      parser = new CsvParser(file, file.headers.length, before.lines + 1, rows);
      text = text.slice(before.length);
    }
    rows.watch(text);
    parser.push(text, isLast);
    const offset = readBytes - decoder.pendingBytes - encodedLength(parser.pending, file.encoding);
    const batch = rows.take({ line: parser.nextLine, offset: canBeEntered(file, parser) ? offset : null });
    if (batch.rows.length > 0 || batch.rejected.length > 0) yield batch;
  }
}

/** Broken UTF-8 has another length in bytes than what it is read as. */
function canBeEntered(file: CsvFile, parser: CsvParser): boolean {
  return !parser.isInTooLongLine && (file.encoding !== 'utf-8' || file.encodingIsExact);
}

/** What goes before the first record: a mark, and the line that names the delimiter. */
function leadIn(text: string): { length: number; lines: number } {
  const mark = text.startsWith('\ufeff') ? 1 : 0;
  const declared = declaredDelimiter(text.slice(mark));
  return { length: mark + (declared?.length ?? 0), lines: declared === null ? 0 : 1 };
}

const NUL = /\0/u;
const BROKEN_UNICODE = /[\0\ufffd\ud800-\udfff]/u;
/** What bytes without meaning in a code page are read as. */
const BROKEN_CODE_PAGE = /[\0\ufffd\u0080-\u009f]/u;

/** Turns records into rows of data, and says what is wrong with those that are none. */
class CsvRows implements CsvSink {
  private rows: Row[] = [];
  private rejected: RejectedRow[] = [];
  private isSuspect = false;
  private readonly forbidden: RegExp;

  constructor(
    private readonly file: CsvFile,
    private readonly firstLine: number,
  ) {
    this.forbidden = file.encodingIsExact ? NUL : file.encoding.startsWith('utf') ? BROKEN_UNICODE : BROKEN_CODE_PAGE;
  }

  /** Sees all text before its records come. Only from where it holds something forbidden on are cells looked at. */
  watch(text: string): void {
    this.isSuspect ||= this.forbidden.test(text);
  }

  take(next: Position): RowBatch {
    const batch: RowBatch = { rows: this.rows, rejected: this.rejected, next };
    this.rows = [];
    this.rejected = [];
    return batch;
  }

  record(line: number, cells: string[]): void {
    if (cells[0]?.trim() === '' && isBlank(cells)) return;
    if (line >= this.firstLine && this.isReadable(line, cells)) this.rows.push({ line, data: this.dataOf(cells) });
  }

  fault(line: number, code: RowFault, message: string, raw: string, column: string | null = null): void {
    if (line >= this.firstLine) this.rejected.push({ line, column, code, message, raw: rawText(raw) });
  }

  private isReadable(line: number, cells: readonly string[]): boolean {
    const { headers, delimiter } = this.file;
    if (cells.length > headers.length && usedColumns(cells) > headers.length) {
      const message = `The row has ${usedColumns(cells)} columns, the header has ${headers.length}. Put a value that holds the delimiter into quotes.`;
      this.fault(line, 'too_many_columns', message, cells.join(delimiter));
      return false;
    }
    const broken = this.isSuspect ? cells.findIndex((cell) => this.forbidden.test(cell)) : -1;
    if (broken < 0) return true;
    const column = headers[broken] ?? null;
    const [code, message] = (cells[broken] as string).includes('\0')
      ? (['unstorable_character', `"${column ?? ''}" holds a NUL character. Remove it.`] as const)
      : (['invalid_encoding', `"${column ?? ''}" holds bytes that are not ${this.file.encoding}. Save the file as UTF-8, or name its encoding.`] as const);
    this.fault(line, code, message, cells.join(delimiter), column);
    return false;
  }

  private dataOf(cells: readonly string[]): Record<string, unknown> {
    const data: Record<string, unknown> = {};
    const { headers } = this.file;
    for (let index = 0; index < headers.length; index += 1) data[headers[index] as string] = cells[index] ?? '';
    return data;
  }
}
