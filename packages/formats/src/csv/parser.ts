import { usedColumns } from '../columns/table';
import { limits } from '../limits';
import { count } from '../text/characters';
import type { RowFault } from '../types';
import type { Dialect } from './dialect';
import { isMarkedRow } from './remarks';
import { readLoosely, readRecord, withoutReturn, type RecordReading } from './record';

export interface CsvSink {
  /** Called after each record; true stops reading for now. */
  isFull?(): boolean;
  record(line: number, cells: string[]): void;
  fault(line: number, code: RowFault, message: string, raw: string): void;
}

/**
 * The characters that failed readings may look ahead, beside twice the text that was read. It keeps reading linear for
 * a hostile text in which every line opens a quote; ordinary texts never reach it.
 */
const spareLookahead = 8 * limits.rowChars;

/**
 * Splits a delimited text that arrives in pieces into records. A faulty line costs only itself: where a quoted cell
 * does not end as it should, reading continues with the next line. The result does not depend on where the pieces are
 * cut.
 */
export class CsvParser {
  private rest = '';
  private inTooLongLine = false;
  private consumed = 0;
  private failedLookahead = 0;
  private isOpen = false;

  constructor(
    private readonly dialect: Dialect,
    /** The number of columns that a record should have; null while unknown. */
    private readonly width: number | null,
    private line: number,
    private readonly sink: CsvSink,
  ) {}

  /** The line at which the unread text begins. */
  get nextLine(): number {
    return this.line;
  }

  /** True where the text ends without a line break. */
  get endsOpen(): boolean {
    return this.isOpen;
  }

  get isInTooLongLine(): boolean {
    return this.inTooLongLine;
  }

  /** Text that waits for its continuation. */
  get pending(): string {
    return this.rest;
  }

  /** Reads until the text ends or the sink is full. Returns true when the sink is full; push '' to continue. */
  push(piece: string, isLast: boolean): boolean {
    const text = this.rest + piece;
    const { newline, quote, comment = '', skipLines = 0, headerRow } = this.dialect;
    const mayLeaveOut = comment !== '' || this.line <= skipLines;
    let at = this.inTooLongLine ? this.leaveTooLongLine(text) : 0;
    let nextQuote = -1;
    let isFull = false;
    while (at < text.length && !isFull) {
      const lineBreak = text.indexOf(newline, at);
      if (lineBreak < 0 && !isLast) break;
      const lineEnd = lineBreak < 0 ? text.length : lineBreak;
      const isRemark =
        comment !== '' &&
        this.line !== headerRow &&
        text.startsWith(comment, at) &&
        !this.isMarkedRow(text.slice(at, lineEnd));
      if (mayLeaveOut && (this.line <= skipLines || isRemark)) {
        this.consumed += lineEnd + 1 - at;
        at = lineEnd + 1;
        this.line++;
        continue;
      }
      if (nextQuote < at) nextQuote = nextOrEnd(text, quote, at);
      const end = nextQuote < lineEnd ? this.readQuoted(text, at, lineEnd, isLast) : this.readPlain(text, at, lineEnd);
      if (end === null) break;
      this.consumed += end - at;
      at = end;
      isFull = this.sink.isFull?.() ?? false;
    }
    this.rest = text.slice(at);
    if (text !== '') this.isOpen = !text.endsWith(newline);
    if (isFull) return true;
    // Only an endless line reaches this: a quoted cell of this length has been given up.
    if (this.rest.length > limits.rowChars) this.enterTooLongLine();
    return false;
  }

  private isMarkedRow(line: string): boolean {
    const { delimiter, rowCells } = this.dialect;
    return rowCells !== undefined && isMarkedRow(line.split(delimiter), rowCells);
  }

  private readPlain(text: string, at: number, lineEnd: number): number {
    const { delimiter, newline } = this.dialect;
    const content = text.slice(at, withoutReturn(text, at, lineEnd));
    if (content.length > limits.rowChars) this.tooLong(content);
    else if (content !== '') this.sink.record(this.line, delimiter === newline ? [content] : content.split(delimiter));
    this.line++;
    return lineEnd + 1;
  }

