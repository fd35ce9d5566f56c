import { limits } from '../limits';
import { FileUnreadableError } from '../types';

export interface QifHandler {
  /** A line of a section's beginning: `Type:Bank`, `Account`, `Option:AutoSwitch`. */
  header(text: string): void;
  /** A record: its lines, each of a letter and a value. */
  record(fields: readonly QifField[], isEnded: boolean): void;
}

export interface QifField {
  code: string;
  value: string;
}

/** Splits QIF that arrives in pieces into headers and records, which end with `^`. */
export class QifRecords {
  private rest = '';
  private fields: QifField[] = [];
  private chars = 0;

  constructor(private readonly handler: QifHandler) {}

  push(text: string, isLast: boolean): void {
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.line(line);
    if (isLast) {
      const [last, isEnded] = [this.rest.replace(/\r$/, ''), this.rest === '' || this.rest.endsWith('\r')];
      this.rest = '';
      this.line(last);
      if (this.fields.length > 0) this.endRecord(isEnded);
    }
    if (this.rest.length > limits.xmlTextChars) throw tooLong;
  }

  private line(line: string): void {
    const text = line.trim();
    if (text === '') return;
    if (text === '^') this.endRecord(true);
    else if (text.startsWith('!')) {
      if (this.fields.length > 0) this.endRecord(true);
      this.handler.header(text.slice(1).trim());
    } else {
      this.chars += text.length;
      if (this.chars > limits.rowChars || this.fields.length >= limits.recordLines) throw tooLong;
      const code = text[0] === 'X' ? text.slice(0, 2) : text.slice(0, 1);
      this.fields.push({ code, value: text.slice(code.length).trim() });
    }
  }

  private endRecord(isEnded: boolean): void {
    const { fields } = this;
    this.fields = [];
    this.chars = 0;
    if (fields.length > 0) this.handler.record(fields, isEnded);
  }
}

const tooLong = new FileUnreadableError(
  'file_damaged',
  'The QIF file has a transaction without end (^). It may have been cut or edited: export the whole file again.',
);
