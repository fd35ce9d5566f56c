import { limits } from '../limits';
import { rawText } from '../text/characters';
import {
  FileUnreadableError,
  type FileRow,
  type Position,
  type ReadingWarning,
  type RejectedRow,
  type RowBatch,
} from '../types';
import { findUnstorable } from './unstorable';

/**
 * Collects rows into batches. Rows before the first wanted line are left out. Batches are cut at a bounded size, unless
 * `isCut` is false because the caller ends them where reading can resume.
 */
export class RowCollector {
  private done: RowBatch[] = [];
  private rows: FileRow[] = [];
  private rejected: RejectedRow[] = [];
  private warnings: ReadingWarning[] = [];
  private chars = 0;
  private filled = 0;
  private nextLine: number;

  constructor(
    private readonly firstLine: number,
    private readonly isCut = true,
  ) {
    this.nextLine = firstLine;
  }

  /** `chars` is the approximate size of the data; `raw` returns the row as read, in case it is rejected. */
  row(row: FileRow, chars: number, raw: () => string): void {
    const { line, data } = row;
    if (line < this.firstLine) return;
    if (chars > limits.rowChars) {
      this.reject({
        line,
        column: null,
        code: 'row_too_long',
        message: `The row has more than ${limits.rowChars} characters. Split it, or leave out what is too long.`,
        raw: raw(),
      });
      return;
    }
    const left = { digits: limits.digitsWrittenOut };
    for (const column of Object.keys(data)) {
      const fault = findUnstorable(data[column], left, 1);
      if (fault === null) continue;
      this.reject({ line, column, code: fault.code, message: `"${column}" ${fault.message}`, raw: raw() });
      return;
    }
    this.rows.push(row);
    this.count(line, chars);
  }

  /** The number of rows and rejected rows of the open batch. */
  get size(): number {
    return this.rows.length + this.rejected.length;
  }

  /** Counts the values that a row lacks to fit the header, so that a small file cannot grow into a huge one. */
  fill(values: number): void {
    this.filled += Math.max(0, values);
    if (this.filled > limits.filledValues) {
      throw new FileUnreadableError(
        'file_too_large',
        `The rows lack more than ${limits.filledValues} values of their columns. Leave out the columns that are empty.`,
      );
    }
  }

  /** Adds a row of texts that are known to be storable and short enough. */
  text(line: number, data: Record<string, string>): void {
    if (line >= this.firstLine) this.rows.push({ line, data });
  }

  reject(row: RejectedRow): void {
    if (row.line < this.firstLine) return;
    const raw = rawText(row.raw);
    this.rejected.push({ ...row, raw });
    this.count(row.line, raw.length);
  }

  /** Adds a point that only the end of the file shows. */
  warn(warning: ReadingWarning): void {
    this.warnings.push(warning);
  }

  /** The last rows of the open batch. */
  recent(count: number): readonly FileRow[] {
    return this.rows.slice(-count);
  }

  /** Returns the full batches, and the open one on request. */
  take(isLast: boolean): RowBatch[] {
    if (isLast) this.endBatch(null);
    const batches = this.done;
    this.done = [];
    return batches;
  }

  /** Returns everything collected so far; reading may resume at this position. */
  takeUntil(next: Position): RowBatch[] {
    this.nextLine = next.line;
    this.endBatch(next.offset);
    return this.take(false);
  }

  private count(line: number, chars: number): void {
    this.nextLine = line + 1;
    this.chars += chars;
    if (!this.isCut) return;
    if (this.size >= limits.batchRows || this.chars >= limits.batchChars) this.endBatch(null);
  }

  private endBatch(offset: number | null): void {
    if (this.size === 0 && this.warnings.length === 0) return;
    this.done.push({
      rows: this.rows,
      rejected: this.rejected,
      next: { line: this.nextLine, offset },
      ...(this.warnings.length === 0 ? {} : { warnings: this.warnings }),
    });
    this.rows = [];
    this.rejected = [];
    this.warnings = [];
    this.chars = 0;
  }
}

/** Yields the batches that a step of reading completes. Where it throws, earlier rows come first. */
export function* batchesOf(collector: RowCollector, isLast: boolean, step: () => void): Generator<RowBatch> {
  try {
    step();
  } catch (error) {
    yield* collector.take(true);
    throw error;
  }
  yield* collector.take(isLast);
}
