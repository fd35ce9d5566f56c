import { limits } from '../limits';
import { FileUnreadableError } from '../types';

/** A field of a SWIFT message: its tag without colons, and its lines. */
export interface SwiftField {
  tag: string;
  lines: string[];
  /** False where the file ends within the last line. */
  isEnded: boolean;
}

export interface SwiftHandler {
  field(field: SwiftField): void;
  /** Called between two messages, and at the end of the file. */
  endMessage(): void;
}

/** Only these tags begin a field: a line of text may begin with `:12:` too. */
const fieldStart = /^:(20|21|25P?|28C?|NS|13D?|34F|60[FM]|61|62[FM]|64|65|86|90[CD]):(.*)$/s;
const messageEnd = /^(?:-\s*(?:XXX|\}.*)?|\x03)$/;
const blockStart = /\{1:|\{4:/;
/** Some systems write this for the end of a line. */
const lineMark = /@@(?=:|-|$)/;
const lineEnd = /\r\n|\n|\r(?!$)/;

/**
 * Splits SWIFT text that arrives in pieces into fields. Headers (`{1:…}{2:…}{4:`) and whatever else surrounds the
 * messages are skipped.
 */
export class SwiftFields {
  private rest = '';
  private open: SwiftField | null = null;
  private chars = 0;

  constructor(private readonly handler: SwiftHandler) {}

  push(text: string, isLast: boolean): void {
    const lines = (this.rest + text).split(lineEnd);
    this.rest = lines.pop() ?? '';
    if (this.rest.length > limits.xmlTextChars) throw fieldTooLong;
    for (const line of lines) this.wholeLine(line, true);
    if (!isLast) return;
    this.wholeLine(this.rest.replace(/\r$/, ''), this.rest.endsWith('\r') || this.rest === '');
    this.rest = '';
    this.endField();
    this.handler.endMessage();
  }

  private wholeLine(line: string, isEnded: boolean): void {
    const parts = line.split(lineMark);
    parts.forEach((part, i) => this.line(part, isEnded || i < parts.length - 1));
  }

  private line(line: string, isEnded: boolean): void {
    if (blockStart.test(line)) {
      this.endField();
      this.handler.endMessage();
      const at = line.lastIndexOf('{4:');
      if (at >= 0) this.line(line.slice(at + '{4:'.length), isEnded);
      return;
    }
    const start = fieldStart.exec(line.trimStart());
    if (start !== null) {
      this.endField();
      this.chars = line.length;
      this.open = { tag: start[1] as string, lines: [start[2] as string], isEnded };
    } else if (messageEnd.test(line.trim())) {
      this.endField();
      this.handler.endMessage();
    } else if (this.open !== null && line !== '') {
      this.chars += line.length + 1;
      if (this.chars > limits.rowChars) throw fieldTooLong;
      this.open.lines.push(line);
      this.open.isEnded = isEnded;
    }
  }

  private endField(): void {
    const field = this.open;
    this.open = null;
    if (field !== null) this.handler.field(field);
  }
}

export const fieldTooLong = new FileUnreadableError(
  'file_damaged',
  'The MT940 file has a field without end. It may have been cut or edited: export the whole file again and use ' +
    'that.',
);