  /** Reads a quoted record and returns its end; null when more text is needed. */
  private readQuoted(text: string, at: number, lineEnd: number, isLast: boolean): number | null {
    const mayGoOn = this.failedLookahead <= 2 * this.consumed + spareLookahead;
    if (!mayGoOn) return this.readLineAlone(text, at, lineEnd);
    const reading = readRecord(text, at, this.dialect, isLast);
    const tooFar = (reading.kind === 'incomplete' ? text.length : reading.end) - at > limits.rowChars;
    if (reading.kind === 'incomplete' && !tooFar && !isLast) return null;
    if (reading.kind === 'record' && !tooFar && !this.looksRunaway(text, reading, lineEnd)) {
      this.accept(text.slice(at, reading.end), reading);
      return reading.end;
    }
    this.failedLookahead += tooFar || reading.kind === 'incomplete' ? limits.rowChars : reading.end - at;
    return this.readLineAlone(text, at, lineEnd);
  }

  private accept(raw: string, { cells, lines }: RecordReading & { kind: 'record' }): void {
    if (lines > 1 && !this.fits(cells)) {
      const message =
        `The row goes from line ${this.line} to line ${this.line + lines - 1} and has ${cells.length} columns ` +
        `instead of ${this.width ?? 0}. Close the quotes in it.`;
      this.sink.fault(this.line, 'quote_not_closed', message, raw);
    } else {
      this.sink.record(this.line, cells);
    }
    this.line += lines;
  }

  private fits(cells: readonly string[]): boolean {
    return this.width === null || (cells.length >= this.width && usedColumns(cells) <= this.width);
  }

  /**
   * Returns whether a multi-line record has the wrong number of columns while its second line alone has the right one.
   * A line with a lone quote is then more likely the end of a cell.
   */
  private looksRunaway(
    text: string,
    { cells, lines, end }: RecordReading & { kind: 'record' },
    lineEnd: number,
  ): boolean {
    if (lines === 1 || this.fits(cells)) return false;
    const { quote, newline } = this.dialect;
    const from = lineEnd + 1;
    const second = text.slice(from, withoutReturn(text, from, Math.min(nextOrEnd(text, newline, from), end)));
    const alone = count(second, quote) % 2 === 0 ? readLoosely(second, this.dialect) : null;
    return alone !== null && this.fits(alone);
  }

  private readLineAlone(text: string, at: number, lineEnd: number): number {
    const content = text.slice(at, withoutReturn(text, at, lineEnd));
    const strict = content.length > limits.rowChars ? null : readRecord(content, 0, this.dialect, true);
    if (strict === null) this.tooLong(content);
    else if (strict.kind === 'record') this.sink.record(this.line, strict.cells);
    else this.readLineLoosely(content);
    this.line++;
    return lineEnd + 1;
  }

  private readLineLoosely(content: string): void {
    const cells = readLoosely(content, this.dialect);
    if (cells !== null && this.fits(cells)) this.sink.record(this.line, cells);
    else
      this.sink.fault(
        this.line,
        'quote_not_closed',
        `A quote (${this.dialect.quote}) in the line has no counterpart. Close it, or double it where it is ` +
          'part of a value.',
        content,
      );
  }

  private tooLong(content: string): void {
    this.sink.fault(
      this.line,
      'row_too_long',
      `The row has more than ${limits.rowChars} characters. Split it, or leave out what is too long.`,
      content,
    );
  }

  private enterTooLongLine(): void {
    if (!this.inTooLongLine) this.tooLong(this.rest);
    this.inTooLongLine = true;
    this.rest = '';
  }

  private leaveTooLongLine(text: string): number {
    const lineBreak = text.indexOf(this.dialect.newline);
    if (lineBreak < 0) return text.length;
    this.inTooLongLine = false;
    this.line++;
    return lineBreak + 1;
  }
}

function nextOrEnd(text: string, part: string, from: number): number {
  const found = part === '' ? -1 : text.indexOf(part, from);
  return found < 0 ? text.length : found;
}
