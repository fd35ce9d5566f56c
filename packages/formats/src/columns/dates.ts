import { isNoValue } from './amounts';
import { dateParts, isoText, type PartOrder, type DateText } from './date-text';
import { maxExamples, ofEach } from './decimals';
import { areFew } from './cells';
import { Forms } from './forms';

const orders = ['DMY', 'MDY', 'YMD'] as const satisfies readonly PartOrder[];
type Order = (typeof orders)[number];

/** The layout of dates without the order of day and month, which only some values prove. */
interface Shape {
  mark: DateText['mark'];
  yearDigits: number;
  yearFirst: boolean;
  /** The character between the parts where the month is a name. */
  gap: string;
}

/** The dates of one shape. */
class ShapeCount {
  dates = 0;
  example = '';
  hasTime = false;
  hasSeconds = false;
  isHalfDay = false;
  /** Counts the dates that contradict each order. */
  private readonly against: Record<Order, number> = { DMY: 0, MDY: 0, YMD: 0 };

  constructor(readonly shape: Shape) {}

  add(example: string, { time }: DateText, allowed: readonly Order[]): void {
    if (this.dates === 0) this.example = example;
    this.dates++;
    this.hasTime ||= time !== null;
    this.hasSeconds ||= time?.hasSeconds === true;
    this.isHalfDay ||= time?.isHalfDay === true;
    for (const order of orders) if (!allowed.includes(order)) this.against[order]++;
  }

  /** Returns the orders that no date contradicts, else those that only a few contradict. */
  get possible(): Order[] {
    const free = orders.filter((order) => this.against[order] === 0);
    return free.length > 0
      ? free
      : orders.filter((order) => areFew(this.against[order], this.dates - this.against[order]));
  }

  /** Returns whether each date shows the order of its parts by itself. */
  get isEvident(): boolean {
    const { mark, yearFirst, yearDigits } = this.shape;
    if (mark === 'compact') return false;
    return mark === 'name' || mark === '年' || yearFirst || (mark === '.' && yearDigits === 4);
  }

  /** The format of these dates in an order; null for ISO 8601, which is read by default. */
  formatIn(order: Order): string | null {
    const { mark, yearDigits, gap } = this.shape;
    const year = 'Y'.repeat(yearDigits);
    if (mark === 'compact') return this.hasTime ? 'YYYYMMDDHHmmss' : 'YYYYMMDD';
    if (mark === '-' && order === 'YMD' && yearDigits === 4) return null;
    const parts = { D: 'DD', M: mark === 'name' ? 'MMM' : 'MM', Y: year };
    const names = [...order].map((part) => parts[part as 'D' | 'M' | 'Y']);
    const date =
      mark === '年'
        ? 'YYYY年MM月DD日'
        : mark !== 'name'
          ? names.join(mark)
          : order === 'MDY'
            ? `MMM DD, ${year}`
            : names.join(gap);
    if (!this.hasTime) return date;
    return `${date} ${this.isHalfDay ? 'hh' : 'HH'}:mm${this.hasSeconds ? ':ss' : ''}${this.isHalfDay ? ' A' : ''}`;
  }
}

/** Collects what a column's values show about the format of its dates. */
export class DateColumn {
  private values = 0;
  private dates = 0;
  private readonly shapes = new Map<string, ShapeCount>();
  /** The first cells of each notation. */
  private readonly notations = new Map<string, string[]>();
  /** The first cells that are no dates. */
  readonly odd: string[] = [];
  /** The first date. */
  example = '';
  private farDates = 0;
  private far = '';
  private readonly forms = new Forms();

  add(value: string): void {
    if (isNoValue(value)) return;
    this.values++;
    const text = value.trim();
    const date = dateParts(text);
    const shape = date === null ? null : shapeOf(date, text);
    const allowed = date === null || shape === null ? [] : ordersOf(date);
    if (date === null || shape === null || allowed.length === 0) {
      if (this.odd.length < maxExamples) this.odd.push(text);
      this.forms.add(text);
      return;
    }
    if (date.mark !== 'compact') this.dates++;
    this.example ||= text;
    if (isFarYear(Number(date.parts.find(({ length }) => length === 4)))) {
      this.farDates++;
      this.far ||= text;
    }
    this.countOf(shape).add(text, date, allowed);
    const notation = `${shapeKey(shape)} ${allowed.join()}`;
    const cells = this.notations.get(notation);
    if (cells === undefined) this.notations.set(notation, [text]);
    else if (cells.length < maxExamples) cells.push(text);
  }

  /** The format, where the values prove one that is not ISO 8601. */
  get verdict(): string | null {
    const { prevailing } = this;
    return prevailing?.possible.length === 1 ? prevailing.formatIn(prevailing.possible[0] as Order) : null;
  }

