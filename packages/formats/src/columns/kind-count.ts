import type { CellKind } from './kinds';

/** Points that a cell adds to the consistency of its row when it agrees with its column or contradicts it. */
const points = { value: 1, text: 0.2, empty: 0.15, odd: -1, mixed: 0 } as const;

/** Counts the kinds of a column's cells. */
export class KindCount {
  private readonly counts: Record<CellKind, number> = {
    empty: 0,
    integer: 0,
    decimal: 0,
    date: 0,
    time: 0,
    text: 0,
    mixed: 0,
  };
  points = 0;
  /** The kind of most cells that have a value. */
  kind: CellKind = 'empty';

  add(kind: CellKind): void {
    this.counts[kind]++;
    const { empty, integer, decimal, date, time, text, mixed } = this.counts;
    const numbers = integer + decimal;
    const filled = numbers + date + time + text + mixed;
    const frequent = Math.max(numbers, date, time);
    const isValues = filled > 0 && frequent * 2 >= filled;
    this.kind = !isValues
      ? text + mixed > 0
        ? 'text'
        : 'empty'
      : frequent === numbers
        ? decimal > 0
          ? 'decimal'
          : 'integer'
        : frequent === date
          ? 'date'
          : 'time';
    const agreeing = isValues ? frequent * points.value + (filled - frequent) * points.odd : textPoints(this.counts);
    this.points = agreeing + empty * points.empty;
  }

  countOf(kind: CellKind): number {
    return this.counts[kind];
  }
}

/** In a column of texts a value is no contradiction. */
function textPoints({ text, mixed, integer, decimal, date, time }: Record<CellKind, number>): number {
  return (text + integer + time) * points.text + mixed * points.mixed + (decimal + date) * -0.1;
}
