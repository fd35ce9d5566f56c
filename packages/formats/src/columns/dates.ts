import { limits } from '../limits';

/** Three groups of digits with the same mark between them, then maybe a time. */
const NUMERIC_DATE = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?:([T ])(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const COMPACT_DATE = /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const COMPACT = 'YYYYMMDD';

type Order = 'DMY' | 'MDY' | 'YMD';

/** How the dates of a column are written, apart from the order of day and month, which values prove or do not. */
interface Shape {
  mark: string;
  yearDigits: number;
  yearFirst: boolean;
  time: string;
}

/** Collects what the values of a column say about the format of its dates. */
export class DateColumn {
  private shape: Shape | null = null;
  private compact = false;
  private isDate = true;
  private readonly possible = new Set<Order>(['DMY', 'MDY', 'YMD']);

  add(value: string): void {
    const text = value.trim();
    if (!this.isDate || text === '') return;
    this.isDate = text.length <= limits.valueChars && this.addText(text);
  }

  private addText(text: string): boolean {
    return COMPACT_DATE.test(text) ? this.addCompact() : this.addNumeric(text);
  }

  /** The format, where the values prove one that is not ISO 8601. */
  get verdict(): string | null {
    return this.possible.size === 1 ? this.inOrder([...this.possible][0] as Order) : this.withoutChoice();
  }

  /** The order that this column proves where it had a choice. */
  get provenOrder(): Order | null {
    return this.verdict !== null && this.shape !== null && this.shape.mark !== '.' && !this.shape.yearFirst ? ([...this.possible][0] as Order) : null;
  }

  /** The format with the order that other columns of the file prove, where this one allows it. */
  withOrder(order: Order): string | null {
    return this.verdict ?? (this.possible.has(order) ? this.inOrder(order) : null);
  }

  private withoutChoice(): string | null {
    return this.isDate && this.compact ? COMPACT : null;
  }

  private addCompact(): boolean {
    this.compact = true;
    return this.shape === null;
  }

  private addNumeric(text: string): boolean {
    const match = NUMERIC_DATE.exec(text);
    if (match === null || this.compact) return false;
    const [, first = '', mark = '', second = '', third = ''] = match;
    const yearFirst = first.length > 2;
    if (first.length === 3 || third.length === 3 || (yearFirst && third.length > 2)) return false;
    const shape: Shape = { mark, yearFirst, yearDigits: yearFirst ? first.length : third.length, time: timeFormat(match) };
    if (shape.yearDigits < 2) return false;
    this.shape ??= shape;
    if (!alike(this.shape, shape)) return false;
    this.narrow(shape, Number(first), Number(second), Number(third));
    return this.possible.size > 0;
  }

  private narrow(shape: Shape, first: number, second: number, third: number): void {
    const keep: Record<Order, boolean> = {
      DMY: !shape.yearFirst && isDay(first) && isMonth(second),
      // With points between them dates have the day first everywhere.
      MDY: !shape.yearFirst && shape.mark !== '.' && isMonth(first) && isDay(second),
      YMD: (shape.yearFirst || (shape.yearDigits === 2 && shape.mark === '-')) && isMonth(second) && isDay(third),
    };
    for (const order of this.possible) if (!keep[order]) this.possible.delete(order);
  }

  private inOrder(order: Order): string | null {
    if (!this.isDate || this.shape === null) return null;
    const { mark, yearDigits, time } = this.shape;
    const parts = { D: 'DD', M: 'MM', Y: 'Y'.repeat(yearDigits) };
    const format = [...order].map((part) => parts[part as 'D' | 'M' | 'Y']).join(mark) + time;
    return isIso(format) ? null : format;
  }
}

/** Formats that are read without being told. */
function isIso(format: string): boolean {
  return /^YYYY-MM-DD(?:[T ]HH:mm:ss)?$/.test(format);
}

function timeFormat(match: RegExpExecArray): string {
  if (match[5] === undefined) return '';
  return `${match[5]}HH:mm${match[8] === undefined ? '' : ':ss'}`;
}

function alike(a: Shape, b: Shape): boolean {
  return a.mark === b.mark && a.yearFirst === b.yearFirst && a.yearDigits === b.yearDigits && a.time === b.time;
}

function isDay(value: number): boolean {
  return value >= 1 && value <= 31;
}

function isMonth(value: number): boolean {
  return value >= 1 && value <= 12;
}