  /** The order that this column proves although its shape allows several. */
  get provenOrder(): Order | null {
    const { prevailing } = this;
    const hadChoice = prevailing !== null && !prevailing.isEvident && ['/', '-'].includes(prevailing.shape.mark);
    return this.verdict !== null && hadChoice ? (prevailing.possible[0] as Order) : null;
  }

  /** Returns the format with the order that other columns prove, if this column allows it. */
  withOrder(order: Order): string | null {
    const { prevailing } = this;
    if (this.verdict !== null || prevailing === null || !prevailing.possible.includes(order)) return this.verdict;
    return prevailing.formatIn(order);
  }

  /** A date whose order of day and month nothing proves. */
  get ambiguous(): { example: string; formats: string[] } | null {
    const { prevailing } = this;
    if (prevailing === null || prevailing.possible.length < 2) return null;
    return {
      example: prevailing.example,
      formats: prevailing.possible.flatMap((order) => prevailing.formatIn(order) ?? []),
    };
  }

  /** Returns whether most values are dates, although too many are not. */
  get isMostlyDates(): boolean {
    return this.isMajority && this.prevailing === null && !this.areNearlyAll;
  }

  /** Cells of several notations or orders, where most values are dates and none of these prevails. */
  get mixed(): string[] {
    const { prevailing } = this;
    const isMixed = prevailing === null ? this.areNearlyAll : prevailing.possible.length === 0;
    return this.isMajority && isMixed ? ofEach([...this.notations.values()]) : [];
  }

  /** Returns whether nearly all values are dates, in one notation or several. */
  get areDates(): boolean {
    return this.dates > 0 && this.areNearlyAll;
  }

  /** A date of another calendar, where most dates are. */
  get otherCalendar(): string | null {
    return this.farDates * 2 > this.dates && this.dates > 0 ? this.far : null;
  }

  /** Returns whether no value is a date, and all are alike. */
  get areAlike(): boolean {
    return this.dates === 0 && this.forms.areFew;
  }

  private get isMajority(): boolean {
    return this.dates >= 2 && this.dates > this.values - this.dates;
  }

  private get areNearlyAll(): boolean {
    return areFew(this.values - this.dates, this.dates);
  }

  /**
   * The most frequent shape, where nearly all values have it, or are dates that show their order themselves. Digits
   * alone are dates only where nearly all values are. A shape that does not show its order goes before one that does.
   */
  private get prevailing(): ShapeCount | null {
    let prevailing: ShapeCount | null = null;
    for (const count of this.shapes.values())
      if (prevailing === null || count.dates > prevailing.dates) prevailing = count;
    if (prevailing?.isEvident === true) prevailing = this.frequentOpenShape ?? prevailing;
    if (prevailing === null) return null;
    let dates = prevailing.dates;
    for (const count of this.shapes.values())
      if (count !== prevailing && count.isEvident && prevailing.shape.mark !== 'compact') dates += count.dates;
    return areFew(this.values - dates, dates) ? prevailing : null;
  }

  private get frequentOpenShape(): ShapeCount | undefined {
    return [...this.shapes.values()]
      .filter(({ isEvident, shape }) => !isEvident && shape.mark !== 'compact')
      .sort((a, b) => b.dates - a.dates)[0];
  }

  private countOf(shape: Shape): ShapeCount {
    const key = shapeKey(shape);
    let count = this.shapes.get(key);
    if (count === undefined) {
      count = new ShapeCount(shape);
      this.shapes.set(key, count);
    }
    return count;
  }
}

/** Returns whether a year is one of today in the Islamic, the Persian or the Buddhist calendar. */
const isFarYear = (year: number): boolean => (year > 1300 && year < 1500) || (year > 2400 && year < 2700);

const shapeKey = (shape: Shape): string => Object.values(shape).join(' ');

function shapeOf({ parts, mark, order }: DateText, text: string): Shape {
  const yearFirst = order === 'YMD';
  return {
    mark,
    yearFirst,
    yearDigits: (yearFirst ? parts[0] : parts[2]).length,
    gap: mark === 'name' ? (/[-/.](?=\D|\d)/.exec(text)?.[0] ?? ' ') : '',
  };
}

/** Returns the orders in which the parts are a day of the calendar. */
function ordersOf(date: DateText): Order[] {
  const allowed: readonly Order[] =
    date.order !== null
      ? [date.order as Order]
      : date.parts[2].length === 4 || date.mark !== '-'
        ? ['DMY', 'MDY']
        : orders;
  return allowed.filter((order) => isoText(date, order) !== undefined);
}
