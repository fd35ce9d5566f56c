import { limits } from '../limits';
import { unmarked } from '../text/plain-cell';
import type { RowFault } from '../types';
import type { XmlAttributes, XmlHandler } from '../xml/xml-reader';
import { TextRuns, unescaped, type SharedTexts } from './shared-texts';
import { serialText, type NumberKind } from './styles';

/** A cell whose value is an error. */
export interface CellFault {
  code: RowFault;
  /** The fault, to follow the column's name. */
  message: string;
  /** The content of the cell. */
  text: string;
}

export type CellValue = string | number | boolean | null | { fault: CellFault };

export interface SheetContext {
  texts: SharedTexts;
  kinds: readonly NumberKind[];
  from1904: boolean;
}

/** Receives the rows of a sheet. */
export interface SheetSink {
  row(line: number, cells: CellValue[]): void;
  /** Called for each whole number of more digits than spreadsheet programs keep, with its column, counted from 0. */
  longNumber?(column: number, text: string): void;
}

/** Reads the rows of a sheet. Cells that a row leaves out are null. */
export class SheetHandler implements XmlHandler {
  private inData = false;
  private row: CellValue[] = [];
  private rowNumber = 0;
  private column = -1;
  private cell: XmlAttributes = {};
  private rawValue = '';
  private inValue = false;
  private readonly runs = new TextRuns();

  constructor(
    private readonly context: SheetContext,
    private readonly sink: SheetSink,
  ) {}

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'sheetData') this.inData = true;
    if (!this.inData) return;
    if (name === 'c') this.beginCell(attributes);
    else if (name === 'v') this.inValue = true;
    else if (name === 'row') this.beginRow(attributes);
    else this.runs.open(name);
  }

  text(text: string): void {
    if (this.inValue) this.rawValue += text;
    else if (this.inData) this.runs.text(text);
  }

  close(name: string): void {
    if (!this.inData) return;
    if (name === 'c') this.endCell();
    else if (name === 'v') this.inValue = false;
    else if (name === 'row') this.sink.row(this.rowNumber, this.row);
    else if (name === 'sheetData') this.inData = false;
    else this.runs.close(name);
  }

  /** Row numbers increase whatever a faulty writer says, so that a line names one row. */
  private beginRow({ r }: XmlAttributes): void {
    this.rowNumber = Math.max(this.rowNumber + 1, /^\d{1,7}$/.test(r ?? '') ? Number(r) : 0);
    this.row = [];
    this.column = -1;
  }

  private beginCell(attributes: XmlAttributes): void {
    this.cell = attributes;
    this.rawValue = '';
    this.runs.clear();
    this.column = attributes.r === undefined ? this.column + 1 : columnOf(attributes.r);
  }

  /** A cell beyond the columns that are read is stored in the next column, so that the row does not fit the header. */
  private endCell(): void {
    const read = this.value();
    const value = typeof read === 'string' ? unmarked(read) : read;
    if (value === null) return;
    const at = Math.min(this.column, limits.columns);
    while (this.row.length < at) this.row.push(null);
    this.row[at] = value;
  }

  private value(): CellValue {
    const raw = this.rawValue;
    switch (this.cell.t) {
      case 's':
        return raw === ''
          ? null
          : (this.context.texts.get(Number(raw)) ??
              fault(
                'shared_text_missing',
                raw,
                `names the shared text ${raw}, which the workbook does not have. Type it in again.`,
              ));
      case 'inlineStr':
        return this.runs.value;
      case 'str':
        return unescaped(raw);
      case 'd':
        return raw;
      case 'b':
        return raw === '' ? null : raw === '1' || raw === 'true';
      case 'e':
        return fault('cell_error', raw, `holds the error ${raw}. Correct the formula, or replace it by a value.`);
      default:
        return raw === '' ? null : this.number(raw);
    }
  }

  /**
   * Returns a number as spreadsheet programs show it, with 15 digits: more are noise of computing. A whole number of
   * more digits is a text, since no number keeps all of them.
   */
  private plainNumber(number: number, raw: string): CellValue {
    if (raw.length <= exactDigits) return number;
    if (Math.abs(number) < minLong || Math.abs(number) >= maxWritten) return Number(number.toPrecision(exactDigits));
    const text = writtenOut.test(raw) ? raw : String(number);
    this.sink.longNumber?.(this.column, text);
    return text;
  }

  private number(raw: string): CellValue {
    const number = Number(raw);
    if (!Number.isFinite(number))
      return fault('value_out_of_range', raw, `holds "${raw.slice(0, 40)}", which is no number. Type it in again.`);
    const kind = this.context.kinds[Number(this.cell.s ?? 0)] ?? 'number';
    if (kind === 'number') return this.plainNumber(number, raw);
    return (
      serialText(number, kind, this.context.from1904) ??
      fault(
        'value_out_of_range',
        raw,
        `holds ${raw.slice(0, 40)} as a date, which is out of Excel's calendar. Correct it.`,
      )
    );
  }
}

/** Matches a whole number that is written out. */
const writtenOut = /^[-+]?\d+$/;
/** The digits that spreadsheet programs keep. */
const exactDigits = 15;
const minLong = 10 ** exactDigits;
/** Numbers from here on are written with an exponent. */
const maxWritten = 1e21;

function fault(code: RowFault, text: string, message: string): CellValue {
  return { fault: { code, message, text } };
}

const letterA = 65;

/** Returns the column of a reference such as `AB12`, counted from 0. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length && at < 4; at++) {
    const letter = reference.charCodeAt(at) - letterA;
    if (letter < 0 || letter > 25) break;
    column = column * 26 + letter + 1;
  }
  return column - 1;
}
