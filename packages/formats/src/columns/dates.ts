import { limits } from '../limits';
import { areFew } from './footer';

/** Matches three groups of digits with the same separator, and an optional time. */
const numericDate = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?:([T ])(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const compactDate = /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const compactFormat = 'YYYYMMDD';

type Order = 'DMY' | 'MDY' | 'YMD';

/** The layout of a column's dates without the order of day and month, which only some values prove. */
interface Shape {
  mark: string;
  yearDigits: number;
  yearFirst: boolean;
  time: string;
}

const orders: readonly Order[] = ['DMY', 'MDY', 'YMD'];

/** The dates of one shape. */
class ShapeCount {
  dates = 0;
  example = '';
  /** Counts the dates that contradict each order. */
  private readonly against: Record<Order, number> = { DMY: 0, MDY: 0, YMD: 0 };

  constructor(readonly shape: Shape | null) {}

  add(example: string, allowed: readonly Order[]): void {
    if (this.dates === 0) this.example = example;
    this.dates++;
    for (const order of orders) if (!allowed.includes(order)) this.against[order]++;
  }

  /** Returns the orders that no date contradicts, else those that only a few contradict. */
  get possible(): Order[] {
    const free = orders.filter((order) => this.against[order] === 0);
    return free.length > 0
      ? free
      : orders.filter((order) => areFew(this.against[order], this.dates - this.against[order]));
  }
}

/** Collects what a column's values show about the format of its dates. */
export class DateColumn {
  private values = 0;
  private readonly shapes = new Map<string, ShapeCount>();

  add(value: string): void {
    const text = value.trim();
    if (text === '') return;
    this.values++;
    if (text.length > limits.valueChars) return;
    if (compactDate.test(text)) this.countOf(compactFormat, null).add(text, []);
    else this.addNumeric(text);
  }

  /** The format, where the values prove one that is not ISO 8601. */
  get verdict(): string | null {
    const { prevailing } = this;
    if (prevailing === null) return null;
    if (prevailing.shape === null) return compactFormat;
    return prevailing.possible.length === 1 ? inOrder(prevailing.shape, prevailing.possible[0] as Order) : null;
  }

  /** The order that this column proves although its shape allows several. */
  get provenOrder(): Order | null {
    const { prevailing } = this;
    const hadChoice = prevailing?.shape != null && prevailing.shape.mark !== '.' && !prevailing.shape.yearFirst;
    return this.verdict !== null && hadChoice ? (prevailing.possible[0] as Order) : null;
  }

  /** Returns the format with the order that other columns prove, if this column allows it. */
  withOrder(order: Order): string | null {
    const { prevailing } = this;
    if (
      this.verdict !== null ||
      prevailing === null ||
      prevailing.shape === null ||
      !prevailing.possible.includes(order)
    )
      return this.verdict;
    return inOrder(prevailing.shape, order);
  }

  /** A date whose order of day and month nothing proves. */
  get ambiguous(): { example: string; formats: string[] } | null {
    const { prevailing } = this;
    if (prevailing === null || prevailing.shape === null || prevailing.possible.length < 2) return null;
    const { shape } = prevailing;
    return {
      example: prevailing.example,
      formats: prevailing.possible.flatMap((order) => inOrder(shape, order) ?? []),
    };
  }

  /** The shape of nearly all dates, where nearly all values are dates. */
  private get prevailing(): ShapeCount | null {
    let prevailing: ShapeCount | null = null;
    for (const count of this.shapes.values())
      if (prevailing === null || count.dates > prevailing.dates) prevailing = count;
    return prevailing !== null && areFew(this.values - prevailing.dates, prevailing.dates) ? prevailing : null;
  }

  private countOf(key: string, shape: Shape | null): ShapeCount {
    let count = this.shapes.get(key);
    if (count === undefined) {
      count = new ShapeCount(shape);
      this.shapes.set(key, count);
    }
    return count;
  }

  private addNumeric(text: string): void {
    const match = numericDate.exec(text);
    if (match === null) return;
    const [, first = '', mark = '', second = '', third = ''] = match;
    const yearFirst = first.length > 2;
    if (first.length === 3 || third.length === 3 || (yearFirst && third.length > 2)) return;
    const shape: Shape = {
      mark,
      yearFirst,
      yearDigits: yearFirst ? first.length : third.length,
      time: timeFormat(match),
    };
    if (shape.yearDigits < 2) return;
    const allowed = ordersOf(shape, Number(first), Number(second), Number(third));
    if (allowed.length > 0) this.countOf(Object.values(shape).join(' '), shape).add(text, allowed);
  }
}

function ordersOf(shape: Shape, first: number, second: number, third: number): Order[] {
  const allowed: Record<Order, boolean> = {
    DMY: !shape.yearFirst && isDay(first) && isMonth(second),
    // With points as separators the day comes first in every country.
    MDY: !shape.yearFirst && shape.mark !== '.' && isMonth(first) && isDay(second),
    YMD: (shape.yearFirst || (shape.yearDigits === 2 && shape.mark === '-')) && isMonth(second) && isDay(third),
  };
  return orders.filter((order) => allowed[order]);
}

function inOrder({ mark, yearDigits, time }: Shape, order: Order): string | null {
  const parts = { D: 'DD', M: 'MM', Y: 'Y'.repeat(yearDigits) };
  const format = [...order].map((part) => parts[part as 'D' | 'M' | 'Y']).join(mark) + time;
  return isIso(format) ? null : format;
}

/** Tells whether a format is read by default. */
function isIso(format: string): boolean {
  return /^YYYY-MM-DD(?:[T ]HH:mm:ss)?$/.test(format);
}

function timeFormat(match: RegExpExecArray): string {
  if (match[5] === undefined) return '';
  return `${match[5]}HH:mm${match[8] === undefined ? '' : ':ss'}`;
}

function isDay(value: number): boolean {
  return value >= 1 && value <= 31;
}

function isMonth(value: number): boolean {
  return value >= 1 && value <= 12;
}
